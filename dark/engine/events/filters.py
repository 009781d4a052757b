"""Event filters: the firings of an event for which a handler is called."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Any, TypeAlias

from dark.checks import brief, is_integer
from dark.engine.events.signatures import check_call
from dark.errors import UsageError, ValueTypeError

if TYPE_CHECKING:
    from collections.abc import Sequence

Filter: TypeAlias = Callable[[Any, int], bool]


@dataclass(frozen=True)
class Window:
    """Every n-th firing between two numbers.

    Parameters
    ----------
    every : int, optional
        1 if not given. With `after` or `before`, counted from the first firing after `after`; otherwise the numbers
        divisible by n: n, 2n, …, and 0, which events that are fired before the first iteration have.
    before, after : int, optional
        Both are excluded.

    Examples
    --------
    >>> window = Window(every=5, before=25, after=8)
    >>> [value for value in range(30) if window(None, value)]
    [9, 14, 19, 24]
    """

    every: int | None = None
    before: int | None = None
    after: int | None = None

    def bounds(self) -> tuple[int, float, int, int]:
        """Return the numbers between which it lies, both excluded, the step in it, and a number to count steps from."""
        is_unbounded = self.before is None and self.after is None
        start = -1 if is_unbounded else self.after or 0
        return start, inf if self.before is None else self.before, self.every or 1, 0 if is_unbounded else start + 1

    def __call__(self, engine: object, value: int) -> bool:
        """Return whether the firing with this number is selected."""
        low, high, every, first = self.bounds()
        return low < value < high and (value - first) % every == 0

    def __repr__(self) -> str:
        return ", ".join(f"{name}={number}" for name, number in vars(self).items() if number is not None)


@dataclass(frozen=True)
class Once:
    """The firings with these numbers.

    Examples
    --------
    >>> [value for value in range(9) if Once((2, 5))(None, value)]
    [2, 5]
    """

    numbers: tuple[int, ...]

    def __call__(self, engine: object, value: int) -> bool:
        """Return whether the firing with this number is selected."""
        return value in self.numbers

    def __repr__(self) -> str:
        return f"once={self.numbers[0] if len(self.numbers) == 1 else list(self.numbers)}"


def make_filter(
    event_filter: Filter | None, every: int | None, once: int | Sequence[int] | None, before: int | None,
    after: int | None,
) -> Filter | None:  # fmt: skip
    """Return the filter that the arguments of an event's call describe, or None for all firings.

    Raises
    ------
    UsageError
        If there is not exactly one description, or a number is out of range.
    ValueTypeError
        If `event_filter` is not callable.
    """
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
    return None if every == 1 and before is None and after is None else Window(every, before, after)


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
