"""Events: the moments of a run at which handlers are called; single, several together, or filtered by `make_filter`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from typing import Any, TypeAlias

from dark.checks import brief, is_integer
from dark.engine.events.signatures import check_call
from dark.errors import UsageError, ValueTypeError
from dark.hooks import Every, Once

Filter: TypeAlias = Callable[[Any, int], bool]


def make_filter(
    event_filter: Filter | None, every: int | None, once: int | Sequence[int] | None, before: int | None,
    after: int | None,
) -> Filter | None:  # fmt: skip
    """Return the filter that the arguments of an event's call describe, or None for all firings."""
    has_window = any(given is not None for given in (every, before, after))
    if (event_filter is not None) + (once is not None) + has_window != 1:
        raise UsageError(
            "Only one of the input arguments should be specified, except before, after and every.",
            "event_filter, or once, or some of every, before and after.",
            "Events.ITERATION_COMPLETED(every=10, after=100)",
        )
    if event_filter is not None:
        return _checked_filter(event_filter)
    if once is not None:
        return Once(_numbers(once))
    _check_number("every", every, 1, "greater than zero")
    _check_number("before", before, 0, "greater or equal to zero")
    _check_number("after", after, 0, "greater or equal to zero")
    return None if every == 1 and before is None and after is None else Every(every, before, after)


def _checked_filter(event_filter: Filter) -> Filter:
    if not callable(event_filter):
        raise ValueTypeError(
            f"Argument event_filter should be a callable, got {brief(event_filter)}.",
            "a function of (engine, event), where event is the number of the epoch or iteration.",
            "event_filter=lambda engine, event: event in (1, 2, 5)",
        )
    check_call(event_filter, "event_filter", ("engine", "event"))
    return event_filter


def _numbers(once: Any) -> tuple[int, ...]:
    is_single = not hasattr(once, "__iter__") or isinstance(once, str)
    numbers = (once,) if is_single else tuple(once)
    if not numbers or not all(is_integer(number, 1) for number in numbers):
        raise UsageError(
            f"Argument once should either be a positive integer or a list of positive integers, got {brief(once)}.",
            "numbers of epochs or iterations, counted from 1.",
            "once=5, or once=[1, 5, 10]",
        )
    return numbers


def _check_number(name: str, value: int | None, least: int, words: str) -> None:
    if value is not None and not is_integer(value, least):
        raise UsageError(
            f"Argument {name} should be integer and {words}, got {brief(value)}.",
            f"an integer, {least} or more.",
            f"omit {name}, or check how it was computed.",
        )


class CallableEventWithFilter:
    """An event, with or without a filter that selects some of its firings: ``Events.ITERATION_COMPLETED(every=10)``.

    Equality and hash depend on the *name* alone: an event with a filter equals the event without it, and its name as a
    string. `event_filter` is a function of (engine, event) that returns whether the handler is called, where event is
    the number of the epoch or the iteration.

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

        A filter is a function `event_filter`; or `once`, the numbers of the firings; or every n-th firing and those
        between two excluded numbers, `after` and `before`. `every` counts over the whole run, or from `after` on.
        Alone, it includes 0, which GET_BATCH_STARTED of the first iteration has.
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
