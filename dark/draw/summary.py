"""An array in a few words: shape, type, minimum, mean, maximum, NaN count, and a coarse grid of cells."""

from dataclasses import dataclass

import numpy as np

SMALL = 6  # so many numbers are written out
MOST_CELLS = 16  # along each axis of a grid


@dataclass(frozen=True)
class Summary:
    """What a picture says of an array; it stays as it is when the array changes.

    Parameters
    ----------
    shape : tuple of int
    dtype : str
    low, mean, high, total : float or None
        Minimum, mean, maximum and sum of the numbers that are not NaN; None where there are none.
    nans : int
        How many NaN there are.
    numbers : tuple of float
        All of them, row by row, if there are at most six.
    cells : tuple of tuple of float
        For a larger array of one or two axes: at most 16 rows of at most 16 cells, each between -1 and
        1, or NaN. The size grows from the smallest magnitude to the largest, from 0 where both signs
        occur; the sign is that of the numbers.

    Examples
    --------
    >>> small = summary_of(np.array([1.0, 2.0, 6.0]))
    >>> small.low, small.mean, small.high, small.total, small.numbers
    (1.0, 3.0, 6.0, 9.0, (1.0, 2.0, 6.0))
    """

    shape: tuple[int, ...]
    dtype: str
    low: float | None = None
    mean: float | None = None
    high: float | None = None
    total: float | None = None
    nans: int = 0
    numbers: tuple[float, ...] = ()
    cells: tuple[tuple[float, ...], ...] = ()


def condensed(value):
    """Return the `Summary` of an array, or of a node that holds one; anything else as it is, but -0.0 as 0.0.

    Examples
    --------
    >>> condensed(np.zeros((2, 3))).shape, condensed(3.0), condensed(-0.0)
    ((2, 3), 3.0, 0.0)
    """
    array = getattr(value, "value", value)  # a gradient may be a node itself
    if isinstance(array, float) and array == 0:
        return 0.0
    if isinstance(array, Summary) or not getattr(array, "shape", ()):
        return value
    try:
        array = np.asarray(array)
    except Exception:  # an array of another kind, in any state; its shape has to do
        return value
    return summary_of(array)


def summary_of(array):
    """Summarise an array of at least one axis."""
    known = {"shape": tuple(array.shape), "dtype": str(array.dtype)}
    if array.dtype.kind not in "fiub" or array.size == 0:
        return Summary(**known)
    with np.errstate(all="ignore"):
        there = ~np.isnan(array)
        nans = array.size - int(there.sum())
        small = array.size <= SMALL
        numbers = tuple(float(v) for v in array.ravel()) if small else ()
        cells = _cells(np.atleast_2d(array)) if array.ndim <= 2 and not small else ()
        if nans == array.size:
            return Summary(**known, nans=nans, numbers=numbers, cells=cells)
        low, high = (float(f.reduce(array, axis=None)) for f in (np.fmin, np.fmax))
        total = float(array.sum(dtype=float, where=there))
    return Summary(**known, low=low, mean=total / (array.size - nans), high=high, total=total,
                   nans=nans, numbers=numbers, cells=cells)  # fmt: skip


def _cells(array):
    """Average a matrix down to at most 16 x 16 cells; one NaN makes its whole cell NaN."""
    finite = np.abs(array[np.isfinite(array)], dtype=float)
    largest = finite.max(initial=0) or 1.0
    array = np.clip(array.astype(float) / largest, -1, 1)  # infinite numbers count as the largest
    rows, columns = (_edges(n) for n in array.shape)
    sums = np.add.reduceat(np.add.reduceat(array, rows[:-1], axis=0), columns[:-1], axis=1)
    means = _scaled(sums / np.diff(rows)[:, None] / np.diff(columns))
    return tuple(tuple(map(float, row)) for row in means.round(4))


def _edges(n):
    return np.linspace(0, n, min(n, MOST_CELLS) + 1).astype(int)


def _scaled(cells):
    """Bring the magnitudes of cells between 0 and 1; see `Summary`."""
    low, high = np.fmin.reduce(cells, axis=None), np.fmax.reduce(cells, axis=None)
    sign = np.where(cells < 0, -1.0, 1.0)  # of a magnitude of 0 too: the cell of -1 among -1 … -9
    if low < 0 < high:
        return sign * (np.abs(cells) / max(-low, high))
    least, most = (low, high) if low >= 0 else (-high, -low)
    if least == most:
        return cells * 0 + (0.5 * sign if least else 0.0)
    return sign * ((np.abs(cells) - least) / (most - least))
