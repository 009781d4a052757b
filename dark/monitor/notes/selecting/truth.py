"""Comparisons of values that a run may not have, and logic with three values: true, false and None, undecided."""

import operator
from collections.abc import Callable, Iterable
from typing import Any

from dark.monitor.notes.comparing import MISSING, is_equal

OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": is_equal, "=": is_equal,
    "!=": lambda a, b: not is_equal(a, b), "in": lambda a, b: _is_in(a, b), "not in": lambda a, b: not _is_in(a, b),
}  # fmt: skip


def _is_in(a, b):
    """Return whether a value is in a list or a string; a single value counts as a list."""
    return a in b if isinstance(b, (list, tuple, str, dict)) else is_equal(a, b)


def truth(value: Any) -> bool | None:
    """Return True or False, or None for anything else: a missing value."""
    return None if value is MISSING or value is None else bool(value)


def all_of(truths: Iterable[bool | None]) -> bool | None:
    """Return whether all are true; None if that is undecided."""
    found = list(truths)
    return False if False in found else None if None in found else True


def any_of(truths: Iterable[bool | None]) -> bool | None:
    """Return whether one is true; None if that is undecided."""
    found = list(truths)
    return True if True in found else None if None in found else False


def negated(value: bool | None) -> bool | None:
    """Return the opposite; None stays None."""
    return None if value is None else not value


def compared(sign: str, a: Any, b: Any) -> bool | None:
    """Return whether a comparison holds; None if a value is missing, or the values cannot be compared."""
    if a is MISSING or b is MISSING:
        return None
    try:
        return bool(OPERATORS[sign](a, b))
    except TypeError:
        return None
