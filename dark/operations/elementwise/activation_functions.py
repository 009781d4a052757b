"""Activation functions, elementwise; sigmoid, softplus and logaddexp are computed without overflow."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dark.nodes import Node, Operation, value_of
from dark.operations.axis_checks import number
from dark.operations.numeric import evaluate, exp, in_blocks, log1p, negated, where
from dark.spellings import refuse_keywords
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


class Relu(Operation, trusted=True):
    """Rectified linear unit; the derivative at 0 is 0."""

    @staticmethod
    def _f(x):
        if type(x) is np.ndarray:  # an array of zeros takes half the time of a scalar 0
            y = np.zeros(x.shape, x.dtype) if x.flags.c_contiguous else np.zeros_like(x)  # in the memory order of x
            return np.maximum(x, y, out=y)
        if type(x) is float:
            return x if x > 0 or x != x else 0.0
        return np.maximum(x, np.zeros(x.shape, x.dtype)[()])

    _df = (lambda dldy, y, x: dldy * (y != 0),)  # a NaN is not hidden

    kinks = (0.0,)


class LeakyRelu(Operation, trusted=True):
    """Leaky ReLU; the derivative at 0 is `slope`."""

    @staticmethod
    def _f(x, slope):
        if type(x) is not np.ndarray or not 0 < slope <= 1:
            return where(x > 0, x, slope * x)
        y = slope * x
        return np.maximum(x, y, out=y)  # a thirtieth of the time of np.where, whose branches the processor mispredicts

    @staticmethod
    def _derivative(x, slope):
        if type(x) is not np.ndarray or not 0 < slope <= 1:
            return where(x > 0 if slope else negated(x <= 0), 1.0, slope)  # a NaN is not hidden
        y, least = (x > 0).astype(x.dtype), np.empty_like(x)
        least.fill(slope)  # a third of the time of np.full_like
        return np.maximum(y, least, out=y)

    _df = (lambda dldy, y, x, slope: dldy * LeakyRelu._derivative(value_of(x), slope),)

    function_name = "leaky_relu"
    kinks = (0.0,)
    samples = (((), {"slope": 0.01}), ((), {"slope": 0.3}), ((), {"slope": 2.0}))


class Elu(Operation, trusted=True):
    """Exponential linear unit; the derivative at 0 is alpha."""

    @staticmethod
    def _f(x, alpha):
        if type(x) is float:
            return x if x > 0 or x != x else alpha * math.expm1(x)
        if type(x) is np.ndarray and x.dtype.kind == "f":
            return in_blocks(lambda x, y: Elu.fill(x, y, alpha), x)
        return where(x > 0, x, alpha * np.expm1(np.minimum(x, 0)))

    @staticmethod
    def fill(x, y, alpha):
        """Write the values of a block into another: one of the two terms is 0."""
        np.expm1(np.minimum(x, 0, out=y), out=y)
        y *= alpha
        y += np.maximum(x, 0)

    @staticmethod
    def _fill_derivative(x, y, alpha):
        np.exp(np.minimum(x, 0, out=y), out=y)
        if alpha != 1:
            y *= (x > 0) + alpha * ~(x > 0)

    @staticmethod
    def _vjp(dldy, y, x, alpha):
        if type(x) is np.ndarray and x.dtype.kind == "f":
            return dldy * in_blocks(lambda x, y: Elu._fill_derivative(x, y, alpha), x)
        is_positive = value_of(x) > 0
        return where(is_positive, dldy, dldy * (alpha * exp(where(is_positive, 0.0, x))))  # y + alpha would cancel

    _df = (_vjp,)

    kinks = (0.0,)
    samples = (((), {"alpha": 1.0}), ((), {"alpha": 0.5}))


class Silu(Operation, trusted=True):
    """Sigmoid linear unit (swish)."""

    @staticmethod
    def _f(x):
        if type(x) is np.ndarray and x.dtype.kind == "f":
            return in_blocks(Silu.fill, x)
        return x * Sigmoid._f(x)

    @staticmethod
    def fill(x, y):
        """Write the values of a block into another."""
        Sigmoid.fill(x, y)
        y *= x

    @staticmethod
    def _fill_derivative(x, y):
        Sigmoid.fill(x, y)
        slope = 1.0 - y
        slope *= x
        slope += 1.0
        y *= slope

    @staticmethod
    def _vjp(dldy, y, x):
        if type(x) is np.ndarray and x.dtype.kind == "f":
            return dldy * in_blocks(Silu._fill_derivative, x)
        s = evaluate(Sigmoid, x)
        return dldy * (s + y * (1.0 - s))

    _df = (_vjp,)


def relu(x: ArrayLike) -> Node:
    """Apply the rectified linear unit: ``max(x, 0)``. The derivative at 0 is 0, as in PyTorch.

    >>> relu(-3).value, relu(3).value
    (0.0, 3.0)
    """
    return Relu.apply(x)


def leaky_relu(x: ArrayLike, slope: float = 0.01, **pytorch: Any) -> Node:
    """Apply the leaky ReLU: `x` if positive, else ``slope * x``. The derivative at 0 is `slope`, as in PyTorch.

    >>> leaky_relu(-3).value, leaky_relu(3).value
    (-0.03, 3.0)
    """
    if pytorch:
        refuse_keywords("leaky_relu", pytorch)
    return LeakyRelu.apply(x, slope=float(number(slope, "leaky_relu", "slope")))


def elu(x: ArrayLike, alpha: float = 1.0) -> Node:
    """Apply the exponential linear unit: `x` if positive, else ``alpha * (exp(x) - 1)``.

    The derivative at 0 is `alpha`, as in PyTorch.

    >>> elu(-1000).value, elu(3).value
    (-1.0, 3.0)
    """
    return Elu.apply(x, alpha=float(number(alpha, "elu", "alpha")))


def silu(x: ArrayLike) -> Node:
    """Apply the sigmoid linear unit (swish): ``x * sigmoid(x)``.

    >>> silu(0).value, silu(1000).value
    (0.0, 1000.0)
    """
    return Silu.apply(x)
