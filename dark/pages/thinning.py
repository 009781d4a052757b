"""Thin out arrays and series that are too large for a page: every k-th element, or as many records as fit."""

import math


def strides_within(shape: tuple[int, ...], most: int) -> list[int]:
    """Return for each axis which elements are kept, so that at most `most` remain; the longest axes are thinned.

    >>> strides_within((4096, 1024), 1_000_000)
    [4, 2]
    """
    strides = [1] * len(shape)
    left = list(shape)
    while math.prod(left) > most:
        axis = min(range(len(shape)), key=lambda k: (-left[k], strides[k]))
        strides[axis] *= 2
        left[axis] = -(-shape[axis] // strides[axis])
    return strides


def thinned_text(strides: list[int]) -> str:
    """Return in words which elements are shown; an empty string if all are."""
    thinned = [f"every {stride}th along axis {axis}" for axis, stride in enumerate(strides) if stride > 1]
    return "shown: " + ", ".join(thinned).replace("2th", "2nd") if thinned else ""


def records_within(costs: list[tuple[float, int]], most_bytes: float) -> int:
    """Return how many records of each series fit; `costs` are the bytes of a record and the number of records.

    >>> records_within([(10.0, 5), (1.0, 100)], 60), records_within([(10.0, 5)], 1000)
    (10, 5)
    """
    low, high = 0, max((count for _, count in costs), default=0)
    while low < high:
        middle = (low + high + 1) // 2
        fits = sum(cost * min(count, middle) for cost, count in costs) <= most_bytes
        low, high = (middle, high) if fits else (low, middle - 1)
    return low
