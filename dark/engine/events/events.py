"""Events: the moments of a run at which handlers are called; single, filtered, or several together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from typing import Any, TypeAlias

from dark.engine.events.filters import make_filter
from dark.errors import ValueTypeError


class CallableEventWithFilter:
    """An event, with or without a filter that selects some of its firings: ``Events.ITERATION_COMPLETED(every=10)``.

    Equality and hash depend on the *name* alone: an event with a filter equals the event without it, and its name as a
    string. `event_filter` is a function of (engine, event) that returns whether the handler is called, where event is
    the number of the epoch or the iteration.

    Examples
    --------
    >>> Events.ITERATION_COMPLETED(every=10)
    Events.ITERATION_COMPLETED(every=10)
    >>> Events.STARTED == Events.STARTED(once=1) == "STARTED"
    True
    """

    def __init__(
        self, value: str, event_filter: Callable[[Any, int], bool] | None = None, name: str | None = None
    ) -> None:
        self.filter = event_filter
        if not hasattr(self, "_value_"):
            self._value_ = value
        if not hasattr(self, "_name_"):  # an enum has set the name already
            self._name_ = value if name is None else name

    @property
    def name(self) -> str:
        """The name of the event."""
        return self._name_

    @property
    def value(self) -> str:
        """The value of the event in its enum."""
        return self._value_

    def __call__(
        self, event_filter: Callable[[Any, int], bool] | None = None, every: int | None = None,
        once: int | Sequence[int] | None = None, before: int | None = None, after: int | None = None,
    ) -> CallableEventWithFilter:  # fmt: skip
        """Return this event with a filter; the event itself is not modified.

        Parameters
        ----------
        event_filter : callable, optional
            See above. Exactly one of this, `once`, and some of `every`, `before` and `after` is given.
        every : int, optional
            Every n-th firing, counted over the whole run, or from `after` on. Alone, it includes 0, which
            GET_BATCH_STARTED of the first iteration has.
        once : int or sequence of int, optional
            The firings with these numbers.
        before, after : int, optional
            Firings with smaller, with larger numbers.
        """
        return CallableEventWithFilter(self.value, make_filter(event_filter, every, once, before, after), self.name)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, CallableEventWithFilter):
            return self._name_ == other._name_
        return self._name_ == other if isinstance(other, str) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._name_)

    def __or__(self, other: CallableEventWithFilter | EventsList) -> EventsList:
        return EventsList(self) | other

    def __repr__(self) -> str:
        return f"Events.{self.name}" + (f"({self.filter!r})" if self.filter is not None else "")


class EventEnum(CallableEventWithFilter, Enum):
    """The base class of enums of events; derive custom events from it, and register them with the engine.

    Examples
    --------
    >>> class BackwardEvents(EventEnum):
    ...     BACKWARD_COMPLETED = "backward_completed"
    >>> from dark.engine import Engine
    >>> engine = Engine(lambda engine, batch: engine.fire_event(BackwardEvents.BACKWARD_COMPLETED))
    >>> engine.register_events(*BackwardEvents)
    >>> handle = engine.add_event_handler(BackwardEvents.BACKWARD_COMPLETED, lambda: print("backward"))
    >>> state = engine.run([1])
    backward
    """


class Events(EventEnum):
    """The events that an engine fires.

    ==========================  ==================================================  =========
    event                       when                                                filter by
    ==========================  ==================================================  =========
    STARTED                     a run starts                                        epoch
    EPOCH_STARTED               an epoch starts; its number is in the state         epoch
    GET_BATCH_STARTED           before a batch is fetched                           iteration
    GET_BATCH_COMPLETED         after that; `state.iteration` is still that of the  iteration
                                previous one
    ITERATION_STARTED           before the process function                         iteration
    ITERATION_COMPLETED         after it                                            iteration
    EPOCH_COMPLETED             an epoch ends                                       epoch
    COMPLETED                   a run ends                                          epoch
    DATALOADER_STOP_ITERATION   the data ended and will be restarted                no filter
    EXCEPTION_RAISED            an exception was raised, see `dark.engine.loop`     no filter
    TERMINATE_SINGLE_EPOCH      `terminate_epoch` ends an epoch                     no filter
    TERMINATE                   `terminate` or `max_iters` ends the run             no filter
    INTERRUPT                   `interrupt` pauses the run                          no filter
    ==========================  ==================================================  =========

    How a run can end early, and what is fired after the event at which the method was called:

    ==============================================  ==============================================================
    `terminate_epoch()`                             TERMINATE_SINGLE_EPOCH, EPOCH_COMPLETED, next EPOCH_STARTED …
    `terminate_epoch(skip_epoch_completed=True)`    TERMINATE_SINGLE_EPOCH, next EPOCH_STARTED …
    `terminate()`                                   TERMINATE, COMPLETED (no EPOCH_COMPLETED)
    `terminate(skip_completed=True)`                TERMINATE
    `interrupt()`                                   INTERRUPT; the next `run` resumes there
    ==============================================  ==============================================================

    Examples
    --------
    >>> [event.name for event in Events.EPOCH_STARTED | Events.COMPLETED(once=3)]
    ['EPOCH_STARTED', 'COMPLETED']
    """

    STARTED = "started"
    EPOCH_STARTED = "epoch_started"
    GET_BATCH_STARTED = "get_batch_started"
    GET_BATCH_COMPLETED = "get_batch_completed"
    ITERATION_STARTED = "iteration_started"
    ITERATION_COMPLETED = "iteration_completed"
    EPOCH_COMPLETED = "epoch_completed"
    COMPLETED = "completed"
    DATALOADER_STOP_ITERATION = "dataloader_stop_iteration"
    EXCEPTION_RAISED = "exception_raised"
    TERMINATE_SINGLE_EPOCH = "terminate_single_epoch"
    TERMINATE = "terminate"
    INTERRUPT = "interrupt"


class EventsList:
    """Several events for one handler; `|` returns a new list and modifies neither operand.

    Strings are not accepted. An event that is listed twice calls its handler twice.

    Examples
    --------
    >>> both = Events.STARTED | Events.COMPLETED
    >>> len(both | Events.ITERATION_COMPLETED(every=100)), len(both)
    (3, 2)
    """

    def __init__(self, *events: CallableEventWithFilter) -> None:
        for event in events:
            if not isinstance(event, CallableEventWithFilter):
                raise ValueTypeError(
                    f"Argument event should be Events or CallableEventWithFilter, got: {event!r}.",
                    "events of an EventEnum, with or without filters.",
                    "Events.STARTED | Events.COMPLETED; attach to strings one at a time.",
                )
        self._events = events

    def __getitem__(self, index: int) -> CallableEventWithFilter:
        return self._events[index]

    def __iter__(self) -> Iterator[CallableEventWithFilter]:
        return iter(self._events)

    def __len__(self) -> int:
        return len(self._events)

    def __or__(self, other: CallableEventWithFilter | EventsList) -> EventsList:
        return EventsList(*self, *(other if isinstance(other, EventsList) else (other,)))

    def __repr__(self) -> str:
        return " | ".join(map(repr, self))


Event: TypeAlias = CallableEventWithFilter | str  # with or without a filter; registered events also go by name
