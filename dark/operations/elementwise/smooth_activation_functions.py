"""Smooth activation functions whose gradients are costly, elementwise: GELU and Mish."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from dark.checks import one_of
from dark.nodes import Node, Operation
from dark.operations.elementwise.erf_sinc import Erf
from dark.operations.elementwise.logistic import Sigmoid, Softplus
from dark.operations.numeric import clip, evaluate, exp, in_blocks, tanh

if TYPE_CHECKING:
    from dark.typing import ArrayLike


class Gelu(Operation, trusted=True):
    """Gaussian error linear unit."""

    LIMIT = 40.0  # beyond it the CDF is 0 or 1

    @staticmethod
    def _cdf(x, approximate):
        if approximate == "tanh":
            x = clip(x, -Gelu.LIMIT, Gelu.LIMIT)
            return 0.5 + 0.5 * tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x * x * x))
        return 0.5 + 0.5 * evaluate(Erf, x * math.sqrt(0.5))

    @staticmethod
    def _f(x, approximate):
        if type(x) is np.ndarray and x.dtype.char in "fd" and approximate == "none":
            return in_blocks(Gelu.fill, x)
        return x * Gelu._cdf(x, approximate)

    @staticmethod
    def fill(x, y):
        """Write the values of a block of float32 or float64 into another."""
        Gelu._fill_cdf(x, y)
        y *= x

    @staticmethod
    def _fill_cdf(x, cdf):
        Erf.fill(x * math.sqrt(0.5), cdf)
        cdf *= 0.5
        cdf += 0.5

    @staticmethod
    def _fill_derivative(x, y, derivative):
        size = np.abs(x)
        with np.errstate(divide="ignore", invalid="ignore"):
            np.divide(y, x, out=derivative)  # the CDF, at a tenth of the cost
        undefined = ~((size > 1e-30) & (size < Gelu.LIMIT))
        if undefined.any():
            derivative[undefined] = in_blocks(Gelu._fill_cdf, x[undefined])
        np.minimum(size, Gelu.LIMIT, out=size)
        np.exp(-0.5 * size * size, out=size)
        size *= 1.0 / math.sqrt(2 * math.pi)
        size *= np.clip(x, -Gelu.LIMIT, Gelu.LIMIT)
        derivative += size

    @staticmethod
    def _vjp(dldy, y, x, approximate):
        if type(x) is np.ndarray and x.dtype.char in "fd" and approximate == "none":
            return dldy * in_blocks(Gelu._fill_derivative, x, y)
        cdf, x = Gelu._cdf(x, approximate), clip(x, -Gelu.LIMIT, Gelu.LIMIT)
        if approximate == "tanh":
            density = 2.0 * cdf * (1.0 - cdf) * math.sqrt(2 / math.pi) * (1.0 + 0.134145 * x * x)
        else:
            density = exp(-0.5 * x * x) / math.sqrt(2 * math.pi)
        return dldy * (cdf + x * density)

    _df = (_vjp,)

    samples = (((), {"approximate": "none"}), ((), {"approximate": "tanh"}))


class Mish(Operation, trusted=True):
    """``x * tanh(softplus(x))``."""

    _f = staticmethod(lambda x: x * tanh(Softplus._f(x)))

    @staticmethod
    def _vjp(dldy, y, x):
        t = tanh(evaluate(Softplus, x))
        return dldy * (t + x * (1.0 - t * t) * evaluate(Sigmoid, x))

    _df = (_vjp,)


def gelu(x: ArrayLike, approximate: str = "none") -> Node:
    """Apply the Gaussian error linear unit: ``x * Φ(x)``, where Φ is the standard normal CDF.

    Reference: D. Hendrycks, K. Gimpel, "Gaussian error linear units", arXiv 1606.08415, 2016.

    Parameters
    ----------
    approximate : {"none", "tanh"}, default "none"
        "tanh" replaces Φ(x) by ``(1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x**3))) / 2``.

    Examples
    --------
    >>> round(gelu(1).value, 6), round(gelu(1, approximate="tanh").value, 6)
    (0.841345, 0.841192)
    """
    if approximate != "none":
        one_of(approximate, "gelu", "approximate", ("none", "tanh"))
    return Gelu.apply(x, approximate=approximate)


def mish(x: ArrayLike) -> Node:
    """Apply the mish function: ``x * tanh(softplus(x))``.

    Reference: D. Misra, "Mish: a self regularized non-monotonic activation function", arXiv 1908.08681, 2019.

    >>> mish(0).value, mish(1000).value, round(mish(1).value, 6)
    (0.0, 1000.0, 0.865098)
    """
    return Mish.apply(x)
