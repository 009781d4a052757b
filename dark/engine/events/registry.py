"""The registry of an engine: the events that it knows, and the handlers attached to each of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from dark.descriptions import brief
from dark.engine.events.events import EventEnum, EventsList
from dark.engine.events.handler import make_handler
from dark.engine.events.state import count
from dark.errors import UsageError, ValueTypeError, near_misses
from dark.hooks import Hooks

if TYPE_CHECKING:
    from dark.engine.events.events import Event
    from dark.engine.events.handler import Handler
    from dark.engine.events.state import State
    from dark.hooks import RemovableHandle


def name_of(event: Any) -> Any:
    """Return the name of an event: a member of an enum, with or without a filter, or a string."""
    return getattr(event, "name", event)


class Handlers(Hooks["Handler"]):
    """The handlers of an event; one that is attached while the event is fired is called, too."""

    def _set(self, hooks: dict[int, Handler]) -> None:
        before, after = self.ordered, list(hooks.values())
        if isinstance(before, list) and after and before == after[:-1]:
            before.append(after[-1])
            self._hooks = hooks
        else:
            self._hooks, self.ordered = hooks, after


NO_HANDLERS = Handlers()


class Registry:
    """Events and handlers by the name of the event; `owner` is the name of the engine's class, for error messages."""

    def __init__(self, owner: str) -> None:
        self.owner = owner
        self.events: dict[str, Event] = {}
        self.handlers: dict[str, Handlers] = {}

    def register(self, state: State, events: Iterable[Event], event_to_attr: Mapping[Any, str] | None) -> None:
        """Register events, see `Engine.register_events`; filters read their counters from `state`."""
        _check_events(events, event_to_attr)
        for event in events:
            self.events[name_of(event)] = event
            if event_to_attr and event in event_to_attr:
                count(state, event, event_to_attr[event])

    def registered(self, event: Any) -> str:
        """Return the name of an event."""
        name = name_of(event)
        if not isinstance(name, str) or name not in self.events:
            shown = name if isinstance(name, str) else brief(name)
            raise UsageError(
                f"Event {shown} is not a valid event for this {self.owner}.",
                "one of Events, or an event that was registered.",
                f"{near_misses(name, self.events)}; or register_events(…) first; several events are joined by |.",
            )
        return name

    def attach(
        self, state: State, event_name: Any, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> list[RemovableHandle]:
        """Attach a function to an event, or to each event of a list, or to none; return a handle for each."""
        events = event_name if isinstance(event_name, EventsList) else (event_name,)
        names = [self.registered(event) for event in events]
        added = [make_handler(state, event, function, args, kwargs) for event in events]
        return [self.handlers.setdefault(name, Handlers()).add(handler) for name, handler in zip(names, added)]

    def has(self, function: Callable[..., Any], event: Any) -> bool:
        """Return whether a function is attached to an event, or to any event if that is None."""
        names = self.handlers if event is None else [name_of(event)]
        return any(handler.function == function for name in names for handler in self.handlers.get(name, ()))

    def find(self, function: Callable[..., Any], event: Any) -> set[Handler]:
        """Return all handlers of an event that call a function, whatever their filters and arguments."""
        name = name_of(event)
        if not isinstance(name, str) or name not in self.events:
            raise UsageError(
                f"Input event name '{name}' does not exist.", "a registered event.", near_misses(name, self.events)
            )
        found = {handler for handler in self.handlers.get(name, ()) if handler.function == function}
        if not found:
            others = [other for other in self.handlers if self.has(function, other)]
            raise UsageError(
                f"Input handler '{function}' is not found among registered event handlers of {name}.",
                "a function that is attached to this event.",
                f"it is attached to {', '.join(others)}." if others else "the function as it was attached.",
            )
        return found

    def remove(self, removed: set[Handler]) -> None:
        """Remove handlers; an event that is being fired still calls all handlers it started with."""
        for handlers in self.handlers.values():
            for handler in removed.intersection(handlers):
                handlers.discard(handler)


def _check_events(events: Iterable[object], event_to_attr: object) -> None:
    for index, event in enumerate(events):
        if not isinstance(event, (str, EventEnum)):
            raise ValueTypeError(
                f"Value at {index} of event_names should be a str or EventEnum, but given {brief(event)}.",
                "members of an EventEnum, or strings.",
                "register_events(*MyEvents), with the asterisk.",
            )
    if not isinstance(event_to_attr, dict | None):
        raise UsageError(
            f"Expected event_to_attr to be dictionary. Got {type(event_to_attr).__name__}.",
            "a dict from events to the names of attributes of the state.",
            'event_to_attr={MyEvents.HAPPENED: "happened"}',
        )
