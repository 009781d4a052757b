"""Angles from sides: the inverse functions of the circle, and the hypotenuse, place by place."""

import math

import numpy as np

from dark.nodes import Operation, value_of
from dark.operations import numeric
from dark.operations.numeric import float_or_array, mask, sqrt


class Arcsin(Operation, trusted=True, ufunc=np.arcsin):
    """The angle with this sine; its slope at 1 and -1 is inf, outside NaN."""

    _f = staticmethod(float_or_array(math.asin, np.arcsin))
    _df = (lambda dldy, y, x: dldy / sqrt((1.0 - x) * (1.0 + x)),)

    domain = ((-0.9, 0.9),)


class Arccos(Operation, trusted=True, ufunc=np.arccos):
    """The angle with this cosine; its slope at 1 and -1 is -inf, outside NaN."""

    _f = staticmethod(float_or_array(math.acos, np.arccos))
    _df = (lambda dldy, y, x: -dldy / sqrt((1.0 - x) * (1.0 + x)),)

    domain = ((-0.9, 0.9),)


class Arctan(Operation, trusted=True, ufunc=np.arctan):
    """The angle with this tangent, between the two right angles."""

    _f = staticmethod(float_or_array(math.atan, np.arctan))

    def _vjp(dldy, y, x):
        r = numeric.hypot(x, 1.0)  # whose square might overflow
        return dldy / r / r

    _df = (_vjp,)


class Arctan2(Operation, trusted=True, ufunc=np.arctan2):
    """The angle of the point with height a and abscissa b; at the origin the slopes are 0."""

    @staticmethod
    def _f(a, b):
        return math.atan2(a, b) if type(a) is type(b) is float else np.arctan2(a, b)

    def _radius(a, b):
        r = numeric.hypot(a, b)
        return r + mask(value_of(r) == 0)

    def _height(dldy, y, a, b):
        r = Arctan2._radius(a, b)
        return dldy * (b / r) / r

    def _abscissa(dldy, y, a, b):
        r = Arctan2._radius(a, b)
        return -dldy * (a / r) / r

    _df = (_height, _abscissa)

    domain = ((0.3, 3.0), (-3.0, 3.0))


class Hypot(Operation, trusted=True, ufunc=np.hypot):
    """The length of the hypotenuse over two legs; at the origin it has no slope, NaN."""

    _f = staticmethod(numeric.hypot)
    _df = (lambda dldy, y, a, b: dldy * (a / y), lambda dldy, y, a, b: dldy * (b / y))

    domain = ((0.3, 3.0), (-3.0, 3.0))


def arcsin(x):
    """Compute the angle, in radians, that has this sine.

    Parameters
    ----------
    x : Node, float or array, any shape

    Returns
    -------
    Node, the same shape

    Notes
    -----
    Slope: ``1 / sqrt(1 - x**2)``, inf at 1 and -1. As in NumPy, NaN outside.

    Examples
    --------
    >>> round(arcsin(0.5).value, 6)
    0.523599
    """
    return Arcsin.apply(x)


def arccos(x):
    """Compute the angle, in radians, that has this cosine.

    Parameters
    ----------
    x : Node, float or array, any shape

    Returns
    -------
    Node, the same shape

    Notes
    -----
    Slope: ``-1 / sqrt(1 - x**2)``, -inf at 1 and -1. As in NumPy, NaN outside.

    Examples
    --------
    >>> arccos(1).value
    0.0
    """
    return Arccos.apply(x)


def arctan(x):
    """Compute the angle, in radians, that has this tangent.

    Parameters
    ----------
    x : Node, float or array, any shape

    Returns
    -------
    Node, the same shape

    Notes
    -----
    Slope: ``1 / (1 + x**2)``.

    Examples
    --------
    >>> round(4 * arctan(1).value, 6)
    3.141593
    """
    return Arctan.apply(x)


def arctan2(a, b):
    """Compute the angle, in radians, of the point with height `a` and abscissa `b`.

    Parameters
    ----------
    a, b : Node, float or array, shapes that broadcast

    Returns
    -------
    Node, the shape that the inputs broadcast to

    Raises
    ------
    ShapeError
        If the shapes do not broadcast.

    Notes
    -----
    Slopes: ``b / (a**2 + b**2)`` and ``-a / (a**2 + b**2)``; 0 at the origin, as in PyTorch.

    Examples
    --------
    >>> round(arctan2(1, -1).value, 6)
    2.356194
    """
    return Arctan2.apply(a, b)


def hypot(a, b):
    """Compute ``sqrt(a**2 + b**2)``, without overflow on the way.

    Parameters
    ----------
    a, b : Node, float or array, shapes that broadcast

    Returns
    -------
    Node, the shape that the inputs broadcast to

    Raises
    ------
    ShapeError
        If the shapes do not broadcast.

    Notes
    -----
    Slopes: ``a / hypot(a, b)`` and ``b / hypot(a, b)``; NaN at the origin, as in PyTorch.

    Examples
    --------
    >>> hypot(3, 4).value
    5.0
    """
    return Hypot.apply(a, b)
