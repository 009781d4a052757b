"""The same numbers in another shape or order."""

import numpy as np

from dark.nodes import Operation, unbroadcast
from dark.nodes.node import implements


class Reshape(Operation, elementwise=False):
    """The same numbers, read row by row, in another shape."""

    expects = "a shape with as many numbers as there are; one -1 stands for what is left"
    advice = "multiply the lengths of both shapes; they must agree."

    def _f(x, shape):
        return np.reshape(x, shape)

    _partials = (lambda dldy, y, x, shape: np.reshape(dldy, np.shape(x)),)


class Transpose(Operation, elementwise=False):
    """The axes in another order; in reverse if none is given."""

    expects = "each axis once"
    advice = "count the axes from 0 to x.ndim - 1."

    def _f(x, axes):
        return np.transpose(x, axes)

    def _back(dldy, y, x, axes):
        return np.transpose(dldy, None if axes is None else np.argsort(np.mod(axes, len(axes))))

    _partials = (_back,)


class BroadcastTo(Operation, elementwise=False):
    """The numbers repeated along new axes, and along axes of length 1."""

    expects = "a shape that the numbers can be repeated to"
    advice = "compare the shapes from the right: each pair equal, or 1."

    def _f(x, shape):
        return np.broadcast_to(x, shape)

    _partials = (lambda dldy, y, x, shape: unbroadcast(dldy, np.shape(x)),)


@implements(np.reshape)
def reshape(x, shape):
    """Arrange the same numbers in another shape.

    Parameters
    ----------
    x : Node or array
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
    return Reshape.apply(x, shape=shape)


@implements(np.transpose)
def transpose(x, axes=None):
    """Put the axes in another order.

    Parameters
    ----------
    x : Node or array
        Any shape.
    axes : tuple of int, optional
        The old number of each new axis; all in reverse if not given.

    Returns
    -------
    Node

    Examples
    --------
    >>> import numpy as np
    >>> transpose(np.ones((2, 3))).shape
    (3, 2)
    """
    return Transpose.apply(x, axes=axes)


@implements(np.broadcast_to)
def broadcast_to(x, shape):
    """Repeat the numbers until they fill a shape.

    Parameters
    ----------
    x : Node, float or array
        A shape that broadcasts to `shape`.
    shape : tuple of int
        The shape to fill.

    Returns
    -------
    Node

    Examples
    --------
    >>> broadcast_to(3.0, (2, 2)).value
    array([[3., 3.],
           [3., 3.]])
    """
    return BroadcastTo.apply(x, shape=shape)
