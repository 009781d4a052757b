"""Exponentials and logarithms, hyperbolic functions and their inverses, elementwise.

Each function takes a node, float or array `x` of any shape and returns a node of the same shape. Outside their domain
the results are those of NumPy, such as NaN; a logarithm is -inf at its end.
"""

from __future__ import annotations

import math

import numpy as np

from dark.nodes import Node, Operation
from dark.operations import numeric
from dark.operations.numeric import float_or_array, hypot, sqrt
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


class Sinh(Operation, trusted=True, ufunc=np.sinh):
    """Hyperbolic sine."""

    _f = staticmethod(numeric.sinh)
    _df = (lambda dldy, y, x: dldy * numeric.cosh(x),)


class Cosh(Operation, trusted=True, ufunc=np.cosh):
    """Hyperbolic cosine."""

    _f = staticmethod(numeric.cosh)
    _df = (lambda dldy, y, x: dldy * numeric.sinh(x),)


class Tanh(Operation, trusted=True, ufunc=np.tanh):
    """Hyperbolic tangent."""

    _f = staticmethod(numeric.tanh)
    _df = (lambda dldy, y, x: (1.0 - y * y) * dldy,)


class Arcsinh(Operation, trusted=True, ufunc=np.arcsinh):
    """Inverse hyperbolic sine."""

    _f = staticmethod(float_or_array(math.asinh, np.arcsinh))
    _df = (lambda dldy, y, x: dldy / hypot(x, 1.0),)


class Arccosh(Operation, trusted=True, ufunc=np.arccosh):
    """Inverse hyperbolic cosine; the derivative at 1 is inf."""

    _f = staticmethod(float_or_array(math.acosh, np.arccosh))
    _df = (lambda dldy, y, x: dldy / (sqrt(x - 1.0) * sqrt(x + 1.0)),)

    domain = ((1.2, 3.0),)


class Arctanh(Operation, trusted=True, ufunc=np.arctanh):
    """Inverse hyperbolic tangent; inf at 1."""

    _f = staticmethod(float_or_array(math.atanh, np.arctanh))
    _df = (lambda dldy, y, x: dldy / ((1.0 - x) * (1.0 + x)),)

    domain = ((-0.9, 0.9),)


def sinh(x: ArrayLike) -> Node:
    """Compute the hyperbolic sine. Derivative: ``cosh(x)``.

    >>> sinh(0).value
    0.0
    """
    return Sinh.apply(x)


def cosh(x: ArrayLike) -> Node:
    """Compute the hyperbolic cosine. Derivative: ``sinh(x)``.

    >>> cosh(0).value
    1.0
    """
    return Cosh.apply(x)


def tanh(x: ArrayLike) -> Node:
    """Compute the hyperbolic tangent. Derivative: ``1 - tanh(x)**2``.

    >>> tanh(0).value, tanh(1000).value
    (0.0, 1.0)
    """
    return Tanh.apply(x)


def arcsinh(x: ArrayLike) -> Node:
    """Compute the inverse hyperbolic sine. Derivative: ``1 / sqrt(x**2 + 1)``.

    >>> arcsinh(0).value
    0.0
    """
    return Arcsinh.apply(x)


def arccosh(x: ArrayLike) -> Node:
    """Compute the non-negative inverse hyperbolic cosine. Derivative: ``1 / sqrt(x**2 - 1)``, inf at 1.

    >>> arccosh(1).value
    0.0
    """
    return Arccosh.apply(x)


def arctanh(x: ArrayLike) -> Node:
    """Compute the inverse hyperbolic tangent; inf at 1, -inf at -1. Derivative: ``1 / (1 - x**2)``.

    >>> arctanh(0).value
    0.0
    """
    return Arctanh.apply(x)
