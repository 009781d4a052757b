"""`Attachment`: a monitor on an engine, which observes the steps in which an event may fire."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any

from dark.checks import describe
from dark.engine import CallableEventWithFilter, Engine, Events, EventsList
from dark.engine.events.filters import Once, Window
from dark.errors import ValueTypeError
from dark.hooks import Handle

if TYPE_CHECKING:
    from dark.monitor.monitor import Monitor

OUTSIDE = {"STARTED", "EPOCH_STARTED", "GET_BATCH_STARTED", "GET_BATCH_COMPLETED"}  # events before a step


class Attachment(Handle):
    """The handlers of a monitor on an engine; `remove` detaches them.

    Parameters
    ----------
    monitor : Monitor
    trainer : Engine, or an object with an attribute `engine`
    event : event, str or EventsList
        When to record.

    Raises
    ------
    ValueTypeError
        If there is no engine.
    """

    def __init__(self, monitor: Monitor, trainer: Any, event: Any) -> None:
        engine = trainer if isinstance(trainer, Engine) else getattr(trainer, "engine", None)
        if not isinstance(engine, Engine):
            raise ValueTypeError(
                f"Monitor.attach: {describe(trainer)} is not a trainer.",
                "an engine, or a trainer that has one.",
                "create_supervised_trainer(…), or trainer.engine.",
            )
        self._monitor, self._trainer = monitor, weakref.ref(trainer)
        self._events = list(event) if isinstance(event, EventsList) else [event]
        self._has_time = True
        added = engine.add_event_handler(event, self._record)
        start = engine.add_event_handler(Events.ITERATION_STARTED, self._start)
        self._handles = [added, start, engine.add_event_handler(Events.COMPLETED, self._end)]

    def remove(self) -> None:
        """Remove the handlers."""
        for handle in self._handles:
            handle.remove()
        self._monitor.end()

    def _start(self, engine):
        """Observe this step, if the event may fire in it and there is time."""
        budget = self._monitor.budget
        budget.steps += 1
        if any(may_fire(event, engine) for event in self._events):
            self._has_time = budget.has_time()
            if self._has_time:
                with budget.timed():
                    self._monitor.begin()

    def _record(self, engine):
        budget = self._monitor.budget
        budget.count_observation(is_skipped=not self._has_time)
        if self._has_time:
            with budget.timed(is_last=True):
                self._monitor.record(engine, self._trainer())

    def _end(self, engine):
        self._monitor.end()


def may_fire(event: Any, engine: Engine) -> bool:
    """Return whether an event may fire for its handler during or after the iteration that is starting.

    Filters are asked beforehand only if they depend on the number of the iteration alone: not functions of a user,
    which may count their calls.

    Examples
    --------
    >>> engine = Engine(lambda engine, batch: None)
    >>> engine.state.iteration = 20
    >>> may_fire(Events.ITERATION_COMPLETED(every=20), engine), may_fire(Events.ITERATION_COMPLETED(every=3), engine)
    (True, False)
    """
    name = event if isinstance(event, str) else event.name
    if name in OUTSIDE:
        return False
    if name != "ITERATION_COMPLETED" or not isinstance(event, CallableEventWithFilter):
        return True
    return not isinstance(event.filter, (Once, Window)) or event.filter(engine, engine.state.iteration)
