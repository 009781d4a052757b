"""Products, cumulative sums and products along axes; shifts, and differences of neighboring elements."""

from __future__ import annotations

from typing import Any

import numpy as np

from dark.checks import integer
from dark.errors import ShapeError
from dark.nodes import Node, Operation, value_of
from dark.nodes.protocols import implements
from dark.nodes.values import shape_of
from dark.operations.arrays.concatenation import concatenate, index_along
from dark.operations.arrays.indexing import getitem
from dark.operations.arrays.reduction_axes import (
    EXPECTS,
    SAMPLES,
    broadcast_back,
    reduced_axes,
    reduced_size,
    reduction_settings,
)
from dark.operations.arrays.shapes import broadcast_to
from dark.operations.axis_checks import ADVICE, as_integers, input_shape, normalize_axis
from dark.spellings import LAST, axis_of
from dark.typing import ArrayLike, Axis, Shape


def products_of_others(x):
    """Compute for each element the product of all others along the last axis, also where elements are 0.

    >>> products_of_others(np.array([2.0, 0.0, 3.0]))
    array([0., 6., 0.])
    """
    n = x.shape[-1]
    if isinstance(x, Node):  # a copy of the row for each element, which is replaced by 1: (..., n, n)
        return np.prod(np.where(np.eye(n, dtype=bool), 1.0, np.reshape(x, (*x.shape[:-1], 1, n))), axis=-1)
    before, after = np.ones_like(x), np.ones_like(x)
    np.cumprod(x[..., :-1], axis=-1, out=before[..., 1:])
    np.cumprod(x[..., :0:-1], axis=-1, out=after[..., -2::-1])
    return before * after


class Prod(Operation, trusted=True, elementwise=False):
    """Product along axes; the gradient is correct where elements are 0, too."""

    _f = staticmethod(lambda x, axis, keepdims: np.multiply.reduce(x, axis=axis, keepdims=keepdims))

    @staticmethod
    def _vjp(dldy, y, x, axis, keepdims):
        shape = np.shape(x)
        if not shape:
            return dldy
        dldy = broadcast_back(dldy, shape, axis, keepdims)
        if isinstance(x, Node) and np.all(value_of(y) != 0) and np.all(np.isfinite(value_of(y))):
            return dldy * broadcast_back(y, shape, axis, keepdims) / x
        last = reduced_axes(shape, axis)
        order = (*[k for k in range(len(shape)) if k not in last], *last)
        rows = np.transpose(x, order)
        others = products_of_others(np.reshape(rows, (*rows.shape[: -len(last) or None], reduced_size(shape, axis))))
        return dldy * np.transpose(np.reshape(others, rows.shape), np.argsort(order))

    _df = (_vjp,)

    expects, advice = EXPECTS, ADVICE
    samples = (*SAMPLES, (((0, 3),), {"axis": 0, "keepdims": False}))


class CumSum(Operation, trusted=True, elementwise=False):
    """Cumulative sum along an axis; of the flattened array if `axis` is None."""

    _f = staticmethod(lambda x, axis: np.cumsum(x, axis=axis))

    @staticmethod
    def _vjp(dldy, y, x, axis):
        axis = 0 if axis is None else axis
        return np.reshape(np.flip(np.cumsum(np.flip(dldy, axis), axis=axis), axis), np.shape(x))

    _df = (_vjp,)

    expects, advice = "an axis of the array", ADVICE
    samples = (
        (((2, 3),), {"axis": None}), (((2, 3),), {"axis": 0}), (((2, 3, 2),), {"axis": -2}), (((4,),), {"axis": -1}),
        (((),), {"axis": None}), (((0, 3),), {"axis": 0}), (((0,),), {"axis": None}),
    )  # fmt: skip


class CumProd(Operation, trusted=True, elementwise=False):
    """Cumulative product along an axis; the gradient is correct where elements are 0, too."""

    _f = staticmethod(lambda x, axis: np.cumprod(x, axis=axis))

    @staticmethod
    def _vjp(dldy, y, x, axis):
        shape = np.shape(x)
        if axis is None:
            x, axis = np.reshape(x, -1), 0
        if _is_divisible(value_of(y)):
            sums = np.flip(np.cumsum(np.flip(dldy * y, axis), axis=axis), axis)
            return np.reshape(sums / x, shape)
        dldy, y, x = [np.moveaxis(v, axis, 0) for v in (dldy, y, x)]
        after = [dldy[-1]]  # the sum of later gradients, each times the elements in between
        for k in range(len(x) - 1, 0, -1):
            after.append(dldy[k - 1] + x[k] * after[-1])
        before = np.concatenate([np.ones_like(y[:1]), y[:-1]])
        return np.reshape(np.moveaxis(before * np.stack(after[::-1]), 0, axis), shape)

    _df = (_vjp,)

    expects, advice, samples = "an axis of the array", ADVICE, CumSum.samples


def _is_divisible(y):
    """Return whether a product can be divided by its factors: it neither is 0 nor has lost digits or overflowed."""
    size = np.abs(y)
    return bool(np.all((size > np.finfo(y.dtype).tiny) & (size < np.inf)))


@implements(np.prod)
def prod(x: ArrayLike, axis: Axis = None, keepdims: bool = False, **pytorch: Any) -> Node:
    """Compute the product along axes.

    Parameters are those of `sum`. The derivative with respect to an element is the product of the others,
    computed without a division: it is correct where elements are 0, and to any order.

    >>> prod(np.array([2.0, 3.0, 4.0])).value
    24.0
    """
    return Prod.apply(x, **reduction_settings("prod", x, axis, keepdims, pytorch))


@implements(np.cumsum)
def cumsum(x: ArrayLike, axis: int | None = None, **pytorch: Any) -> Node:
    """Compute the cumulative sum along an axis, by default of the flattened array.

    >>> cumsum(np.array([1.0, 2.0, 3.0])).value
    array([1., 3., 6.])
    """
    if pytorch:
        axis, _ = axis_of("cumsum", pytorch, axis)
    return CumSum.apply(x, axis=None if axis is None else normalize_axis(axis, input_shape(x, "cumsum"), "cumsum"))


@implements(np.cumprod)
def cumprod(x: ArrayLike, axis: int | None = None, **pytorch: Any) -> Node:
    """Compute the cumulative product along an axis, by default of the flattened array.

    The derivatives are correct where elements are 0, too, and to any order.

    >>> cumprod(np.array([1.0, 2.0, 3.0])).value
    array([1., 2., 6.])
    """
    if pytorch:
        axis, _ = axis_of("cumprod", pytorch, axis)
    return CumProd.apply(x, axis=None if axis is None else normalize_axis(axis, input_shape(x, "cumprod"), "cumprod"))


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
        raise ShapeError(
            f"roll: shift and axis must have equal lengths, got {len(shifts)} and {len(axes)}.",
            Roll.expects + ".",
            Roll.advice,
        )
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
