"""Indexing and slicing; the backward pass scatters the gradient."""

from __future__ import annotations

from typing import Any

import numpy as np

from dark.errors import IndexingError, ShapeError
from dark.nodes import Node, Operation
from dark.nodes.protocols import SIGNS, implements
from dark.nodes.values import shape_of
from dark.operations.arrays.index_checks import as_index, flat_indices, format_index, may_repeat
from dark.operations.arrays.shapes import reshape
from dark.operations.axis_checks import as_integers, input_shape, normalize_axis
from dark.spellings import keywords_checked
from dark.typing import ArrayLike, Shape


def index_into(x, index):
    """Index a value or a node."""
    return x[index] if isinstance(x, Node) else np.asarray(x)[index]


def scatter(g, index, shape):
    """Add a value or a node to zeros of a shape, at an index."""
    return (ScatterAdd.apply if isinstance(g, Node) else ScatterAdd._f)(g, index=index, shape=shape)


class GetItem(Operation, trusted=True, elementwise=False):
    """Indexing: ``x[index]``."""

    sign = "[]"

    _f = staticmethod(lambda x, index: np.asarray(x)[index])
    _df = (lambda dldy, y, x, index: scatter(dldy, index, np.shape(x)),)

    expects, advice = "an index within the bounds", "print the shape; indices start at 0."
    samples = (
        (((4, 3),), {"index": 1}), (((4, 3),), {"index": (-1, 2)}), (((4, 3),), {"index": slice(None, None, -2)}),
        (((4, 3),), {"index": (Ellipsis, None, slice(1, 3))}), (((4,),), {"index": np.array([0, 0, -1])}),
        (((4, 3),), {"index": (np.array([[0], [2]]), np.array([0, 2, 2]))}), (((),), {"index": None}),
        (((2, 3, 2),), {"index": (np.array([1, 1]), slice(None), np.array([0, 0]))}),
        (((2, 2),), {"index": np.array([[True, False], [True, True]])}), (((3,),), {"index": np.zeros(3, bool)}),
        (((3, 2),), {"index": (np.array([True, False, True]), 1)}), (((0, 2),), {"index": (slice(None), 0)}),
    )  # fmt: skip


class ScatterAdd(Operation, trusted=True, elementwise=False):
    """Addition to zeros at an index: the adjoint of `GetItem`."""

    @staticmethod
    def _f(g, index, shape):
        y = np.zeros(shape, getattr(g, "dtype", float))
        if may_repeat(index):  # np.add.at is several times faster with flat indices
            indices = flat_indices(index, y.shape)
            np.add.at(y.reshape(-1), indices.reshape(-1), np.broadcast_to(g, indices.shape).reshape(-1))
        else:
            y[index] = g
        return y if y.ndim else y[()]

    _df = (lambda dldy, y, g, index, shape: index_into(dldy, index),)

    function_name = "scatter_add"
    expects, advice = "a shape that broadcasts to the selected one", "print np.zeros(shape)[index].shape."
    samples = (
        (((3,),), {"index": 1, "shape": (4, 3)}), (((2, 3),), {"index": slice(None, None, 3), "shape": (4, 3)}),
        (((3, 2),), {"index": np.array([0, 0, -1]), "shape": (4, 2)}), (((),), {"index": (1, 2), "shape": (4, 3)}),
        (((2,),), {"index": np.array([True, False, True]), "shape": (3,)}),
        (((0, 2),), {"index": np.zeros(0, int), "shape": (3, 2)}),
    )  # fmt: skip


def _apply_at(op, x, index, who, indexed, **settings):
    """Apply an operation at an index; an `IndexError` is raised again as an `IndexingError` with index and shape."""
    try:
        return op.apply(x, index=index, **settings)
    except IndexError as error:
        reason = str(error).rstrip(" .")
        raise IndexingError(
            f"{who}: index {format_index(index)} for shape {indexed}: {reason}.", GetItem.expects + ".", GetItem.advice
        ) from None


def getitem(x: ArrayLike, index: Any) -> Node:
    """Index an array: ``x[index]``.

    The gradient is added to zeros at the same index: an element that was selected twice gets both parts.

    Parameters
    ----------
    index : int, slice, None, ..., array or list of int, mask, or a tuple of these
        As in NumPy. Arrays are copied; a node counts as an integer if it holds one.

    Examples
    --------
    >>> x = np.array([1.0, 2.0, 3.0])
    >>> getitem(x, slice(1, None)).value, getitem(x, [0, 0]).value
    (array([2., 3.]), array([1., 1.]))
    """
    return _apply_at(GetItem, x, as_index(index, "getitem"), "getitem", shape_of(x))


SIGNS[GetItem.sign] = getitem


def scatter_add(x: ArrayLike, index: Any, shape: int | Shape) -> Node:
    """Add elements to zeros of a shape, at an index as for `getitem`; an element that is selected twice gets the sum.

    The shape of `x` broadcasts to that of ``np.zeros(shape)[index]``.

    >>> scatter_add(np.array([1.0, 2.0, 3.0]), [0, 0, 1], (3,)).value
    array([3., 3., 0.])
    """
    shape = as_integers(shape, "scatter_add", "shape")
    return _apply_at(ScatterAdd, x, as_index(index, "scatter_add"), "scatter_add", shape, shape=shape)


@implements(np.take)
def take(x: ArrayLike, indices: Any, axis: int | None = None) -> Node:
    """Select slices along an axis by index, an integer or an array of them; without an axis, `x` is flattened first.

    The result has shape ``(*x.shape[:axis], *indices.shape, *x.shape[axis + 1:])``.

    >>> take(np.array([[1.0, 2.0], [3.0, 4.0]]), [1, 1], axis=0).value
    array([[3., 4.],
           [3., 4.]])
    """
    x, axis = (reshape(x, -1), 0) if axis is None else (x, normalize_axis(axis, input_shape(x, "take"), "take"))
    index = (slice(None),) * axis + (_integer_index(indices, "take"),)
    return _apply_at(GetItem, x, index, "take", shape_of(x))


@implements(np.take_along_axis)
@keywords_checked
def gather(x: ArrayLike, indices: Any, axis: int | None = -1) -> Node:
    """Gather values along an axis, as `torch.gather` and `np.take_along_axis` do; with None, `x` is flattened first.

    `indices` are integers, with the number of axes of `x`; lengths of the other axes are equal or 1. The result has
    their shape, broadcast.

    >>> gather(np.array([[1.0, 2.0], [3.0, 4.0]]), [[1], [0]], axis=1).value
    array([[2.],
           [3.]])
    """
    x, axis = (reshape(x, -1), 0) if axis is None else (x, normalize_axis(axis, input_shape(x, "gather"), "gather"))
    shape, indices = shape_of(x), _integer_index(indices, "gather")
    if np.ndim(indices) != len(shape):
        raise ShapeError(
            f"gather: indices must have {len(shape)} axes, as the array, got shape {np.shape(indices)}.",
            "the same number of axes.",
            "indices[:, None] adds an axis.",
        )
    ones = [np.arange(n).reshape(-1, *(1,) * (len(shape) - k - 1)) for k, n in enumerate(shape)]
    return _apply_at(GetItem, x, (*ones[:axis], indices, *ones[axis + 1 :]), "gather", shape)


def _integer_index(indices, who):
    """Return an integer or an array of integers; masks and slices are refused. One bool counts as 1 or 0."""
    indices = as_index(list(indices) if type(indices) is tuple else indices, who)
    if isinstance(indices, int):
        return int(indices)
    if isinstance(indices, np.ndarray) and indices.dtype.kind != "b":
        return indices
    raise IndexingError(
        f"{who}: invalid indices {format_index(indices)}.", "integers.", "x[index] accepts masks and slices."
    )
