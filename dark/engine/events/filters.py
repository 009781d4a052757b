"""Event filters: the firings of an event for which a handler is called."""

from dataclasses import dataclass, field, fields
from math import inf

from dark.checks import brief, is_integer
from dark.engine.events.signatures import check_call
from dark.errors import UsageError, ValueTypeError


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

    Attributes
    ----------
    span : (int, int or float)
        The numbers below and above all that are selected.
    step : (int, int)
        The distance of the selected numbers, and one from which they are counted.

    Examples
    --------
    >>> window = Window(every=5, before=25, after=8)
    >>> [value for value in range(30) if window(None, value)]
    [9, 14, 19, 24]
    """

    every: int | None = None
    before: int | None = None
    after: int | None = None
    span: tuple[int, float] = field(init=False, compare=False)
    step: tuple[int, int] = field(init=False, compare=False)

    def __post_init__(self):
        is_unbounded = self.before is None and self.after is None
        start = -1 if is_unbounded else self.after or 0
        object.__setattr__(self, "span", (start, inf if self.before is None else self.before))
        object.__setattr__(self, "step", (self.every or 1, 0 if is_unbounded else start + 1))

    def __call__(self, engine, value):
        """Return whether the firing with this number is selected."""
        low, high = self.span
        every, first = self.step
        return low < value < high and (value - first) % every == 0

    def __repr__(self):
        given = {known.name: getattr(self, known.name) for known in fields(self) if known.init}
        return ", ".join(f"{name}={number}" for name, number in given.items() if number is not None)


@dataclass(frozen=True)
class Once:
    """The firings with these numbers.

    Examples
    --------
    >>> [value for value in range(9) if Once((2, 5))(None, value)]
    [2, 5]
    """

    numbers: tuple

    def __call__(self, engine, value):
        """Return whether the firing with this number is selected."""
        return value in self.numbers

    def __repr__(self):
        return f"once={self.numbers[0] if len(self.numbers) == 1 else list(self.numbers)}"


def make_filter(event_filter, every, once, before, after):
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


def _checked_filter(event_filter):
    if not callable(event_filter):
        raise ValueTypeError(
            f"Argument event_filter should be a callable, got {brief(event_filter)}.",
            "a function of (engine, event), where event is the number of the epoch or iteration.",
            "event_filter=lambda engine, event: event in (1, 2, 5)",
        )
    check_call(event_filter, "event_filter", ("engine", "event"))
    return event_filter


def _numbers(once):
    is_single = not hasattr(once, "__iter__") or isinstance(once, str)
    numbers = (once,) if is_single else tuple(once)
    if not numbers or not all(is_integer(number, 1) for number in numbers):
        raise UsageError(
            f"Argument once should either be a positive integer or a list of positive integers, got {brief(once)}.",
            "numbers of epochs or iterations, counted from 1.",
            "once=5, or once=[1, 5, 10]",
        )
    return numbers


def _check_number(name, value, least, words):
    if value is not None and not is_integer(value, least):
        raise UsageError(
            f"Argument {name} should be integer and {words}, got {brief(value)}.",
            f"an integer, {least} or more.",
            f"omit {name}, or check how it was computed.",
        )
