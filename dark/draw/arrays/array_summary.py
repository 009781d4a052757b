"""Summaries of arrays (shape, dtype, minimum, mean, maximum, NaN count, a coarse grid of cells), and arrays as text."""

from dataclasses import dataclass

import numpy as np

from dark.draw.labels import shape_of, value_in, value_text

SMALL = 6  # arrays up to this size show their numbers
MOST_CELLS = 16  # along each axis of a grid
NUMBERS_PER_LINE = 4


@dataclass(frozen=True)
class Summary:
    """The summary of an array in a picture: a snapshot, which does not change with the array.

    Minimum, mean, maximum and sum ignore NaN, and are None for an array without numbers; of complex arrays they are
    those of the magnitudes, and there is no sum. Up to six elements are `numbers`, in row-major order. A larger array
    of one or two axes has at most 16 rows of at most 16 `cells`, each from -1 to 1, infinite, or NaN: magnitudes are
    scaled linearly from the smallest to the largest, or from 0 if both signs occur; the sign is the elements'.
    """

    shape: tuple[int, ...]
    dtype: str
    low: float | None = None
    mean: float | None = None
    high: float | None = None
    total: float | None = None
    nans: int = 0
    infinite: int = 0
    numbers: tuple[complex, ...] = ()
    cells: tuple[tuple[float, ...], ...] = ()


def summarize(value, cells=True):
    """Return the `Summary` of an array or of a node that holds one, and any other value unchanged.

    A 0-d array becomes a scalar, a snapshot of it; -0.0 becomes 0.0. Without `cells` it has no heat map.
    """
    array = value_in(value)  # a gradient may be a node itself
    if isinstance(array, float) and array == 0:
        return 0.0
    if isinstance(array, Summary) or not shape_of(array):
        return value[()] if isinstance(value, np.ndarray) else value
    try:
        if isinstance(array, np.ma.MaskedArray) and array.dtype.kind in "fiub":
            array = np.ma.filled(array.astype(float), np.nan)
        array = np.asarray(array)
    except Exception:  # an array of another library may fail in any way; its shape has to do
        return value
    return summary_of(array, cells) if array.ndim else value


def summary_of(array, cells=True):
    """Return the `Summary` of an array of at least one axis, with the cells of a heat map or without."""
    known = {"shape": tuple(array.shape), "dtype": array.dtype.name}
    if array.dtype.kind not in "fiubc" or array.size == 0:
        return Summary(**known)
    small, is_complex = array.size <= SMALL, array.dtype.kind == "c"
    known["numbers"] = tuple(map(complex if is_complex else float, array.ravel())) if small else ()
    with np.errstate(all="ignore"):
        array = np.abs(array) if is_complex else array
        there = ~np.isnan(array)
        known["nans"] = array.size - int(there.sum())
        known["infinite"] = int(np.isinf(array).sum())
        known["cells"] = _cells(np.atleast_2d(array)) if cells and array.ndim <= 2 and not small else ()
        if known["nans"] == array.size:
            return Summary(**known)
        low, high = (float(f.reduce(array, axis=None)) for f in (np.fmin, np.fmax))
        total = float(array.sum(dtype=float, where=there))
    mean = total / (array.size - known["nans"])
    return Summary(**known, low=low, mean=mean, high=high, total=None if is_complex else total)


def _cells(array):
    """Average a matrix over blocks, to at most 16 x 16 cells; a NaN or infinite element makes its cell so."""
    finite = np.isfinite(array)
    largest = np.abs(array, dtype=float).max(initial=0, where=finite) or 1.0
    means = _scaled(_block_means(np.clip(array.astype(float) / largest, -1, 1)))  # infinity counts as the largest
    if not finite.all():
        means = np.where(np.isnan(means) | (_block_means(np.isinf(array)) == 0), means, np.copysign(np.inf, means))
    return tuple(tuple(map(float, row)) for row in means.round(4))


def _block_means(array):
    rows, columns = (np.linspace(0, n, min(n, MOST_CELLS) + 1).astype(int) for n in array.shape)
    sums = np.add.reduceat(np.add.reduceat(array.astype(float), rows[:-1], axis=0), columns[:-1], axis=1)
    return sums / np.diff(rows)[:, None] / np.diff(columns)


def _scaled(cells):
    """Scale the magnitudes of cells to [0, 1]; see `Summary`."""
    low, high = np.fmin.reduce(cells, axis=None), np.fmax.reduce(cells, axis=None)
    sign = np.where(cells < 0, -1.0, 1.0)  # kept for a magnitude of 0, too: the cell of -1 in -1 … -9
    if low < 0 < high:
        return sign * (np.abs(cells) / max(-low, high))
    least, most = (low, high) if low >= 0 else (-high, -low)
    if least == most:
        return cells * 0 + (0.5 * sign if least else 0.0)
    return sign * ((np.abs(cells) - least) / (most - least))


def shape_text(value):
    """Format the dtype and the shape of an array."""
    return f"{value.dtype} {value.shape}"


def short(number):
    """Format a number with three significant digits; an integral one of up to six digits exactly."""
    if isinstance(number, complex):
        return f"{number:.3g}"
    if abs(number) < 10**6 and number == int(number):
        return str(int(number))
    return f"{number:.3g}"


def summary_lines(summary):
    """Format a summary as lines: the numbers of a small array, else minimum, mean and maximum."""
    if summary.numbers:
        return _rows(summary)
    of = "|z| " if summary.dtype.startswith("complex") else ""
    words = [] if summary.low is None else [
        f"{word} {of}{short(number)}"
        for word, number in (("min", summary.low), ("mean", summary.mean), ("max", summary.high))
    ]  # fmt: skip
    if summary.infinite:
        words.append(f"{summary.infinite} infinite")
    if summary.nans:
        words.append(f"{summary.nans} NaN" + ("" if words else ", no numbers"))
    if 0 in summary.shape:
        words.append("empty")
    return tuple(words)


def caption_text(value):
    """Format a value for a caption: an array by its numbers, or by its shape and its sum."""
    value = summarize(value)
    if not isinstance(value, Summary):
        return value_text(value)
    if value.numbers:
        return " ".join(_rows(value))
    if value.total is None:
        return " ".join((str(value.shape), *summary_lines(value)))
    nans = f" and {value.nans} NaN" if value.nans else ""
    return f"{value.shape} sum {short(value.total)}{nans}"


def alt_text_of(value):
    """Format a value for an alternative text."""
    value = summarize(value)
    if not isinstance(value, Summary):
        return value_text(value)
    lines = summary_lines(value)
    words = " ".join(lines) if value.numbers or 0 in value.shape else f"with {', '.join(lines)}" if lines else ""
    return f"{shape_text(value)} {words}".rstrip()


def _rows(summary):
    """Format the numbers row by row; many short rows, and long ones, in lines of three."""
    texts, last = [short(number) for number in summary.numbers], summary.shape[-1]
    if last > NUMBERS_PER_LINE or len(texts) // last > NUMBERS_PER_LINE:
        lines = [" ".join(texts[k : k + 3]) for k in range(0, len(texts), 3)]
        return ("[" + lines[0], *lines[1:-1], lines[-1] + "]")
    return tuple(f"[{' '.join(texts[k : k + last])}]" for k in range(0, len(texts), last))
