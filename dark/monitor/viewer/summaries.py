"""Statistics of a tensor, and the range and the histograms of a series over its steps."""

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from dark.errors import StorageError
from dark.monitor.summary import is_histogram

BINS = 40
MOST_ELEMENTS = 50_000_000  # a series with more is summarized from the steps of the histograms alone


def statistics_of(array: np.ndarray) -> dict[str, float | int | None]:
    """Return extremes, mean and standard deviation of the finite values, and how many are not finite."""
    finite = finite_values(array)
    nan = int(np.isnan(array).sum()) if array.dtype.kind == "f" else 0
    found: dict[str, float | int | None] = dict.fromkeys(("low", "high", "mean", "std"))
    if finite.size:
        values = finite.min(), finite.max(), finite.mean(dtype=np.float64), finite.std(dtype=np.float64)
        found = dict(zip(found, map(float, values), strict=True))
    return found | {"nan": nan, "infinite": array.size - finite.size - nan}


def finite_values(array: np.ndarray) -> np.ndarray:
    """Return the finite values of an array, of shape (n,); bools as 0 and 1."""
    values = np.asarray(array).ravel()
    if values.dtype.kind == "b":
        return values.astype(np.uint8)
    return values[np.isfinite(values)] if values.dtype.kind == "f" else values


def evenly(count: int, most: int) -> np.ndarray:
    """Return at most `most` indices below `count`, evenly spread; the last one is among them."""
    if count <= most:
        return np.arange(count)
    return np.unique(np.linspace(count - 1, 0, most).round().astype(np.int64))


def linear_below(low: float, high: float) -> float:
    """Return the magnitude below which the symmetric logarithm is nearly linear, a power of ten, as the page does."""
    largest = max(abs(low), abs(high))
    return 10.0 ** math.floor(math.log10(largest / 1000)) if largest > 0 else 1.0


def edges_of(low: float, high: float, log: bool, bins: int = BINS) -> np.ndarray:
    """Return the edges of the bins, equally wide, or equally wide in the symmetric logarithm."""
    if low == high:
        room = abs(low) / 2 or 0.5
        low, high = low - room, high + room
    if not log:
        return np.linspace(low, high, bins + 1)
    threshold = linear_below(low, high)
    first, last = np.arcsinh(np.array([low, high]) / threshold).tolist()
    edges = threshold * np.sinh(np.linspace(first, last, bins + 1))
    edges[[0, -1]] = low, high  # exactly, so that no value is outside
    return edges


def readable(series: Any, indices: np.ndarray) -> Iterator[tuple[int, np.ndarray]]:
    """Yield the numbers of some records of a series, counted from 0, and the records; damaged ones are left out."""
    for row, index in enumerate(indices.tolist()):
        try:
            yield row, np.asarray(series[index])
        except StorageError:
            continue


def range_of(
    series: Any, indices: np.ndarray, values_of: Callable[[np.ndarray], np.ndarray] = np.asarray
) -> tuple[float, float] | None:
    """Return the extremes of the finite values at some steps of a series; None if no value is finite."""
    low, high = np.inf, -np.inf
    for _, array in readable(series, indices):
        values = finite_values(values_of(array))
        if values.size:
            low, high = min(low, float(values.min())), max(high, float(values.max()))
    return (low, high) if low <= high else None


def ends_of(histogram: np.ndarray) -> np.ndarray:
    """Return the extremes of the values of a histogram."""
    return np.asarray(histogram[0, [0, -1]])


def rebinned(histogram: np.ndarray, edges: np.ndarray) -> tuple[np.ndarray, int]:
    """Return the counts of a histogram in other bins, as if its values were evenly spread, and how many are not finite.

    >>> counts, missing = rebinned(np.array([[0.0, 1.0, 2.0], [8.0, 4.0, 1.0]]), np.array([0.0, 0.5, 1.5, 2.0]))
    >>> counts.tolist(), missing
    ([4, 6, 2], 1)
    """
    old, counts = histogram.astype(np.float64)
    missing = int(counts[-1])
    if old[0] == old[-1]:
        return np.histogram(old[:1], edges)[0] * int(counts[:-1].sum()), missing
    if not np.isfinite(old).all():
        return np.zeros(len(edges) - 1, np.int64), missing
    below = np.interp(edges, old, np.concatenate([[0], np.cumsum(counts[:-1])]))
    return np.diff(np.round(below)).astype(np.int64), missing


def summary_of(series: Any, log: bool, columns: int, name: str = "") -> tuple[dict[str, Any], list[np.ndarray]]:
    """Return the range of a series over its steps, and a histogram of its values at some of them, or those it has.

    If `log`, the bins are equally wide in the symmetric logarithm. The header has `low` and `high` (None without finite
    values), `taken` and `of` (numbers of steps) and `missing`; the arrays are steps of shape (taken,), counts of shape
    (taken, bins) and edges of shape (bins + 1,).
    """
    taken = evenly(len(series), columns)
    size = math.prod(series.shape)
    has_histograms = is_histogram(name, tuple(series.shape))
    looked_at = np.arange(len(series)) if size * len(series) <= MOST_ELEMENTS else taken
    extremes = range_of(series, looked_at, ends_of if has_histograms else np.asarray)
    low, high = extremes or (0.0, 1.0)
    edges = edges_of(low, high, log)
    counts = np.zeros((len(taken), BINS), np.uint32)
    missing = 0
    for row, array in readable(series, taken):
        if has_histograms:
            counts[row], others = rebinned(array, edges)
            missing += others
            continue
        values = finite_values(array)
        counts[row] = np.histogram(values, edges)[0]
        missing += array.size - values.size
    found = dict(zip(("low", "high"), extremes or (None, None), strict=True))
    header = found | {"taken": len(taken), "of": len(series), "missing": missing}
    return header, [np.asarray(series.steps, np.float64)[taken], counts, edges]
