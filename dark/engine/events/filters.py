"""Event filters: the firings of an event for which a handler is called, from the arguments of the event's call."""

from collections.abc import Callable, Sequence
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
