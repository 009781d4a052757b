"""Exponentials and logarithms, place by place."""

import math

import numpy as np

from dark.nodes import Operation
from dark.operations import numeric
from dark.operations.numeric import float_or_array

LN2, LN10 = math.log(2.0), math.log(10.0)


class Exp(Operation, trusted=True, ufunc=np.exp):
    """The exponential."""

    _f = staticmethod(numeric.exp)
    _df = (lambda dldy, y, x: dldy * y,)


class Exp2(Operation, trusted=True, ufunc=np.exp2):
    """The power of 2."""

    _f = staticmethod(float_or_array(math.exp2, np.exp2))
    _df = (lambda dldy, y, x: dldy * y * LN2,)


class Expm1(Operation, trusted=True, ufunc=np.expm1):
    """The exponential less 1, exact near 0."""

    _f = staticmethod(float_or_array(math.expm1, np.expm1))
    _df = (lambda dldy, y, x: dldy * numeric.exp(x),)


class Log(Operation, trusted=True, ufunc=np.log):
    """The natural logarithm; -inf at 0, NaN below."""

    _f = staticmethod(numeric.log)
    _df = (lambda dldy, y, x: dldy / x,)

    domain = ((0.1, 3.0),)


class Log2(Operation, trusted=True, ufunc=np.log2):
    """The logarithm to base 2; -inf at 0, NaN below."""

    _f = staticmethod(float_or_array(math.log2, np.log2))
    _df = (lambda dldy, y, x: dldy / (x * LN2),)

    domain = ((0.1, 3.0),)


class Log10(Operation, trusted=True, ufunc=np.log10):
    """The logarithm to base 10; -inf at 0, NaN below."""

    _f = staticmethod(float_or_array(math.log10, np.log10))
    _df = (lambda dldy, y, x: dldy / (x * LN10),)

    domain = ((0.1, 3.0),)


class Log1p(Operation, trusted=True, ufunc=np.log1p):
    """The natural logarithm of 1 + x, exact near 0; -inf at -1, NaN below."""

    _f = staticmethod(float_or_array(math.log1p, np.log1p))
    _df = (lambda dldy, y, x: dldy / (1.0 + x),)

    domain = ((-0.9, 3.0),)


def exp(x):
    """Compute the exponential.

    Parameters
    ----------
    x : Node, float or array, any shape

    Returns
    -------
    Node, the same shape

    Notes
    -----
    Slope: ``exp(x)``.

    Examples
    --------
    >>> exp(0).value, exp(1000).value
    (1.0, inf)
    """
    return Exp.apply(x)


def exp2(x):
    """Compute 2 to the power of x.

    Parameters
    ----------
    x : Node, float or array, any shape

    Returns
    -------
    Node, the same shape

    Notes
    -----
    Slope: ``exp2(x) * log(2)``.

    Examples
    --------
    >>> exp2(3).value
    8.0
    """
    return Exp2.apply(x)


def expm1(x):
    """Compute the exponential less 1, without losing digits near 0.

    Parameters
    ----------
    x : Node, float or array, any shape

    Returns
    -------
    Node, the same shape

    Notes
    -----
    Slope: ``exp(x)``.

    Examples
    --------
    >>> expm1(1e-12).value
    1.0000000000005e-12
    """
    return Expm1.apply(x)


def log(x):
    """Compute the natural logarithm.

    Parameters
    ----------
    x : Node, float or array, any shape

    Returns
    -------
    Node, the same shape

    Notes
    -----
    Slope: ``1 / x``. As in NumPy, -inf at 0 and NaN below.

    Examples
    --------
    >>> log(1).value, log(0).value
    (0.0, -inf)
    """
    return Log.apply(x)


def log2(x):
    """Compute the logarithm to base 2.

    Parameters
    ----------
    x : Node, float or array, any shape

    Returns
    -------
    Node, the same shape

    Notes
    -----
    Slope: ``1 / (x * log(2))``. As in NumPy, -inf at 0 and NaN below.

    Examples
    --------
    >>> log2(8).value
    3.0
    """
    return Log2.apply(x)


def log10(x):
    """Compute the logarithm to base 10.

    Parameters
    ----------
    x : Node, float or array, any shape

    Returns
    -------
    Node, the same shape

    Notes
    -----
    Slope: ``1 / (x * log(10))``. As in NumPy, -inf at 0 and NaN below.

    Examples
    --------
    >>> log10(1000).value
    3.0
    """
    return Log10.apply(x)


def log1p(x):
    """Compute the natural logarithm of 1 + x, without losing digits near 0.

    Parameters
    ----------
    x : Node, float or array, any shape

    Returns
    -------
    Node, the same shape

    Notes
    -----
    Slope: ``1 / (1 + x)``. As in NumPy, -inf at -1 and NaN below.

    Examples
    --------
    >>> log1p(1e-12).value
    9.999999999995e-13
    """
    return Log1p.apply(x)
