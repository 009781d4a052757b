"""Functions of an angle, and conversions of angles, place by place."""

import math

import numpy as np

from dark.nodes import Operation
from dark.nodes.protocols import UFUNCS
from dark.operations import numeric
from dark.operations.numeric import float_or_array

DEGREE = math.pi / 180.0


class Sin(Operation, trusted=True, ufunc=np.sin):
    """The sine of an angle in radians."""

    _f = staticmethod(numeric.sin)
    _df = (lambda dldy, y, x: dldy * numeric.cos(x),)


class Cos(Operation, trusted=True, ufunc=np.cos):
    """The cosine of an angle in radians."""

    _f = staticmethod(numeric.cos)
    _df = (lambda dldy, y, x: -dldy * numeric.sin(x),)


class Tan(Operation, trusted=True, ufunc=np.tan):
    """The tangent of an angle in radians."""

    _f = staticmethod(float_or_array(math.tan, np.tan))
    _df = (lambda dldy, y, x: dldy * (1.0 + y * y),)

    domain = ((-1.2, 1.2),)


class Deg2rad(Operation, trusted=True, ufunc=np.deg2rad):
    """Degrees as radians."""

    @staticmethod
    def _f(x):
        return x * DEGREE

    _df = (lambda dldy, y, x: dldy * DEGREE,)


class Rad2deg(Operation, trusted=True, ufunc=np.rad2deg):
    """Radians as degrees."""

    @staticmethod
    def _f(x):
        return x / DEGREE

    _df = (lambda dldy, y, x: dldy / DEGREE,)


UFUNCS[np.radians], UFUNCS[np.degrees] = Deg2rad, Rad2deg  # NumPy's other names for them


def sin(x):
    """Compute the sine of an angle in radians.

    Parameters
    ----------
    x : Node, float or array, any shape

    Returns
    -------
    Node, the same shape

    Notes
    -----
    Slope: ``cos(x)``.

    Examples
    --------
    >>> sin(0).value
    0.0
    """
    return Sin.apply(x)


def cos(x):
    """Compute the cosine of an angle in radians.

    Parameters
    ----------
    x : Node, float or array, any shape

    Returns
    -------
    Node, the same shape

    Notes
    -----
    Slope: ``-sin(x)``.

    Examples
    --------
    >>> cos(0).value
    1.0
    """
    return Cos.apply(x)


def tan(x):
    """Compute the tangent of an angle in radians.

    Parameters
    ----------
    x : Node, float or array, any shape

    Returns
    -------
    Node, the same shape

    Notes
    -----
    Slope: ``1 + tan(x)**2``.

    Examples
    --------
    >>> tan(0).value
    0.0
    """
    return Tan.apply(x)


def deg2rad(x):
    """Convert degrees to radians.

    Parameters
    ----------
    x : Node, float or array, any shape

    Returns
    -------
    Node, the same shape

    Notes
    -----
    Slope: ``pi / 180``.

    Examples
    --------
    >>> deg2rad(180).value
    3.141592653589793
    """
    return Deg2rad.apply(x)


def rad2deg(x):
    """Convert radians to degrees.

    Parameters
    ----------
    x : Node, float or array, any shape

    Returns
    -------
    Node, the same shape

    Notes
    -----
    Slope: ``180 / pi``.

    Examples
    --------
    >>> round(rad2deg(1).value, 6)
    57.29578
    """
    return Rad2deg.apply(x)
