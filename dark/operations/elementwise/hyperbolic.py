"""Hyperbolic functions and their inverses, elementwise.

Each function takes a node, float or array `x` of any shape and returns a node of the same shape. Outside the
domain the result is NaN, as in NumPy.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from dark.nodes import Node, Operation
from dark.operations import numeric
from dark.operations.numeric import float_or_array, hypot, sqrt

if TYPE_CHECKING:
    from dark.typing import ArrayLike


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
