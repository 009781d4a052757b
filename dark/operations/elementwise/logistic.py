"""The logistic function, and the two it is the slope of: softplus and logaddexp, place by place."""

import math

import numpy as np

from dark.nodes import Operation
from dark.operations.numeric import evaluate, exp, log1p, where


class Sigmoid(Operation, trusted=True):
    """The logistic function, from 0 to 1."""

    @staticmethod
    def _f(x):
        e = exp(-abs(x))  # never above 1, so that nothing overflows
        if type(x) is not np.ndarray:
            return where(x >= 0, 1.0, e) / (1.0 + e)
        y = np.maximum(e, x >= 0)  # the same choice, which no processor foresees, at a part of its time
        return np.divide(y, 1.0 + e, out=y)

    _df = (lambda dldy, y, x: dldy * y * (1.0 - y),)


class Softplus(Operation, trusted=True):
    """The logarithm of 1 + exp(x): a relu without a kink."""

    @staticmethod
    def _f(x):
        largest = max(x, 0.0) if type(x) is float else np.maximum(x, 0)
        return largest + log1p(exp(-abs(x)))

    _df = (lambda dldy, y, x: dldy * evaluate(Sigmoid, x),)


class LogAddExp(Operation, trusted=True, ufunc=np.logaddexp):
    """The logarithm of the sum of two exponentials."""

    @staticmethod
    def _f(a, b):
        if type(a) is type(b) is float:
            return max(a, b) + (log1p(exp(-abs(a - b))) if a != b else math.log(2.0))
        return np.logaddexp(a, b)

    _df = (
        lambda dldy, y, a, b: dldy * evaluate(Sigmoid, a - b),
        lambda dldy, y, a, b: dldy * evaluate(Sigmoid, b - a),
    )


def sigmoid(x):
    """Press all numbers between 0 and 1: the logistic function.

    Parameters
    ----------
    x : Node, float or array, any shape

    Returns
    -------
    Node, the same shape

    Notes
    -----
    Formula: ``1 / (1 + exp(-x))``, computed so that nothing overflows. Slope: ``y * (1 - y)``.

    Examples
    --------
    >>> sigmoid(-1000).value, sigmoid(0).value, sigmoid(1000).value
    (0.0, 0.5, 1.0)
    """
    return Sigmoid.apply(x)


def softplus(x):
    """Compute the logarithm of ``1 + exp(x)``: a relu without a kink.

    Parameters
    ----------
    x : Node, float or array, any shape

    Returns
    -------
    Node, the same shape

    Notes
    -----
    Computed so that nothing overflows. Slope: the sigmoid.

    Examples
    --------
    >>> softplus(-1000).value, softplus(1000).value
    (0.0, 1000.0)
    """
    return Softplus.apply(x)


def logaddexp(a, b):
    """Compute ``log(exp(a) + exp(b))``, without overflow on the way.

    Parameters
    ----------
    a, b : Node, float or array, shapes that broadcast

    Returns
    -------
    Node, the shape that the inputs broadcast to

    Raises
    ------
    ShapeError
        If the shapes do not broadcast.

    Notes
    -----
    Slopes: ``sigmoid(a - b)`` and ``sigmoid(b - a)``; between two equal infinities NaN, as in PyTorch.

    Examples
    --------
    >>> round(logaddexp(1000, 1000).value, 6)
    1000.693147
    """
    return LogAddExp.apply(a, b)
