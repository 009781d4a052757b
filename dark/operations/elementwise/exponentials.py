"""Exponentials and logarithms, elementwise.

Each function takes a node, float or array `x` of any shape and returns a node of the same shape. Logarithms
are -inf at the end of their domain and NaN beyond it, as in NumPy.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from dark.nodes import Node, Operation
from dark.operations import numeric
from dark.operations.numeric import float_or_array

if TYPE_CHECKING:
    from dark.typing import ArrayLike

LN2, LN10 = math.log(2.0), math.log(10.0)


class Exp(Operation, trusted=True, ufunc=np.exp):
    """Exponential function."""

    _f = staticmethod(numeric.exp)
    _df = (lambda dldy, y, x: dldy * y,)


class Exp2(Operation, trusted=True, ufunc=np.exp2):
    """Base-2 exponential."""

    _f = staticmethod(float_or_array(math.exp2, np.exp2))
    _df = (lambda dldy, y, x: dldy * y * LN2,)


class Expm1(Operation, trusted=True, ufunc=np.expm1):
    """``exp(x) - 1``, accurate near 0."""

    _f = staticmethod(float_or_array(math.expm1, np.expm1))
    _df = (lambda dldy, y, x: dldy * numeric.exp(x),)


class Log(Operation, trusted=True, ufunc=np.log):
    """Natural logarithm."""

    _f = staticmethod(numeric.log)
    _df = (lambda dldy, y, x: dldy / x,)

    domain = ((0.1, 3.0),)


class Log2(Operation, trusted=True, ufunc=np.log2):
    """Base-2 logarithm."""

    _f = staticmethod(float_or_array(math.log2, np.log2))
    _df = (lambda dldy, y, x: dldy / (x * LN2),)

    domain = ((0.1, 3.0),)


class Log10(Operation, trusted=True, ufunc=np.log10):
    """Base-10 logarithm."""

    _f = staticmethod(float_or_array(math.log10, np.log10))
    _df = (lambda dldy, y, x: dldy / (x * LN10),)

    domain = ((0.1, 3.0),)


class Log1p(Operation, trusted=True, ufunc=np.log1p):
    """``log(1 + x)``, accurate near 0."""

    _f = staticmethod(float_or_array(math.log1p, np.log1p))
    _df = (lambda dldy, y, x: dldy / (1.0 + x),)

    domain = ((-0.9, 3.0),)


def exp(x: ArrayLike) -> Node:
    """Compute the exponential. Derivative: ``exp(x)``.

    >>> exp(0).value, exp(1000).value
    (1.0, inf)
    """
    return Exp.apply(x)


def exp2(x: ArrayLike) -> Node:
    """Compute ``2 ** x``. Derivative: ``2 ** x * log(2)``.

    >>> exp2(3).value
    8.0
    """
    return Exp2.apply(x)


def expm1(x: ArrayLike) -> Node:
    """Compute ``exp(x) - 1``, accurate near 0. Derivative: ``exp(x)``.

    >>> expm1(1e-12).value
    1.0000000000005e-12
    """
    return Expm1.apply(x)


def log(x: ArrayLike) -> Node:
    """Compute the natural logarithm. Derivative: ``1 / x``.

    >>> log(1).value, log(0).value
    (0.0, -inf)
    """
    return Log.apply(x)


def log2(x: ArrayLike) -> Node:
    """Compute the base-2 logarithm. Derivative: ``1 / (x * log(2))``.

    >>> log2(8).value
    3.0
    """
    return Log2.apply(x)


def log10(x: ArrayLike) -> Node:
    """Compute the base-10 logarithm. Derivative: ``1 / (x * log(10))``.

    >>> log10(1000).value
    3.0
    """
    return Log10.apply(x)


def log1p(x: ArrayLike) -> Node:
    """Compute ``log(1 + x)``, accurate near 0. Derivative: ``1 / (1 + x)``.

    >>> log1p(1e-12).value
    9.999999999995e-13
    """
    return Log1p.apply(x)
