"""Remainders of a division, `remainder`, which is ``%``, and `fmod`; and NumPy's power in float64, `float_power`."""

from __future__ import annotations

import math

import numpy as np

from dark.nodes import Node, Operation, value_of
from dark.nodes.protocols import implements
from dark.operations.elementwise.arithmetic import pow
from dark.typing import ArrayLike


def quotient(a, b, y):
    """Return the integer n in ``y = a - n * b``; it is constant between the jumps, so it has no derivative."""
    with np.errstate(all="ignore"):  # the forward pass has warned of a division by 0
        n = np.rint(np.divide(value_of(a) - value_of(y), value_of(b)))
    return float(n) if type(n) is np.float64 else n


class Remainder(Operation, trusted=True, sign="%", ufunc=np.remainder):
    """Remainder with the sign of the divisor; NaN for a division by 0."""

    _f = staticmethod(lambda a, b: a % b)
    _df = (lambda dldy, y, a, b: dldy, lambda dldy, y, a, b: -dldy * quotient(a, b, y))

    domain = ((6.5, 7.0), (2.4, 3.2))  # the quotient is 2, without a jump


class Fmod(Operation, trusted=True, ufunc=np.fmod):
    """Remainder with the sign of the dividend; NaN for a division by 0."""

    @staticmethod
    def _f(a, b):
        if type(a) is type(b) is float:
            return math.fmod(a, b) if b and math.isfinite(a) else math.nan
        return np.fmod(a, b)

    _df = Remainder.vjps

    domain = ((-7.0, -6.5), (2.4, 3.2))


def remainder(a: ArrayLike, b: ArrayLike) -> Node:
    """Compute the remainder of a division: ``a % b``, which is ``a - b * floor(a / b)`` and has the sign of `b`.

    The derivatives are 1 and ``-floor(a / b)``, as in PyTorch, also at the jumps.

    >>> remainder(7.5, 2).value, remainder(-1, 3).value
    (1.5, 2.0)
    """
    return Remainder.apply(a, b)


def fmod(a: ArrayLike, b: ArrayLike) -> Node:
    """Compute the remainder of a division that rounds toward 0, which has the sign of `a`.

    >>> fmod(7.5, 2).value, fmod(-1, 3).value
    (1.5, -1.0)
    """
    return Fmod.apply(a, b)


@implements(np.float_power)
def float_power(x, n):
    """Compute ``x ** n`` in float64, as NumPy does.

    >>> import dark
    >>> np.float_power(dark.Parameter(np.float32(3)), 2).value
    9.0
    """
    return pow(_as_float64(x), _as_float64(n))


def _as_float64(x):
    return x.astype(np.float64) if isinstance(x, Node) and x.dtype.itemsize < 8 else x
