"""The bends that networks put between their layers, place by place."""

import math

import numpy as np

from dark.errors import UsageError
from dark.nodes import Operation, value_of
from dark.operations.axis_checks import number
from dark.operations.elementwise.erf_sinc import Erf
from dark.operations.elementwise.logistic import Sigmoid
from dark.operations.numeric import clip, evaluate, exp, tanh, where


class Relu(Operation, trusted=True):
    """The number where it is positive, else 0; at 0 the slope is 0."""

    @staticmethod
    def _f(x):
        if type(x) is np.ndarray:  # with zeros in an array at half the time that a single 0 takes
            y = np.zeros(x.shape, x.dtype) if x.flags.c_contiguous else np.zeros_like(x)  # in the order in memory of x
            return np.maximum(x, y, out=y)
        if type(x) is float:
            return x if x > 0 or x != x else 0.0
        return np.maximum(x, type(x)(0))

    _df = (lambda dldy, y, x: dldy * (x > 0),)

    kinks = (0.0,)


class LeakyRelu(Operation, trusted=True):
    """The number where it is positive, else a small part of it, which is also the slope at 0."""

    @staticmethod
    def _f(x, slope):
        if type(x) is not np.ndarray or not 0 < slope <= 1:
            return where(x > 0, x, slope * x)
        y = slope * x
        return np.maximum(x, y, out=y)  # a thirtieth of the time of a choice by sign, which no processor foresees

    def _derivative(x, slope):
        if type(x) is not np.ndarray or not 0 <= slope <= 1:
            return where(x > 0, 1.0, slope)
        y, least = (x > 0).astype(x.dtype), np.empty_like(x)
        least.fill(slope)  # a third of the time of np.full_like
        return np.maximum(y, least, out=y)

    _df = (lambda dldy, y, x, slope: dldy * LeakyRelu._derivative(value_of(x), slope),)

    called = "leaky_relu"
    kinks = (0.0,)
    samples = (((), {"slope": 0.01}), ((), {"slope": 0.3}), ((), {"slope": 2.0}))


class Elu(Operation, trusted=True):
    """The number where it is positive, else alpha (exp(x) - 1); at 0 the slope is alpha."""

    @staticmethod
    def _f(x, alpha):
        if type(x) is float:
            return x if x > 0 or x != x else alpha * math.expm1(x)
        return where(x > 0, x, alpha * np.expm1(np.minimum(x, 0)))

    _df = (lambda dldy, y, x, alpha: where(value_of(x) > 0, dldy, dldy * (y + alpha)),)

    kinks = (0.0,)
    samples = (((), {"alpha": 1.0}), ((), {"alpha": 0.5}))


class Silu(Operation, trusted=True):
    """The number times its sigmoid, also called swish."""

    @staticmethod
    def _f(x):
        return x * Sigmoid._f(x)

    def _vjp(dldy, y, x):
        s = evaluate(Sigmoid, x)
        return dldy * (s + y * (1.0 - s))

    _df = (_vjp,)


class Gelu(Operation, trusted=True):
    """The number times the chance that a normal deviate lies below it."""

    LIMIT = 40.0  # beyond it the chance is 0 or 1, and its slope 0

    def _cdf(x, approximate):
        if approximate == "tanh":
            x = clip(x, -Gelu.LIMIT, Gelu.LIMIT)
            return 0.5 + 0.5 * tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x * x * x))
        return 0.5 + 0.5 * evaluate(Erf, x * math.sqrt(0.5))

    @staticmethod
    def _f(x, approximate):
        return x * Gelu._cdf(x, approximate)

    def _vjp(dldy, y, x, approximate):
        cdf, x = Gelu._cdf(x, approximate), clip(x, -Gelu.LIMIT, Gelu.LIMIT)
        if approximate == "tanh":
            density = 2.0 * cdf * (1.0 - cdf) * math.sqrt(2 / math.pi) * (1.0 + 0.134145 * x * x)
        else:
            density = exp(-0.5 * x * x) / math.sqrt(2 * math.pi)
        return dldy * (cdf + x * density)

    _df = (_vjp,)

    samples = (((), {"approximate": "none"}), ((), {"approximate": "tanh"}))


def relu(x):
    """Keep what is positive, replace the rest by 0.

    Parameters
    ----------
    x : Node, float or array, any shape

    Returns
    -------
    Node, the same shape

    Notes
    -----
    Slope: 1 above 0, else 0, at 0 too, as in PyTorch.

    Examples
    --------
    >>> relu(-3).value, relu(3).value
    (0.0, 3.0)
    """
    return Relu.apply(x)


def leaky_relu(x, slope=0.01):
    """Keep what is positive, multiply the rest by a small slope.

    Parameters
    ----------
    x : Node, float or array, any shape
    slope : float, default 0.01
        The slope below 0, and at 0, as in PyTorch.

    Returns
    -------
    Node, the same shape

    Examples
    --------
    >>> leaky_relu(-3).value, leaky_relu(3).value
    (-0.03, 3.0)
    """
    return LeakyRelu.apply(x, slope=float(number(slope, "leaky_relu", "slope")))


def elu(x, alpha=1.0):
    """Keep what is positive, bend the rest towards ``-alpha``.

    Parameters
    ----------
    x : Node, float or array, any shape
    alpha : float, default 1.0
        How far below 0 the result may come.

    Returns
    -------
    Node, the same shape

    Notes
    -----
    Formula: ``alpha * (exp(x) - 1)`` up to 0. Slope there: ``alpha * exp(x)``, at 0 too, as in PyTorch.

    Examples
    --------
    >>> elu(-1000).value, elu(3).value
    (-1.0, 3.0)
    """
    return Elu.apply(x, alpha=float(number(alpha, "elu", "alpha")))


def silu(x):
    """Multiply each number by its sigmoid; also called swish.

    Parameters
    ----------
    x : Node, float or array, any shape

    Returns
    -------
    Node, the same shape

    Notes
    -----
    Slope: ``s + y * (1 - s)`` with the sigmoid s.

    Examples
    --------
    >>> silu(0).value, silu(1000).value
    (0.0, 1000.0)
    """
    return Silu.apply(x)


def gelu(x, approximate="none"):
    """Multiply each number by the chance that a normal deviate lies below it.

    Parameters
    ----------
    x : Node, float or array, any shape
    approximate : {"none", "tanh"}, default "none"
        "tanh" replaces the chance by ``(1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x**3))) / 2``.

    Returns
    -------
    Node, the same shape

    Raises
    ------
    UsageError
        If `approximate` is another word.

    Notes
    -----
    Formula: ``x * (1 + erf(x / sqrt(2))) / 2``.

    References
    ----------
    D. Hendrycks, K. Gimpel, "Gaussian error linear units", arXiv 1606.08415, 2016.

    Examples
    --------
    >>> round(gelu(1).value, 6), round(gelu(1, approximate="tanh").value, 6)
    (0.841345, 0.841192)
    """
    if approximate not in ("none", "tanh"):
        raise UsageError(
            f"gelu: approximate={approximate!r} is unknown.",
            '"none" or "tanh".',
            "leave it out, for the exact function.",
        )
    return Gelu.apply(x, approximate=approximate)
