"""Padding, repeating and tiling."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dark.checks import describe
from dark.errors import ShapeError, UsageError, ValueTypeError
from dark.nodes import Node, Operation
from dark.nodes.protocols import implements
from dark.nodes.values import as_array
from dark.operations.arrays.indexing import index_into, scatter
from dark.operations.arrays.shapes import reshape
from dark.operations.axis_checks import as_integers, input_shape, normalize_axis, number
from dark.spellings import keywords_checked
from dark.typing import ArrayLike


class Pad(Operation, trusted=True, elementwise=False):
    """Padding with a constant."""

    _f = staticmethod(lambda x, pad_width, constant_values: np.pad(x, pad_width, constant_values=constant_values))

    @staticmethod
    def _vjp(dldy, y, x, pad_width, constant_values):
        shape = np.shape(x)
        before = np.broadcast_to(pad_width, (len(shape), 2))[:, 0].tolist()
        return index_into(dldy, tuple([slice(k, k + n) for k, n in zip(before, shape)]))

    _df = (_vjp,)

    expects = "non-negative widths: one, (before, after), or such a pair for each axis"
    advice = "x[1:-1] removes a border."
    samples = (
        (((2, 3),), {"pad_width": 1, "constant_values": 0.0}),
        (((2, 3),), {"pad_width": (0, 2), "constant_values": -1.5}),
        (((2, 3),), {"pad_width": ((1, 0), (2, 3)), "constant_values": 0.0}),
        (((3,),), {"pad_width": ((0, 0),), "constant_values": 2.0}),
        (((0, 2),), {"pad_width": 1, "constant_values": 0.0}),
    )


class Repeat(Operation, trusted=True, elementwise=False):
    """Repetition of each slice along an axis."""

    _f = staticmethod(lambda x, repeats, axis: np.repeat(x, repeats, axis))

    @staticmethod
    def _vjp(dldy, y, x, repeats, axis):
        shape = np.shape(x)
        axis %= len(shape)
        if isinstance(repeats, int):
            rows = np.reshape(dldy, (*shape[: axis + 1], repeats, *shape[axis + 1 :]))
            return np.sum(rows, axis=axis + 1)
        return scatter(dldy, (slice(None),) * axis + (np.repeat(np.arange(shape[axis]), repeats),), shape)

    _df = (_vjp,)

    expects = "non-negative repeats: one, or one for each slice along the axis"
    advice = "compare the number of repeats with the length of the axis."
    samples = (
        (((2, 3),), {"repeats": 2, "axis": 0}), (((2, 3),), {"repeats": 3, "axis": -1}),
        (((2, 3),), {"repeats": (2, 0, 1), "axis": 1}), (((3,),), {"repeats": 0, "axis": 0}),
        (((0, 2),), {"repeats": 2, "axis": 0}),
    )  # fmt: skip


class Tile(Operation, trusted=True, elementwise=False):
    """Repetition of the whole array along axes."""

    _f = staticmethod(lambda x, reps: np.tile(x, reps))

    @staticmethod
    def _vjp(dldy, y, x, reps):
        """Sum over the copies: split each axis into copies and elements."""
        ndim = max(np.ndim(x), len(reps))
        lengths, counts = ((1,) * (ndim - len(t)) + tuple(t) for t in (np.shape(x), reps))
        pairs = [n for pair in zip(counts, lengths) for n in pair]
        return np.reshape(np.sum(np.reshape(dldy, tuple(pairs)), axis=tuple(range(0, 2 * ndim, 2))), np.shape(x))

    _df = (_vjp,)

    expects, advice = "non-negative repetitions, one for each axis", "reps=(rows, columns) tiles a matrix."
    samples = (
        (((2, 3),), {"reps": (2, 2)}), (((2, 3),), {"reps": (2,)}), (((3,),), {"reps": (2, 2)}),
        (((2, 3),), {"reps": (0, 1)}), (((),), {"reps": (3,)}), (((0, 2),), {"reps": (2, 1)}),
    )  # fmt: skip


@implements(np.pad)
@keywords_checked
def pad(x: ArrayLike, pad_width: Any, mode: str = "constant", constant_values: float = 0.0) -> Node:
    """Pad an array with a constant.

    Parameters
    ----------
    pad_width : int, (before, after), or such a pair for each axis
    mode : "constant"
        No other mode is supported.
    constant_values : float, default 0
        Not differentiable.

    Examples
    --------
    >>> pad(np.array([1.0, 2.0]), (0, 1)).value
    array([1., 2., 0.])
    """
    if mode != "constant":
        raise UsageError(
            f"pad: mode {mode!r} is not supported.", "mode 'constant'.", "x[[0, 0, 1, 2, 2]] repeats the border."
        )
    constant_values = number(constant_values, "pad", "constant_values", nan=True)
    return Pad.apply(x, pad_width=_pad_widths(pad_width, input_shape(x, "pad")), constant_values=constant_values)


def _pad_widths(pad_width, shape):
    """Return the widths before and after each axis."""
    widths = as_array(pad_width, "pad", "pad_width")
    try:
        width = np.broadcast_to(widths, (len(shape), 2))
        if not shape or width.min() < 0 or width.max() >= 2**62:  # their sums must fit into 64 bits
            raise ValueError
    except (TypeError, ValueError):  # anything without a minimum
        raise ShapeError(f"pad: invalid widths {pad_width} for shape {shape}.", Pad.expects + ".", Pad.advice) from None
    if width.dtype.kind not in "iu":
        raise ValueTypeError(
            f"pad: pad_width must be integers, got {describe(pad_width)}.", "integers.", "int(...), or //."
        )
    return tuple(map(tuple, width.tolist()))


@implements(np.repeat)
def repeat(x: ArrayLike, repeats: int | Sequence[int], axis: int | None = None) -> Node:
    """Repeat each slice along an axis, by default each element of the flattened array.

    `repeats` is the number of repetitions, or one number for each slice.

    >>> repeat(np.array([1.0, 2.0]), 2).value
    array([1., 1., 2., 2.])
    """
    x, axis = (reshape(x, -1), 0) if axis is None else (x, normalize_axis(axis, input_shape(x, "repeat"), "repeat"))
    counts = as_integers(repeats, "repeat", "repeats")
    return Repeat.apply(x, repeats=counts[0] if len(counts) == 1 else counts, axis=axis)


@implements(np.tile)
def tile(x: ArrayLike, reps: int | Sequence[int]) -> Node:
    """Repeat the whole array along axes; `reps` holds the number of repetitions along each, aligned at the right.

    >>> tile(np.array([1.0, 2.0]), 2).value
    array([1., 2., 1., 2.])
    """
    counts = as_integers(reps, "tile", "reps")
    if min(counts, default=0) < 0:
        raise ShapeError(f"tile: reps must not be negative, got {counts}.", Tile.expects, Tile.advice)
    return Tile.apply(x, reps=counts)
