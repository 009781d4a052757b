"""The hyperbolic functions and their inverses, place by place."""

import math

import numpy as np

from dark.nodes import Operation
from dark.operations import numeric
from dark.operations.numeric import float_or_array, hypot, sqrt


class Sinh(Operation, trusted=True, ufunc=np.sinh):
    """The hyperbolic sine."""

    _f = staticmethod(numeric.sinh)
    _df = (lambda dldy, y, x: dldy * numeric.cosh(x),)


class Cosh(Operation, trusted=True, ufunc=np.cosh):
    """The hyperbolic cosine."""

    _f = staticmethod(numeric.cosh)
    _df = (lambda dldy, y, x: dldy * numeric.sinh(x),)


class Tanh(Operation, trusted=True, ufunc=np.tanh):
    """The hyperbolic tangent."""

    _f = staticmethod(numeric.tanh)
    _df = (lambda dldy, y, x: (1.0 - y * y) * dldy,)


class Arcsinh(Operation, trusted=True, ufunc=np.arcsinh):
    """The number with this hyperbolic sine."""

    _f = staticmethod(float_or_array(math.asinh, np.arcsinh))
    _df = (lambda dldy, y, x: dldy / hypot(x, 1.0),)


class Arccosh(Operation, trusted=True, ufunc=np.arccosh):
    """The number above 0 with this hyperbolic cosine; its slope at 1 is inf, below NaN."""

    _f = staticmethod(float_or_array(math.acosh, np.arccosh))
    _df = (lambda dldy, y, x: dldy / (sqrt(x - 1.0) * sqrt(x + 1.0)),)

    domain = ((1.2, 3.0),)


class Arctanh(Operation, trusted=True, ufunc=np.arctanh):
    """The number with this hyperbolic tangent; inf at 1, NaN beyond."""

    _f = staticmethod(float_or_array(math.atanh, np.arctanh))
    _df = (lambda dldy, y, x: dldy / ((1.0 - x) * (1.0 + x)),)

    domain = ((-0.9, 0.9),)


def sinh(x):
    """Compute the hyperbolic sine.

    Parameters
    ----------
    x : Node, float or array, any shape

    Returns
    -------
    Node, the same shape

    Notes
    -----
    Slope: ``cosh(x)``.

    Examples
    --------
    >>> sinh(0).value
    0.0
    """
    return Sinh.apply(x)


def cosh(x):
    """Compute the hyperbolic cosine.

    Parameters
    ----------
    x : Node, float or array, any shape

    Returns
    -------
    Node, the same shape

    Notes
    -----
    Slope: ``sinh(x)``.

    Examples
    --------
    >>> cosh(0).value
    1.0
    """
    return Cosh.apply(x)


def tanh(x):
    """Compute the hyperbolic tangent.

    Parameters
    ----------
    x : Node, float or array, any shape

    Returns
    -------
    Node, the same shape

    Notes
    -----
    Slope: ``1 - tanh(x)**2``.

    Examples
    --------
    >>> tanh(0).value, tanh(1000).value
    (0.0, 1.0)
    """
    return Tanh.apply(x)


def arcsinh(x):
    """Compute the number that has this hyperbolic sine.

    Parameters
    ----------
    x : Node, float or array, any shape

    Returns
    -------
    Node, the same shape

    Notes
    -----
    Slope: ``1 / sqrt(x**2 + 1)``.

    Examples
    --------
    >>> arcsinh(0).value
    0.0
    """
    return Arcsinh.apply(x)


def arccosh(x):
    """Compute the number, not negative, that has this hyperbolic cosine.

    Parameters
    ----------
    x : Node, float or array, any shape

    Returns
    -------
    Node, the same shape

    Notes
    -----
    Slope: ``1 / sqrt(x**2 - 1)``, inf at 1. As in NumPy, NaN below 1.

    Examples
    --------
    >>> arccosh(1).value
    0.0
    """
    return Arccosh.apply(x)


def arctanh(x):
    """Compute the number that has this hyperbolic tangent.

    Parameters
    ----------
    x : Node, float or array, any shape

    Returns
    -------
    Node, the same shape

    Notes
    -----
    Slope: ``1 / (1 - x**2)``. As in NumPy, inf at 1, -inf at -1, NaN outside.

    Examples
    --------
    >>> arctanh(0).value
    0.0
    """
    return Arctanh.apply(x)
