"""`Attachment`: a monitor on an engine, which observes the steps in which an event may fire."""

from typing import Any

from dark.checks import describe
from dark.engine import CallableEventWithFilter, Engine, Events, EventsList
from dark.errors import ValueTypeError
from dark.hooks import Every, Handle, Once
from dark.monitor.watch import watch_of, weakly

OUTSIDE = {"STARTED", "EPOCH_STARTED", "GET_BATCH_STARTED", "GET_BATCH_COMPLETED"}  # events before a step


class Attachment(Handle):
    """The handlers of a monitor on an engine; `remove` detaches them."""

    def __init__(self, monitor: Any, trainer: Any, event: Any) -> None:
        engine = trainer if isinstance(trainer, Engine) else getattr(trainer, "engine", None)
        if not isinstance(engine, Engine):
            raise ValueTypeError(
                f"Monitor.attach: {describe(trainer)} is not a trainer.",
                "an engine, or a trainer that has one.",
                "create_supervised_trainer(…), or trainer.engine.",
            )
        self._watch, self._monitor = watch_of(monitor, engine, trainer), monitor
        self._watch.trainer = weakly(trainer)
        self._watch.attachments += 1
        self._handles = [engine.add_event_handler(event, self._watch.record)]
        for start in starts_of(event):
            self._handles.append(engine.add_event_handler(start, self._watch.start))
        self._handles.append(engine.add_event_handler(Events.COMPLETED, self._watch.end))

    def remove(self) -> None:
        """Remove the handlers."""
        for handle in self._handles:
            handle.remove()
        self._watch.attachments -= bool(self._handles)
        self._handles = []
        self._monitor.end()


def starts_of(event: Any) -> list[Any]:
    """Return the events at which the steps start in which, or after which, an event may fire.

    A filter by numbers selects the same iterations at their start. A filter by a function of the user is not asked
    beforehand, since the function may count its calls: every step may be one.

    Examples
    --------
    >>> starts_of(Events.ITERATION_COMPLETED(every=20)), starts_of(Events.EPOCH_COMPLETED), starts_of(Events.STARTED)
    ([Events.ITERATION_STARTED(every=20)], [Events.ITERATION_STARTED], [])
    """
    events = list(event) if isinstance(event, EventsList) else [event]
    events = [one for one in events if (one if isinstance(one, str) else one.name) not in OUTSIDE]
    if all(_is_numbered(one) for one in events):
        start = Events.ITERATION_STARTED
        return [CallableEventWithFilter(start.value, one.filter, start.name) for one in events]
    return [Events.ITERATION_STARTED]


def _is_numbered(event):
    """Return whether an event is the end of iterations that a filter selects by their numbers."""
    is_end = not isinstance(event, str) and event.name == "ITERATION_COMPLETED"
    return is_end and isinstance(event.filter, (Once, Every))
