"""The same numbers in another shape; `axes` puts them in another order."""

import math

import numpy as np

from dark.errors import ShapeError
from dark.nodes import Operation, unbroadcast
from dark.nodes.protocols import implements
from dark.nodes.values import shape_of
from dark.operations.axis_checks import as_integers, normalize_axes


def reshaped_back(dldy, y, x, **settings):
    """Give the gradient the shape of the input: the rule of whatever only reshapes."""
    return np.reshape(dldy, np.shape(x))


class Reshape(Operation, trusted=True, elementwise=False):
    """The same numbers, read row by row, in another shape."""

    expects = "a shape with as many numbers as there are; one -1 stands for what is left"
    advice = "multiply the lengths of both shapes; they must agree."
    samples = (
        (((2, 3),), {"shape": (3, 2)}), (((2, 3),), {"shape": (-1,)}), (((6,),), {"shape": (2, -1)}),
        (((1, 1),), {"shape": ()}), (((0, 3),), {"shape": (3, 0, 2)}), (((),), {"shape": (1, 1)}),
    )  # fmt: skip

    @staticmethod
    def _f(x, shape):
        return np.reshape(x, shape)

    _df = (reshaped_back,)


class ExpandDims(Operation, trusted=True, elementwise=False):
    """New axes of length 1."""

    called = "expand_dims"
    expects = "places that the new axes can have in the result"
    advice = "count the axes of the result from 0, or from the right with -1."
    samples = (
        (((2, 3),), {"axis": 0}), (((2, 3),), {"axis": -1}), (((2,),), {"axis": (0, -1)}), (((),), {"axis": 0}),
        (((0, 2),), {"axis": 1}),
    )  # fmt: skip

    @staticmethod
    def _f(x, axis):
        return np.expand_dims(x, axis)

    _df = (reshaped_back,)


class Squeeze(Operation, trusted=True, elementwise=False):
    """Axes of length 1 left out."""

    expects = "axes of length 1"
    advice = "choose such an axis, or sum over a longer one."
    samples = (
        (((1, 3, 1),), {"axis": None}), (((1, 3, 1),), {"axis": 0}), (((1, 3, 1),), {"axis": -1}),
        (((1, 3, 1),), {"axis": (0, 2)}), (((1, 1),), {"axis": None}), (((0, 1),), {"axis": 1}),
    )  # fmt: skip

    @staticmethod
    def _f(x, axis):
        return np.squeeze(x, axis)

    _df = (reshaped_back,)


class BroadcastTo(Operation, trusted=True, elementwise=False):
    """The numbers repeated along new axes, and along axes of length 1."""

    called = "broadcast_to"
    expects = "a shape that the numbers can be repeated to"
    advice = "compare the shapes from the right: each pair equal, or 1."
    samples = (
        (((3,),), {"shape": (2, 3)}), (((2, 1),), {"shape": (4, 2, 3)}), (((),), {"shape": (2, 2)}),
        (((2, 3),), {"shape": (2, 3)}), (((1, 2),), {"shape": (0, 2)}),
    )  # fmt: skip

    @staticmethod
    def _f(x, shape):
        return np.broadcast_to(x, shape)

    _df = (lambda dldy, y, x, shape: unbroadcast(dldy, np.shape(x)),)


@implements(np.reshape)
def reshape(x, shape):
    """Arrange the same numbers in another shape.

    Parameters
    ----------
    x : Node, float or array
        Any shape.
    shape : int or tuple of int
        As many numbers; one length may be -1, which stands for what is left.

    Returns
    -------
    Node

    Raises
    ------
    ShapeError
        If the numbers do not fill the shape.

    Examples
    --------
    >>> import numpy as np
    >>> reshape(np.arange(6.0), (2, 3)).shape
    (2, 3)
    """
    shape = as_integers(shape, "reshape", "shape")
    if not shape_of(x) and (math.prod(shape) not in (1, -1) or shape.count(-1) > 1):
        raise ShapeError(
            f"reshape: one number does not fill shape {shape}.", Reshape.expects, "broadcast_to repeats it."
        )
    return Reshape.apply(x, shape=shape)


@implements(np.expand_dims)
def expand_dims(x, axis):
    """Insert axes of length 1.

    Parameters
    ----------
    x : Node, float or array
        Any shape.
    axis : int or tuple of int
        Where the new axes stand in the result.

    Returns
    -------
    Node

    Raises
    ------
    ShapeError
        If the result has no such axis.

    Examples
    --------
    >>> import numpy as np
    >>> expand_dims(np.ones((2, 3)), axis=1).shape
    (2, 1, 3)
    """
    new = len(as_integers(axis, "expand_dims", "axis"))
    return ExpandDims.apply(x, axis=normalize_axes(axis, shape_of(x), "expand_dims", new))


@implements(np.squeeze)
def squeeze(x, axis=None):
    """Leave out axes of length 1.

    Parameters
    ----------
    x : Node, float or array
        Any shape.
    axis : int or tuple of int, optional
        Which; all that have length 1 if not given.

    Returns
    -------
    Node

    Raises
    ------
    ShapeError
        If there is no such axis, or it is longer than 1.

    Examples
    --------
    >>> import numpy as np
    >>> squeeze(np.ones((1, 3, 1))).shape
    (3,)
    """
    return Squeeze.apply(x, axis=None if axis is None else normalize_axes(axis, shape_of(x), "squeeze"))


@implements(np.broadcast_to)
def broadcast_to(x, shape):
    """Repeat the numbers until they fill a shape.

    Parameters
    ----------
    x : Node, float or array
        A shape that broadcasts to `shape`.
    shape : int or tuple of int
        The shape to fill.

    Returns
    -------
    Node

    Raises
    ------
    ShapeError
        If the numbers cannot be repeated to that shape.

    Notes
    -----
    The gradient is summed over the copies of each number.

    Examples
    --------
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
            f"broadcast_to: shape {shape_of(x)} cannot fill shape {shape}.", BroadcastTo.expects, BroadcastTo.advice
        )
    return BroadcastTo.apply(x, shape=shape)
