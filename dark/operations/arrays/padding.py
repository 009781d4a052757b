"""More of the same numbers: repeated one by one, tiled as a whole, surrounded by a constant."""

import numpy as np

from dark.checks import describe
from dark.errors import ShapeError, UsageError, ValueTypeError
from dark.nodes import Operation
from dark.nodes.protocols import implements
from dark.nodes.values import shape_of
from dark.operations.arrays.indexing import scattered, taken
from dark.operations.arrays.shapes import reshape
from dark.operations.axis_checks import as_integers, normalize_axis, number


class Pad(Operation, trusted=True, elementwise=False):
    """The array with a constant around it."""

    expects = "counts that are not negative: one, (before, after), or such a pair for each axis"
    advice = "x[1:-1] takes a border away."
    samples = (
        (((2, 3),), {"pad_width": 1, "constant_values": 0.0}),
        (((2, 3),), {"pad_width": (0, 2), "constant_values": -1.5}),
        (((2, 3),), {"pad_width": ((1, 0), (2, 3)), "constant_values": 0.0}),
        (((3,),), {"pad_width": ((0, 0),), "constant_values": 2.0}),
        (((0, 2),), {"pad_width": 1, "constant_values": 0.0}),
    )

    @staticmethod
    def _f(x, pad_width, constant_values):
        return np.pad(x, pad_width, constant_values=constant_values)

    def _vjp(dldy, y, x, pad_width, constant_values):
        shape = np.shape(x)
        before = np.broadcast_to(pad_width, (len(shape), 2))[:, 0].tolist()
        return taken(dldy, tuple([slice(k, k + n) for k, n in zip(before, shape)]))

    _df = (_vjp,)


class Repeat(Operation, trusted=True, elementwise=False):
    """Each slice along an axis several times, one after another."""

    expects = "a count, or one for each slice along the axis, none negative"
    advice = "compare the number of counts with the length of the axis."
    samples = (
        (((2, 3),), {"repeats": 2, "axis": 0}), (((2, 3),), {"repeats": 3, "axis": -1}),
        (((2, 3),), {"repeats": (2, 0, 1), "axis": 1}), (((3,),), {"repeats": 0, "axis": 0}),
        (((0, 2),), {"repeats": 2, "axis": 0}),
    )  # fmt: skip

    @staticmethod
    def _f(x, repeats, axis):
        return np.repeat(x, repeats, axis)

    def _vjp(dldy, y, x, repeats, axis):
        shape = np.shape(x)
        axis %= len(shape)
        if isinstance(repeats, int):
            rows = np.reshape(dldy, (*shape[: axis + 1], repeats, *shape[axis + 1 :]))
            return np.sum(rows, axis=axis + 1)
        return scattered(dldy, (slice(None),) * axis + (np.repeat(np.arange(shape[axis]), repeats),), shape)

    _df = (_vjp,)


class Tile(Operation, trusted=True, elementwise=False):
    """The whole array several times along each axis."""

    expects = "counts that are not negative, one for each axis"
    advice = "give (rows, columns) to tile a matrix."
    samples = (
        (((2, 3),), {"reps": (2, 2)}), (((2, 3),), {"reps": (2,)}), (((3,),), {"reps": (2, 2)}),
        (((2, 3),), {"reps": (0, 1)}), (((),), {"reps": (3,)}), (((0, 2),), {"reps": (2, 1)}),
    )  # fmt: skip

    @staticmethod
    def _f(x, reps):
        return np.tile(x, reps)

    def _vjp(dldy, y, x, reps):
        """Sum over the copies: give each axis another before it that counts them."""
        ndim = max(np.ndim(x), len(reps))
        lengths, counts = ((1,) * (ndim - len(t)) + tuple(t) for t in (np.shape(x), reps))
        pairs = [n for pair in zip(counts, lengths) for n in pair]
        return np.reshape(np.sum(np.reshape(dldy, tuple(pairs)), axis=tuple(range(0, 2 * ndim, 2))), np.shape(x))

    _df = (_vjp,)


@implements(np.pad)
def pad(x, pad_width, mode="constant", constant_values=0.0):
    """Surround an array with a constant.

    Parameters
    ----------
    x : Node or array
        Any shape.
    pad_width : int, (before, after), or such a pair for each axis
        How many places to add at the ends of the axes.
    mode : "constant"
        The one that is supported.
    constant_values : float, default 0
        The number in the new places; it takes no gradient.

    Returns
    -------
    Node

    Raises
    ------
    ShapeError
        If a count is negative, or there are not as many pairs as axes.
    UsageError
        If `mode` is another one.
    ValueTypeError
        If a count is no integer, or the constant no number.

    Examples
    --------
    >>> import numpy as np
    >>> pad(np.array([1.0, 2.0]), (0, 1)).value
    array([1., 2., 0.])
    """
    if mode != "constant":
        raise UsageError(
            f"pad: mode {mode!r} is not supported.",
            "mode 'constant'.",
            "take the border with an index array, x[[0, 0, 1, 2, 2]], which repeats it.",
        )
    constant_values = number(constant_values, "pad", "constant_values")
    return Pad.apply(x, pad_width=_pairs(pad_width, shape_of(x)), constant_values=constant_values)


def _pairs(pad_width, shape):
    """Write out how many places are added before and after each axis."""
    try:
        width = np.broadcast_to(pad_width, (len(shape), 2))
        if not shape or width.min() < 0:
            raise ValueError
    except (TypeError, ValueError):  # what is no number has no smallest
        raise ShapeError(f"pad: widths {pad_width} for shape {shape}.", Pad.expects + ".", Pad.advice) from None
    if width.dtype.kind not in "iu":
        raise ValueTypeError(f"pad: {describe(pad_width)} as widths.", "integers.", "int(...), or //.")
    return tuple(map(tuple, width.tolist()))


@implements(np.repeat)
def repeat(x, repeats, axis=None):
    """Repeat each slice along an axis.

    Parameters
    ----------
    x : Node, float or array
        Any shape.
    repeats : int or sequence of int
        How often each; or a count for each slice.
    axis : int, optional
        Along which axis; if not given, of all numbers in one row.

    Returns
    -------
    Node

    Raises
    ------
    ShapeError
        If the counts do not fit the length, one is negative, or there is no such axis.

    Examples
    --------
    >>> import numpy as np
    >>> repeat(np.array([1.0, 2.0]), 2).value
    array([1., 1., 2., 2.])
    """
    x, axis = (reshape(x, -1), 0) if axis is None else (x, normalize_axis(axis, shape_of(x), "repeat"))
    counts = as_integers(repeats, "repeat", "repeats")
    return Repeat.apply(x, repeats=counts[0] if len(counts) == 1 else counts, axis=axis)


@implements(np.tile)
def tile(x, reps):
    """Lay copies of the whole array side by side.

    Parameters
    ----------
    x : Node, float or array
        Any shape.
    reps : int or tuple of int
        How many along each axis, counted from the right.

    Returns
    -------
    Node

    Raises
    ------
    ShapeError
        If a count is negative.

    Examples
    --------
    >>> import numpy as np
    >>> tile(np.array([1.0, 2.0]), 2).value
    array([1., 2., 1., 2.])
    """
    reps = as_integers(reps, "tile", "reps")
    if min(reps, default=0) < 0:
        raise ShapeError(f"tile: a count of {reps} is negative.", Tile.expects, Tile.advice)
    return Tile.apply(x, reps=reps)
