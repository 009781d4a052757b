"""Events: the moments of a run, and the handlers that are called there.

Reading order: `events` (and which occurrences of an event count), `state` (the counters of a run); `signatures` and
`handler` (a function with its arguments), `registry` (the handlers of each event) and `event_hooks` (functions around
every event, and handles to remove functions). The mechanism behind them is `dark.hooks`. The public names are in
`dark.engine`; those of Ignite's `ignite.engine.events` are here, too.
"""

from dark.engine.events.events import CallableEventWithFilter, EventEnum, Events, EventsList
from dark.engine.events.event_hooks import RemovableEventHandle
from dark.engine.events.state import State

__all__ = ["CallableEventWithFilter", "EventEnum", "Events", "EventsList", "RemovableEventHandle", "State"]
