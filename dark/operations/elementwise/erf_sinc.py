"""The error function and sinc, elementwise.

Each function takes a node, float or array `x` of any shape and returns a node of the same shape.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from dark.nodes import Operation, value_of
from dark.nodes.protocols import implements
from dark.operations.numeric import clip, cos, evaluate, exp, float_or_array, polynomial, where

if TYPE_CHECKING:
    from dark.nodes import Node
    from dark.typing import ArrayLike


class Sinc(Operation, trusted=True):
    """Normalized sinc; 1 at 0."""

    # The Taylor series of sinc'(x) / (pi**2 x) in powers of (pi x)**2, highest power first.
    SERIES = tuple((-1) ** k * 2 * k / math.factorial(2 * k + 1) for k in range(11, 0, -1))

    _f = staticmethod(float_or_array(lambda x: math.sin(math.pi * x) / (math.pi * x) if x else 1.0, np.sinc))

    def _vjp(dldy, y, x):
        near = abs(value_of(x)) < 0.5  # where the difference below would lose accuracy
        small, large = where(near, x, 0.0), where(near, 1.0, x)
        series = math.pi**2 * small * polynomial(Sinc.SERIES, math.pi**2 * small * small)
        return dldy * where(near, series, (cos(math.pi * large) - evaluate(Sinc, large)) / large)

    _df = (_vjp,)


class Erf(Operation, trusted=True):
    """Error function."""

    # erf(x) = x T(x^2) / U(x^2) below 1, and 1 - exp(-x^2) P(x) / Q(x) above, highest power first.
    T = (9.60497373987051638749, 90.0260197203842689217, 2232.00534594684319226, 7003.32514112805075473,
         55592.3013010394962768)  # fmt: skip
    U = (1.0, 33.5617141647503099647, 521.357949780152679795, 4594.32382970980127987, 22629.0000613890934246,
         49267.3942608635921086)  # fmt: skip
    P = (2.46196981473530512524e-10, 0.564189564831068821977, 7.46321056442269912687, 48.6371970985681366614,
         196.520832956077098242, 526.445194995477358631, 934.528527171957607540, 1027.55188689515710272,
         557.535335369399327526)  # fmt: skip
    Q = (1.0, 13.2281951154744992508, 86.7072140885989742329, 354.937778887819891062, 975.708501743205489753,
         1823.90916687909736289, 2246.33760818710981792, 1656.66309194161350182, 557.535340817727675546)  # fmt: skip

    def _full(x):
        z = np.abs(x).astype(np.result_type(x, np.float32)).clip(max=6.0)  # erf is 1 beyond
        square = z * z
        low = z * polynomial(Erf.T, square) / polynomial(Erf.U, square)
        high = 1.0 - np.exp(-square) * polynomial(Erf.P, z) / polynomial(Erf.Q, z)
        return np.copysign(np.where(z < 1.0, low, high), x).astype(np.result_type(x, np.float16))

    _f = staticmethod(float_or_array(math.erf, _full))

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

    References
    ----------
    S. L. Moshier, Cephes Mathematical Library, ndtr.c, for the coefficients.

    Examples
    --------
    >>> round(erf(1).value, 12)
    0.84270079295
    """
    return Erf.apply(x)
