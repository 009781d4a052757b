"""Piecewise linear interpolation between milestones, and the check of milestones."""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise

from dark.checks import is_integer, number
from dark.errors import UsageError, ValueTypeError


def split_pairs(pairs):
    """Check pairs of a milestone and a value, and split them into two lists."""
    _check(pairs)
    return [int(milestone) for milestone, _ in pairs], [value for _, value in pairs]


def interpolate(milestones, values, index):
    """Return the value at an event: linear between milestones, constant outside."""
    i = bisect_right(milestones, index)  # the next milestone
    left, right = max(i - 1, 0), min(i, len(milestones) - 1)
    begin, end = milestones[left], milestones[right]
    k, n = (index - begin, end - begin) if left < right else (0, 1)
    return values[left] + (values[right] - values[left]) * k / n


def _check(pairs):
    expected = "pairs of an event index and a value, in order: [(10, 0.5), (20, 0.1)]."
    if not isinstance(pairs, Sequence):
        raise ValueTypeError(
            f"Argument milestones_values should be a list or tuple, but given {type(pairs).__name__}.",
            expected,
            "list(…)",
        )
    if len(pairs) < 1:
        raise UsageError(
            f"Argument milestones_values should be with at least one value, but given {pairs}.", expected, "[(1, 0.5)]"
        )
    for pair in pairs:
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            raise UsageError(
                f"Argument milestones_values should be a list of pairs (milestone, param_value), but holds {pair!r}.",
                expected,
                "(10, 0.5)",
            )
        if not is_integer(pair[0]):
            raise ValueTypeError(
                f"Value of a milestone should be integer, but given {pair[0]!r}.", expected, "int(milestone)"
            )
        number(pair[1], "milestones_values", "a value", finite=False)
    for (before, _), (milestone, _) in pairwise(pairs):
        if milestone < before:
            raise UsageError(
                f"Milestones should be increasing integers, but given {milestone} is smaller than the previous "
                f"milestone {before}.",
                expected,
                "sorted(milestones_values)",
            )
