"""Many numbers made fewer: sums, means, extremes along axes."""

import numpy as np

from dark.nodes import Operation
from dark.nodes.node import implements


def spread(g, shape, axis, keepdims):
    """Bring the gradient of a reduced value back to the shape it was reduced from, repeating it."""
    if axis is not None and not keepdims and shape:
        axes = np.mod(axis if isinstance(axis, tuple) else (axis,), len(shape))
        g = np.reshape(g, tuple(1 if k in axes else n for k, n in enumerate(shape)))
    return np.broadcast_to(g, shape)


def count(x, axis):
    """Say how many numbers go into each reduced value."""
    shape = np.shape(x)
    axes = range(len(shape)) if axis is None else np.mod(axis, len(shape)).reshape(-1)
    return int(np.prod([shape[k] for k in axes], dtype=int))


class Sum(Operation, elementwise=False):
    """The sum along axes."""

    expects = "axes that the array has, each once"
    advice = "count the axes from 0 to x.ndim - 1, or from the right with -1."

    def _f(x, axis, keepdims):
        return np.sum(x, axis=axis, keepdims=keepdims)

    _partials = (lambda dldy, y, x, axis, keepdims: spread(dldy, np.shape(x), axis, keepdims),)


class Mean(Operation, elementwise=False):
    """The mean along axes."""

    expects, advice = Sum.expects, Sum.advice

    def _f(x, axis, keepdims):
        return np.mean(x, axis=axis, keepdims=keepdims)

    _partials = (
        lambda dldy, y, x, axis, keepdims: spread(dldy / count(x, axis), np.shape(x), axis, keepdims),
    )


@implements(np.sum)
def sum(x, axis=None, keepdims=False):
    """Add up the numbers along axes.

    Parameters
    ----------
    x : Node, float or array
        Any shape.
    axis : int or tuple of int, optional
        Along which axes; all if not given.
    keepdims : bool, default False
        Keep the axes, with length 1.

    Returns
    -------
    Node

    Raises
    ------
    ShapeError
        If there is no such axis.

    Examples
    --------
    >>> import numpy as np
    >>> sum(np.ones((2, 3)), axis=0).value
    array([2., 2., 2.])
    """
    return Sum.apply(x, axis=axis, keepdims=keepdims)


@implements(np.mean)
def mean(x, axis=None, keepdims=False):
    """Average the numbers along axes.

    Parameters
    ----------
    x, axis, keepdims
        As for `sum`.

    Returns
    -------
    Node

    Examples
    --------
    >>> import numpy as np
    >>> mean(np.array([1.0, 2.0, 6.0])).value
    3.0
    """
    return Mean.apply(x, axis=axis, keepdims=keepdims)
