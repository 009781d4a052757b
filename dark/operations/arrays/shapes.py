"""Changes of shape: reshape, ravel, expand_dims, squeeze, broadcast_to."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dark.checks import one_of
from dark.errors import ShapeError
from dark.nodes import Node, Operation, unbroadcast
from dark.nodes.protocols import implements
from dark.nodes.values import shape_of
from dark.operations.arrays.axes import transpose
from dark.operations.axis_checks import ADVICE, as_integers, input_shape, normalize_axes, normalize_axis
from dark.spellings import axis_of
from dark.typing import ArrayLike, Axis, Shape


def reshape_gradient(dldy, y, x, **settings):
    """Reshape the gradient to the shape of the input: the rule of every operation that only reshapes."""
    return np.reshape(dldy, np.shape(x))


class Reshape(Operation, trusted=True, elementwise=False):
    """Change of shape, in row-major order."""

    _f = staticmethod(lambda x, shape: np.reshape(x, shape))
    _df = (reshape_gradient,)

    expects, advice = "a shape of the same size; one length may be -1", "compare the products of the lengths."
    samples = (
        (((2, 3),), {"shape": (3, 2)}), (((2, 3),), {"shape": (-1,)}), (((6,),), {"shape": (2, -1)}),
        (((1, 1),), {"shape": ()}), (((0, 3),), {"shape": (3, 0, 2)}), (((),), {"shape": (1, 1)}),
    )  # fmt: skip


class ExpandDims(Operation, trusted=True, elementwise=False):
    """New axes of length 1."""

    _f = staticmethod(lambda x, axis: np.expand_dims(x, axis))
    _df = (reshape_gradient,)

    function_name = "expand_dims"
    expects, advice = "positions in the result", ADVICE
    samples = (
        (((2, 3),), {"axis": 0}), (((2, 3),), {"axis": -1}), (((2,),), {"axis": (0, -1)}), (((),), {"axis": 0}),
        (((0, 2),), {"axis": 1}),
    )  # fmt: skip


class Squeeze(Operation, trusted=True, elementwise=False):
    """Removal of axes of length 1."""

    _f = staticmethod(lambda x, axis: np.squeeze(x, axis))
    _df = (reshape_gradient,)

    expects, advice = "axes of length 1", "print the shape; sum removes a longer axis."
    samples = (
        (((1, 3, 1),), {"axis": None}), (((1, 3, 1),), {"axis": 0}), (((1, 3, 1),), {"axis": -1}),
        (((1, 3, 1),), {"axis": (0, 2)}), (((1, 1),), {"axis": None}), (((0, 1),), {"axis": 1}),
    )  # fmt: skip


class BroadcastTo(Operation, trusted=True, elementwise=False):
    """Broadcast to a shape."""

    _f = staticmethod(lambda x, shape: np.broadcast_to(x, shape))
    _df = (lambda dldy, y, x, shape: unbroadcast(dldy, np.shape(x)),)

    function_name = "broadcast_to"
    expects = "a shape that the input broadcasts to"
    advice = "compare the shapes from the right: each length is equal, or 1."
    samples = (
        (((3,),), {"shape": (2, 3)}), (((2, 1),), {"shape": (4, 2, 3)}), (((),), {"shape": (2, 2)}),
        (((2, 3),), {"shape": (2, 3)}), (((1, 2),), {"shape": (0, 2)}),
    )  # fmt: skip


@implements(np.reshape)
def reshape(x: ArrayLike, shape: int | Shape) -> Node:
    """Change the shape; one length may be -1, which is inferred.

    >>> reshape(np.arange(6.0), (2, 3)).shape
    (2, 3)
    """
    lengths = as_integers(shape, "reshape", "shape")
    if not shape_of(x) and (math.prod(lengths) not in (1, -1) or lengths.count(-1) > 1):
        raise ShapeError(
            f"reshape: cannot reshape a scalar to shape {lengths}.", Reshape.expects, "broadcast_to repeats it."
        )
    return Reshape.apply(x, shape=lengths)


@implements(np.ravel)
def ravel(x: ArrayLike, order: str = "C") -> Node:
    """Flatten to one dimension: row by row with order "C", column by column with "F".

    >>> ravel(np.array([[1.0, 2.0], [3.0, 4.0]]), order="F").value
    array([1., 3., 2., 4.])
    """
    by_columns = one_of(order, "ravel", "order", ("C", "F")) == "F"
    return reshape(transpose(x) if by_columns else x, -1)


@implements(np.ndarray.flatten)
def flatten(x: ArrayLike, start_dim: int = 0, end_dim: int = -1) -> Node:
    """Merge neighboring axes into one: those from `start_dim` to `end_dim`, as in PyTorch; by default all.

    >>> flatten(np.ones((2, 3, 4)), 1).shape, flatten(np.ones((2, 3, 4))).shape
    ((2, 12), (24,))
    """
    shape = input_shape(x, "flatten")
    if not shape:
        return reshape(x, -1)
    start, end = (normalize_axis(k, shape, "flatten") for k in (start_dim, end_dim))
    if start > end:
        raise ShapeError(
            f"flatten: end_dim={end_dim} must not be before start_dim={start_dim} in shape {shape}.",
            "neighboring axes, from the left to the right.",
            f"start_dim={end_dim}, end_dim={start_dim}.",
        )
    return reshape(x, (*shape[:start], math.prod(shape[start : end + 1]), *shape[end + 1 :]))


@implements(np.expand_dims)
def expand_dims(x: ArrayLike, axis: int | Shape | None = None, **pytorch: Any) -> Node:
    """Insert axes of length 1 at positions in the result.

    >>> expand_dims(np.ones((2, 3)), axis=1).shape
    (2, 1, 3)
    """
    if pytorch:
        axis, _ = axis_of("expand_dims", pytorch, axis)
    new = len(as_integers(axis, "expand_dims", "axis"))
    return ExpandDims.apply(x, axis=normalize_axes(axis, input_shape(x, "expand_dims"), "expand_dims", new))


@implements(np.squeeze)
def squeeze(x: ArrayLike, axis: Axis = None, **pytorch: Any) -> Node:
    """Remove axes of length 1, by default all of them.

    >>> squeeze(np.ones((1, 3, 1))).shape
    (3,)
    """
    if pytorch:
        axis, _ = axis_of("squeeze", pytorch, axis)
    return Squeeze.apply(x, axis=None if axis is None else normalize_axes(axis, input_shape(x, "squeeze"), "squeeze"))


@implements(np.broadcast_to)
def broadcast_to(x: ArrayLike, shape: int | Shape) -> Node:
    """Broadcast to a shape; the gradient is summed over the copies of each element.

    >>> broadcast_to(3.0, (2, 2)).value
    array([[3., 3.],
           [3., 3.]])
    """
    shape = as_integers(shape, "broadcast_to", "shape")
    try:
        fits = np.broadcast_shapes(shape_of(x), shape) == shape
    except ValueError:
        fits = False
    if not fits:
        raise ShapeError(
            f"broadcast_to: shape {shape_of(x)} does not broadcast to shape {shape}.",
            BroadcastTo.expects,
            BroadcastTo.advice,
        )
    return BroadcastTo.apply(x, shape=shape)
