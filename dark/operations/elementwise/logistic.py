"""The logistic function and its integrals: sigmoid, softplus and logaddexp, elementwise, without overflow.

Each function takes nodes, floats or arrays whose shapes broadcast and returns a node of the broadcast shape.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from dark.nodes import Node, Operation
from dark.operations.numeric import evaluate, exp, in_blocks, log1p, where

if TYPE_CHECKING:
    from dark.typing import ArrayLike


class Sigmoid(Operation, trusted=True):
    """Logistic function."""

    @staticmethod
    def _f(x):
        if type(x) is np.ndarray and x.dtype.kind == "f":
            return in_blocks(Sigmoid.fill, x)
        e = exp(-abs(x))  # at most 1: no overflow
        return where(x >= 0, 1.0, e) / (1.0 + e)

    @staticmethod
    def fill(x, y):
        """Write the logistic function of a block into another."""
        e = np.abs(x)
        np.exp(np.negative(e, out=e), out=e)
        np.maximum(e, x >= 0, out=y)  # the same selection, without branches the processor mispredicts
        e += 1.0
        y /= e

    _df = (lambda dldy, y, x: dldy * y * (1.0 - y),)


class Softplus(Operation, trusted=True):
    """``log(1 + exp(x))``, a smooth approximation of relu."""

    @staticmethod
    def _f(x):
        largest = max(x, 0.0) if type(x) is float else np.maximum(x, 0)
        return largest + log1p(exp(-abs(x)))

    _df = (lambda dldy, y, x: dldy * evaluate(Sigmoid, x),)


class LogAddExp(Operation, trusted=True, ufunc=np.logaddexp):
    """Logarithm of the sum of two exponentials."""

    @staticmethod
    def _f(a, b):
        if type(a) is type(b) is float:
            return max(a, b) + (log1p(exp(-abs(a - b))) if a != b else math.log(2.0))
        return np.logaddexp(a, b)

    _df = (lambda dldy, y, a, b: dldy * evaluate(Sigmoid, a - b), lambda dldy, y, a, b: dldy * evaluate(Sigmoid, b - a))


def sigmoid(x: ArrayLike) -> Node:
    """Apply the sigmoid function: ``1 / (1 + exp(-x))``. Derivative: ``y * (1 - y)``.

    >>> sigmoid(-1000).value, sigmoid(0).value, sigmoid(1000).value
    (0.0, 0.5, 1.0)
    """
    return Sigmoid.apply(x)


def softplus(x: ArrayLike) -> Node:
    """Apply the softplus function: ``log(1 + exp(x))``. Derivative: ``sigmoid(x)``.

    >>> softplus(-1000).value, softplus(1000).value
    (0.0, 1000.0)
    """
    return Softplus.apply(x)


def logaddexp(a: ArrayLike, b: ArrayLike) -> Node:
    """Compute ``log(exp(a) + exp(b))``.

    Derivatives: ``sigmoid(a - b)`` and ``sigmoid(b - a)``; NaN where both are the same infinity, as in PyTorch.

    >>> round(logaddexp(1000, 1000).value, 6)
    1000.693147
    """
    return LogAddExp.apply(a, b)
