"""Compositions of exponentials, computed so that nothing overflows on the way."""

import numpy as np

from dark.nodes import Operation
from dark.nodes.values import shape_of
from dark.operations.axis_checks import normalize_axes


def shifted(x, axis):
    """Subtract the largest number along the axes, so that exponentials are at most 1; an infinite one is left."""
    if not np.size(x):
        return x
    largest = np.max(x, axis=axis, keepdims=True)
    return x - np.where(np.isfinite(largest), largest, 0.0)


class Softmax(Operation, trusted=True, elementwise=False):
    """Exponentials along axes, divided by their sum."""

    expects = "axes that the array has, each once"
    advice = "count the axes from 0, or from the right with -1."
    samples = (
        (((2, 3),), {"axis": -1}), (((2, 3),), {"axis": 0}), (((2, 3),), {"axis": None}), (((4,),), {"axis": 0}),
        (((2, 3, 2),), {"axis": (0, -1)}), (((1, 3),), {"axis": 0}), (((),), {"axis": None}), (((0, 3),), {"axis": 0}),
    )  # fmt: skip

    @staticmethod
    def _f(x, axis):
        e = np.exp(shifted(x, axis))
        e /= np.sum(e, axis=axis, keepdims=True)
        return e

    _df = (lambda dldy, y, x, axis: y * (dldy - np.sum(dldy * y, axis=axis, keepdims=True)),)


class LogSoftmax(Operation, trusted=True, elementwise=False):
    """The logarithm of `Softmax`, without computing it."""

    called = "log_softmax"
    expects, advice, samples = Softmax.expects, Softmax.advice, Softmax.samples

    @staticmethod
    def _f(x, axis):
        d = shifted(x, axis)
        with np.errstate(divide="ignore"):  # a sum over nothing
            return d - np.log(np.sum(np.exp(d), axis=axis, keepdims=True))

    _df = (lambda dldy, y, x, axis: dldy - np.exp(y) * np.sum(dldy, axis=axis, keepdims=True),)


def softmax(x, axis=-1):
    """Turn numbers into shares that are positive and add up to 1.

    Parameters
    ----------
    x : Node, float or array
        Any shape; -inf means a share of 0.
    axis : int, tuple of int or None, default -1
        Along which axes the shares add up to 1; None for all.

    Returns
    -------
    Node, shape of `x`

    Raises
    ------
    ShapeError
        If there is no such axis.

    Notes
    -----
    ``exp(x) / sum(exp(x))``, with the largest x subtracted first. Where all are -inf, or one is inf, the
    shares are NaN, as 0 / 0 and inf / inf are.

    Examples
    --------
    >>> import numpy as np
    >>> softmax(np.array([1000.0, 1000.0, -np.inf])).value
    array([0.5, 0.5, 0. ])
    """
    return Softmax.apply(x, axis=None if axis is None else normalize_axes(axis, shape_of(x), "softmax"))


def log_softmax(x, axis=-1):
    """Compute the logarithms of the shares that `softmax` gives, also where these are too small for a float.

    Parameters
    ----------
    x, axis
        As for `softmax`.

    Returns
    -------
    Node, shape of `x`

    Raises
    ------
    ShapeError
        If there is no such axis.

    Notes
    -----
    ``x - log(sum(exp(x)))``, with the largest x subtracted first.

    Examples
    --------
    >>> import numpy as np
    >>> log_softmax(np.array([1000.0, 0.0])).value
    array([    0., -1000.])
    """
    return LogSoftmax.apply(x, axis=None if axis is None else normalize_axes(axis, shape_of(x), "log_softmax"))
