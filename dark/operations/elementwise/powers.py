"""Roots, squares, reciprocals and absolute values, elementwise.

Each function takes a node, float or array `x` of any shape and returns a node of the same shape.
"""

from __future__ import annotations

import builtins
import math

import numpy as np

from dark.nodes import Node, Operation
from dark.nodes.protocols import UFUNCS
from dark.operations import numeric
from dark.operations.numeric import float_or_array, sign
from dark.typing import ArrayLike


class Sqrt(Operation, trusted=True, ufunc=np.sqrt):
    """Square root; the derivative at 0 is inf."""

    _f = staticmethod(numeric.sqrt)
    _df = (lambda dldy, y, x: dldy / (2.0 * y),)

    domain = ((0.1, 3.0),)


class Cbrt(Operation, trusted=True, ufunc=np.cbrt):
    """Cube root, also of negative numbers; the derivative at 0 is inf."""

    _f = staticmethod(float_or_array(math.cbrt, np.cbrt))
    _df = (lambda dldy, y, x: dldy / (3.0 * y * y),)

    kinks = (0.0,)


class Square(Operation, trusted=True, ufunc=np.square):
    """Square."""

    _f = staticmethod(lambda x: x * x)
    _df = (lambda dldy, y, x: dldy * (2.0 * x),)


class Reciprocal(Operation, trusted=True, ufunc=np.reciprocal):
    """Reciprocal; inf at 0."""

    _f = staticmethod(lambda x: 1.0 / x)
    _df = (lambda dldy, y, x: -dldy * y * y,)

    domain = ((0.3, 3.0),)


class Abs(Operation, trusted=True, sign="abs", ufunc=np.absolute):
    """Absolute value; the derivative at 0 is 0."""

    _f = staticmethod(builtins.abs)
    _df = (lambda dldy, y, x: dldy * sign(x),)

    kinks = (0.0,)


UFUNCS[np.fabs] = Abs  # NumPy's absolute for floats


def sqrt(x: ArrayLike) -> Node:
    """Compute the square root; NaN for negative numbers. Derivative: ``1 / (2 * sqrt(x))``, inf at 0.

    >>> sqrt(9).value
    3.0
    """
    return Sqrt.apply(x)


def cbrt(x: ArrayLike) -> Node:
    """Compute the cube root, also of negative numbers. Derivative: ``1 / (3 * cbrt(x)**2)``, inf at 0.

    >>> cbrt(-8).value
    -2.0
    """
    return Cbrt.apply(x)


def square(x: ArrayLike) -> Node:
    """Compute the square. Derivative: ``2 * x``.

    >>> square(-3).value
    9.0
    """
    return Square.apply(x)


def reciprocal(x: ArrayLike) -> Node:
    """Compute ``1 / x``; inf at 0. An integer counts as a float. Derivative: ``-1 / x**2``.

    >>> reciprocal(4).value
    0.25
    """
    return Reciprocal.apply(x)


def abs(x: ArrayLike) -> Node:
    """Compute the absolute value. Derivative: ``sign(x)``, which is 0 at 0, as in PyTorch.

    >>> abs(-3).value
    3.0
    """
    return Abs.apply(x)
