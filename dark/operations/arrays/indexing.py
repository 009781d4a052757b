"""Parts of an array, chosen by ``x[...]``; behind it, the gradient is added back to where the parts were."""

import numpy as np

from dark.errors import IndexingError, ShapeError
from dark.nodes import Node, Operation
from dark.nodes.protocols import SIGNS, implements
from dark.nodes.values import shape_of
from dark.operations.arrays.index_checks import checked, may_repeat, places_in_memory, shown
from dark.operations.arrays.shapes import reshape
from dark.operations.axis_checks import as_integers, normalize_axis


def taken(x, index):
    """Index a number, an array or a node, whichever came."""
    return x[index] if isinstance(x, Node) else np.asarray(x)[index]


def scattered(g, index, shape):
    """Add a number, an array or a node to zeros of a shape, at an index."""
    return (ScatterAdd.apply if isinstance(g, Node) else ScatterAdd._f)(g, index=index, shape=shape)


class GetItem(Operation, trusted=True, elementwise=False):
    """A part of an array: ``x[index]``."""

    sign = "[]"
    expects = "an index that the array has"
    advice = "print the shape; places are counted from 0."
    samples = (
        (((4, 3),), {"index": 1}), (((4, 3),), {"index": (-1, 2)}), (((4, 3),), {"index": slice(None, None, -2)}),
        (((4, 3),), {"index": (Ellipsis, None, slice(1, 3))}), (((4,),), {"index": np.array([0, 0, -1])}),
        (((4, 3),), {"index": (np.array([[0], [2]]), np.array([0, 2, 2]))}), (((),), {"index": None}),
        (((2, 3, 2),), {"index": (np.array([1, 1]), slice(None), np.array([0, 0]))}),
        (((2, 2),), {"index": np.array([[True, False], [True, True]])}), (((3,),), {"index": np.zeros(3, bool)}),
        (((3, 2),), {"index": (np.array([True, False, True]), 1)}), (((0, 2),), {"index": (slice(None), 0)}),
    )  # fmt: skip

    @staticmethod
    def _f(x, index):
        return np.asarray(x)[index]

    _df = (lambda dldy, y, x, index: scattered(dldy, index, np.shape(x)),)


class ScatterAdd(Operation, trusted=True, elementwise=False):
    """Zeros of a shape, with numbers added at an index: the transpose of `GetItem`."""

    called = "scatter_add"
    expects = "numbers of the shape that the index chooses, or that broadcast to it"
    advice = "compare their shape with np.zeros(shape)[index].shape."
    samples = (
        (((3,),), {"index": 1, "shape": (4, 3)}), (((2, 3),), {"index": slice(None, None, 3), "shape": (4, 3)}),
        (((3, 2),), {"index": np.array([0, 0, -1]), "shape": (4, 2)}), (((),), {"index": (1, 2), "shape": (4, 3)}),
        (((2,),), {"index": np.array([True, False, True]), "shape": (3,)}),
        (((0, 2),), {"index": np.zeros(0, int), "shape": (3, 2)}),
    )  # fmt: skip

    @staticmethod
    def _f(g, index, shape):
        y = np.zeros(shape, getattr(g, "dtype", float))
        if may_repeat(index):  # numbering the places makes `add.at` several times faster
            places = places_in_memory(index, y.shape)
            np.add.at(y.reshape(-1), places.reshape(-1), np.broadcast_to(g, places.shape).reshape(-1))
        else:
            y[index] = g
        return y if y.ndim else y[()]

    _df = (lambda dldy, y, g, index, shape: taken(dldy, index),)


def _apply(op, x, index, who, seen, **settings):
    """Apply an operation at an index, and say what was wrong with one that the shape does not have."""
    try:
        return op.apply(x, index=index, **settings)
    except IndexError as error:
        reason = str(error).rstrip(" .")
        raise IndexingError(
            f"{who}: {shown(index)} of shape {seen}: {reason}.", GetItem.expects + ".", GetItem.advice
        ) from None


def getitem(x, index):
    """Choose a part of an array: ``x[index]``.

    Parameters
    ----------
    x : Node, float or array
        Any shape.
    index : int, slice, None, ..., array or list of int, mask, or a tuple of these
        As in NumPy. Arrays are copied; nodes that hold whole numbers serve as integers.

    Returns
    -------
    Node

    Raises
    ------
    IndexingError
        If there is no such place, there are more indices than axes, or something is no index.

    Notes
    -----
    The gradient is added to zeros at the same index: a place that was chosen twice receives both parts.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.array([1.0, 2.0, 3.0])
    >>> getitem(x, slice(1, None)).value, getitem(x, [0, 0]).value
    (array([2., 3.]), array([1., 1.]))
    """
    return _apply(GetItem, x, checked(index, "getitem"), "getitem", shape_of(x))


SIGNS[GetItem.sign] = getitem


def scatter_add(x, index, shape):
    """Add numbers to zeros of a shape, at an index.

    Parameters
    ----------
    x : Node, float or array
        The shape that the index chooses, or one that broadcasts to it.
    index : as for `getitem`
        Where to add; a place that is named twice receives both numbers.
    shape : tuple of int
        The shape of the result.

    Returns
    -------
    Node, shape `shape`

    Raises
    ------
    IndexingError
        If the shape has no such place.
    ShapeError
        If `x` has another shape than what the index chooses.

    Examples
    --------
    >>> import numpy as np
    >>> scatter_add(np.array([1.0, 2.0, 3.0]), [0, 0, 1], (3,)).value
    array([3., 3., 0.])
    """
    shape = as_integers(shape, "scatter_add", "shape")
    return _apply(ScatterAdd, x, checked(index, "scatter_add"), "scatter_add", shape, shape=shape)


@implements(np.take)
def take(x, indices, axis=None):
    """Choose slices along an axis by their numbers.

    Parameters
    ----------
    x : Node or array
        Any shape.
    indices : int or array of int
        Which; their shape takes the place of the axis.
    axis : int, optional
        Along which axis; if not given, of all numbers in one row.

    Returns
    -------
    Node, shape (*x.shape[:axis], *indices.shape, *x.shape[axis + 1:])

    Raises
    ------
    IndexingError
        If there is no such slice, or the indices are no integers.
    ShapeError
        If there is no such axis.

    Examples
    --------
    >>> import numpy as np
    >>> take(np.array([[1.0, 2.0], [3.0, 4.0]]), [1, 1], axis=0).value
    array([[3., 4.],
           [3., 4.]])
    """
    x, axis = (reshape(x, -1), 0) if axis is None else (x, normalize_axis(axis, shape_of(x), "take"))
    index = (slice(None),) * axis + (_integers(indices, "take"),)
    return _apply(GetItem, x, index, "take", shape_of(x))


@implements(np.take_along_axis)
def gather(x, indices, axis=-1):
    """Choose along an axis, at every place of the other axes by numbers of its own.

    Parameters
    ----------
    x : Node or array
        Any shape.
    indices : array of int
        As many axes as `x`; the lengths of the other axes are equal or 1.
    axis : int or None, default -1
        Along which axis; None stands for all numbers in one row.

    Returns
    -------
    Node, shape of `indices`, broadcast

    Raises
    ------
    IndexingError
        If there is no such place, or the indices are no integers.
    ShapeError
        If there is no such axis, or `indices` has another number of axes.

    Examples
    --------
    >>> import numpy as np
    >>> gather(np.array([[1.0, 2.0], [3.0, 4.0]]), [[1], [0]], axis=1).value
    array([[2.],
           [3.]])
    """
    x, axis = (reshape(x, -1), 0) if axis is None else (x, normalize_axis(axis, shape_of(x), "gather"))
    shape, indices = shape_of(x), _integers(indices, "gather")
    if np.ndim(indices) != len(shape):
        raise ShapeError(
            f"gather: indices of shape {np.shape(indices)} for shape {shape}.",
            "as many axes in both.",
            "indices[:, None] adds an axis.",
        )
    ones = [np.arange(n).reshape(-1, *(1,) * (len(shape) - k - 1)) for k, n in enumerate(shape)]
    return _apply(GetItem, x, (*ones[:axis], indices, *ones[axis + 1 :]), "gather", shape)


def _integers(indices, who):
    """Return an integer, or an array of them; masks are not meant here."""
    indices = checked(list(indices) if type(indices) is tuple else indices, who)
    if isinstance(indices, int) or (isinstance(indices, np.ndarray) and indices.dtype.kind != "b"):
        return indices
    raise IndexingError(f"{who}: {shown(indices)} as indices.", "integers.", "x[index] takes masks and slices.")
