"""The error function, sinc, and the smooth activation functions GELU and Mish, elementwise."""

from __future__ import annotations

import math

import numpy as np

from dark.checks import one_of
from dark.nodes import Node, Operation, value_of
from dark.nodes.protocols import implements
from dark.operations.elementwise.activation_functions import Sigmoid, Softplus
from dark.operations.numeric import clip, cos, evaluate, exp, float_or_array, in_blocks, polynomial, tanh, where
from dark.typing import ArrayLike


class Sinc(Operation, trusted=True):
    """Normalized sinc; 1 at 0."""

    # The Taylor series of sinc'(x) / (pi**2 x) in powers of (pi x)**2, highest power first.
    SERIES = tuple((-1) ** k * 2 * k / math.factorial(2 * k + 1) for k in range(11, 0, -1))

    _f = staticmethod(float_or_array(lambda x: math.sin(math.pi * x) / (math.pi * x) if x else 1.0, np.sinc))

    @staticmethod
    def _vjp(dldy, y, x):
        near = abs(value_of(x)) < 0.5  # where the difference below would lose accuracy
        small, large = where(near, x, 0.0), where(near, 1.0, x)
        series = math.pi**2 * small * polynomial(Sinc.SERIES, math.pi**2 * small * small)
        return dldy * where(near, series, (cos(math.pi * large) - evaluate(Sinc, large)) / large)

    _df = (_vjp,)


class Erf(Operation, trusted=True):
    """Error function."""

    # In float64, for z = |x|: erf(z) = 1 - exp(-z^2) (1 - z S(z)) with S = P / Q. All coefficients are positive, so
    # no sum cancels. In float32: erf(x) = tanh(x T(x^2) / U(x^2)). Highest power first. The coefficients interpolate
    # S on [0, 6.2] and the inverse hyperbolic tangent of erf(z) / z on [0, 2.16] in the squares of Chebyshev points;
    # the relative errors of erf are below 3e-17 and 5e-9.
    P = (0.00016290083942835753, 0.0030854382387265976, 0.027570002391322292, 0.15068457233829916,
         0.5488866859465339, 1.363382613680389, 2.260842099534873, 2.305410775455256, 1.1283791670955126)  # fmt: skip
    Q = (0.00016290083893184583, 0.0031773452265839006, 0.029362626524164196, 0.16720472512192362,
         0.6423252858515761, 1.7175643969379229, 3.1840285280580885, 3.9330160284549757, 2.9293440288901283,
         1.0)  # fmt: skip
    T = (0.00219539262041, 0.042809221652, 0.280072636421, 1.1283791671)
    U = (0.00032859340798, 0.0238129160093, 0.157128062633, 1.0)

    @staticmethod
    def _full(x):
        if type(x) is not np.ndarray:
            return Erf._full(np.array([x]))[0]
        y = in_blocks(Erf.fill, x.astype(np.result_type(x, np.float32), copy=False))
        return y.astype(np.result_type(x, np.float16), copy=False)

    @staticmethod
    def fill(x, y):
        """Write the error function of a block of float32 or float64 into another."""
        if x.dtype.char == "f":
            z = np.minimum(x, 5.0)  # erf is 1 beyond
            np.maximum(z, -5.0, out=z)
            square = z * z
            np.divide(polynomial(Erf.T, square), polynomial(Erf.U, square), out=y)
            np.tanh(np.multiply(y, z, out=y), out=y)
            return
        z = np.minimum(np.abs(x), 6.0)
        np.divide(polynomial(Erf.P, z), polynomial(Erf.Q, z), out=y)
        y *= z
        shrunk = np.expm1(-z * z)  # exp(-z^2) = 1 + shrunk, and erf = y + shrunk (y - 1)
        z = y - 1.0
        z *= shrunk
        y += z
        np.copysign(y, x, out=y)

    _f = staticmethod(float_or_array(math.erf, _full))

    @staticmethod
    def _vjp(dldy, y, x):
        x = clip(x, -30.0, 30.0)  # beyond, the derivative is 0 and the square could overflow
        return dldy * (2.0 / math.sqrt(math.pi) * exp(-x * x))

    _df = (_vjp,)


@implements(np.sinc)
def sinc(x: ArrayLike) -> Node:
    """Compute ``sin(pi * x) / (pi * x)``, which is 1 at 0.

    Derivative: ``(cos(pi * x) - sinc(x)) / x``, computed by its Taylor series near 0.

    >>> sinc(0).value, round(sinc(0.5).value, 6)
    (1.0, 0.63662)
    """
    return Sinc.apply(x)


def erf(x: ArrayLike) -> Node:
    """Compute the error function: ``2 / sqrt(pi)`` times the integral of ``exp(-t**2)`` from 0 to x.

    Derivative: ``2 / sqrt(pi) * exp(-x**2)``.

    Reference: M. M. Shepherd, J. G. Laframboise, "Chebyshev approximation of (1 + 2x) exp(x^2) erfc x in 0 <= x < inf",
    Mathematics of Computation 36, 1981, for the use of a smooth function in place of erf.

    >>> round(erf(1).value, 12)
    0.84270079295
    """
    return Erf.apply(x)


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
