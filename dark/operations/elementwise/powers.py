"""Roots, squares, reciprocals and absolute values, place by place."""

import builtins
import math

import numpy as np

from dark.nodes import Operation
from dark.nodes.protocols import UFUNCS
from dark.operations import numeric
from dark.operations.numeric import float_or_array, sign


class Sqrt(Operation, trusted=True, ufunc=np.sqrt):
    """The square root; its slope at 0 is inf, below 0 it is NaN."""

    _f = staticmethod(numeric.sqrt)
    _df = (lambda dldy, y, x: dldy / (2.0 * y),)

    domain = ((0.1, 3.0),)


class Cbrt(Operation, trusted=True, ufunc=np.cbrt):
    """The cube root, of negative numbers too; its slope at 0 is inf."""

    _f = staticmethod(float_or_array(math.cbrt, np.cbrt))
    _df = (lambda dldy, y, x: dldy / (3.0 * y * y),)

    kinks = (0.0,)


class Square(Operation, trusted=True, ufunc=np.square):
    """The number times itself."""

    @staticmethod
    def _f(x):
        return x * x

    _df = (lambda dldy, y, x: dldy * (2.0 * x),)


class Reciprocal(Operation, trusted=True, ufunc=np.reciprocal):
    """One divided by the number; inf at 0."""

    @staticmethod
    def _f(x):
        return 1.0 / x

    _df = (lambda dldy, y, x: -dldy * y * y,)

    domain = ((0.3, 3.0),)


class Abs(Operation, trusted=True, sign="abs", ufunc=np.absolute):
    """The absolute value; at 0 the slope is 0."""

    _f = staticmethod(builtins.abs)
    _df = (lambda dldy, y, x: dldy * sign(x),)

    kinks = (0.0,)


UFUNCS[np.fabs] = Abs  # NumPy's other name for it, for floats


def sqrt(x):
    """Compute the square root.

    Parameters
    ----------
    x : Node, float or array, any shape

    Returns
    -------
    Node, the same shape

    Notes
    -----
    Slope: ``1 / (2 * sqrt(x))``, inf at 0. As in NumPy, NaN below 0.

    Examples
    --------
    >>> sqrt(9).value
    3.0
    """
    return Sqrt.apply(x)


def cbrt(x):
    """Compute the cube root, which negative numbers have too.

    Parameters
    ----------
    x : Node, float or array, any shape

    Returns
    -------
    Node, the same shape

    Notes
    -----
    Slope: ``1 / (3 * cbrt(x)**2)``, inf at 0.

    Examples
    --------
    >>> cbrt(-8).value
    -2.0
    """
    return Cbrt.apply(x)


def square(x):
    """Multiply by itself.

    Parameters
    ----------
    x : Node, float or array, any shape

    Returns
    -------
    Node, the same shape

    Notes
    -----
    Slope: ``2 * x``.

    Examples
    --------
    >>> square(-3).value
    9.0
    """
    return Square.apply(x)


def reciprocal(x):
    """Divide 1 by the number.

    Parameters
    ----------
    x : Node, float or array, any shape

    Returns
    -------
    Node, the same shape

    Notes
    -----
    Slope: ``-1 / x**2``. As in NumPy, inf at 0; an integer counts as a float.

    Examples
    --------
    >>> reciprocal(4).value
    0.25
    """
    return Reciprocal.apply(x)


def abs(x):
    """Compute the absolute value.

    Parameters
    ----------
    x : Node, float or array, any shape

    Returns
    -------
    Node, the same shape

    Notes
    -----
    Slope: 1 above 0, -1 below, and 0 at 0 itself, as in PyTorch.

    Examples
    --------
    >>> abs(-3).value
    3.0
    """
    return Abs.apply(x)
