"""Elements shifted along axes, and differences of neighboring elements."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dark.checks import integer
from dark.errors import ShapeError
from dark.nodes import Node, Operation
from dark.nodes.protocols import implements
from dark.nodes.values import shape_of
from dark.operations.arrays.concatenation import concatenate, index_along
from dark.operations.arrays.indexing import getitem
from dark.operations.arrays.shapes import broadcast_to
from dark.operations.axis_checks import as_integers, input_shape, normalize_axis
from dark.spellings import LAST, axis_of

if TYPE_CHECKING:
    from dark.typing import ArrayLike, Axis, Shape


class Roll(Operation, trusted=True, elementwise=False):
    """Circular shift along axes; of the flattened array if `axis` is None."""

    _f = staticmethod(lambda x, shift, axis: np.roll(x, shift, axis))
    _df = (lambda dldy, y, x, shift, axis: np.roll(dldy, tuple([-n for n in shift]), axis),)

    expects, advice = "one shift for each axis", "shift=(1, -1), axis=(0, 1) shifts along both axes."
    samples = (
        (((4,),), {"shift": (1,), "axis": (0,)}), (((2, 3),), {"shift": (-2,), "axis": None}),
        (((2, 3),), {"shift": (1, 2), "axis": (0, -1)}), (((2, 3, 2),), {"shift": (4,), "axis": (1,)}),
        (((0, 3),), {"shift": (1,), "axis": (1,)}), (((3,),), {"shift": (1, 1), "axis": (0, 0)}),
        (((),), {"shift": (1,), "axis": None}),
    )  # fmt: skip


@implements(np.roll)
def roll(x: ArrayLike, shift: int | Shape | None = None, axis: Axis = None, **pytorch: Any) -> Node:
    """Shift elements along axes; those that leave at one end enter at the other.

    Parameters
    ----------
    shift : int or tuple of int
        The number of positions, to higher indices if positive.
    axis : int or tuple of int, optional
        By default the flattened array is shifted. One shift may serve several axes; shifts along an axis that is
        repeated add up.

    Examples
    --------
    >>> roll(np.array([1.0, 2.0, 3.0]), 1).value
    array([3., 1., 2.])
    """
    if pytorch:
        axis, _ = axis_of("roll", pytorch, axis)
    shape, shifts = input_shape(x, "roll"), as_integers(shift, "roll", "shift")
    if axis is None:
        return Roll.apply(x, shift=(sum(shifts),), axis=None)
    axes = tuple([normalize_axis(k, shape, "roll") for k in as_integers(axis, "roll", "axis")])
    if len(shifts) != len(axes) and 1 not in (len(shifts), len(axes)):
        raise ShapeError(f"roll: {len(shifts)} shifts, but {len(axes)} axes.", Roll.expects + ".", Roll.advice)
    shifts, axes = shifts * len(axes) if len(shifts) == 1 else shifts, axes * len(shifts) if len(axes) == 1 else axes
    return Roll.apply(x, shift=shifts, axis=axes)


@implements(np.diff)
def diff(
    x: ArrayLike, n: int = 1, axis: int = LAST, prepend: ArrayLike | None = None, append: ArrayLike | None = None,
    **pytorch: Any,
) -> Node:  # fmt: skip
    """Compute the n-th differences of neighboring elements along an axis: ``x[1:] - x[:-1]``.

    Parameters
    ----------
    n : int, default 1
        How often differences are taken; each time the axis is one element shorter.
    axis : int, default -1
    prepend, append : Node, float or array, optional
        Values before and after `x` along the axis; a scalar is one value for each row.

    Examples
    --------
    >>> diff(np.array([1.0, 4.0, 9.0])).value, diff(np.array([1.0, 4.0, 9.0]), n=2).value
    (array([3., 5.]), array([2.]))
    """
    if pytorch:
        axis, _ = axis_of("diff", pytorch, axis)
    n, axis = integer(n, "diff", "n", 0), normalize_axis(axis, input_shape(x, "diff"), "diff")
    if not n:
        return getitem(x, ...)
    row = tuple([1 if k == axis else length for k, length in enumerate(shape_of(x))])
    ends = [v if v is None or shape_of(v) else broadcast_to(v, row) for v in (prepend, append)]
    parts = [v for v in (ends[0], x, ends[1]) if v is not None]
    y: Any = concatenate(parts, axis) if len(parts) > 1 else x
    for _ in range(min(n, y.shape[axis])):  # then nothing is left
        y = getitem(y, index_along(axis, slice(1, None))) - getitem(y, index_along(axis, slice(None, -1)))
    return y
