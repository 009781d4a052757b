"""Trigonometric functions and their inverses, the hypotenuse, and conversions of degrees and radians, elementwise.

Each function takes nodes, floats or arrays whose shapes broadcast and returns a node of the broadcast shape. Angles
are in radians unless stated otherwise; outside the domain the result is NaN, as in NumPy.
"""

from __future__ import annotations

import math

import numpy as np

from dark.nodes import Node, Operation, value_of
from dark.nodes.protocols import UFUNCS
from dark.operations import numeric
from dark.operations.numeric import float_or_array, mask, sqrt
from dark.typing import ArrayLike

DEGREE = math.pi / 180.0


class Sin(Operation, trusted=True, ufunc=np.sin):
    """Sine."""

    _f = staticmethod(numeric.sin)
    _df = (lambda dldy, y, x: dldy * numeric.cos(x),)


class Cos(Operation, trusted=True, ufunc=np.cos):
    """Cosine."""

    _f = staticmethod(numeric.cos)
    _df = (lambda dldy, y, x: -dldy * numeric.sin(x),)


class Tan(Operation, trusted=True, ufunc=np.tan):
    """Tangent."""

    _f = staticmethod(float_or_array(math.tan, np.tan))
    _df = (lambda dldy, y, x: dldy * (1.0 + y * y),)

    domain = ((-1.2, 1.2),)


class Deg2rad(Operation, trusted=True, ufunc=np.deg2rad):
    """Conversion from degrees to radians."""

    _f = staticmethod(lambda x: x * DEGREE)
    _df = (lambda dldy, y, x: dldy * DEGREE,)


class Rad2deg(Operation, trusted=True, ufunc=np.rad2deg):
    """Conversion from radians to degrees."""

    _f = staticmethod(lambda x: x / DEGREE)
    _df = (lambda dldy, y, x: dldy / DEGREE,)


UFUNCS[np.radians], UFUNCS[np.degrees] = Deg2rad, Rad2deg  # NumPy's aliases


def sin(x: ArrayLike) -> Node:
    """Compute the sine. Derivative: ``cos(x)``.

    >>> sin(0).value
    0.0
    """
    return Sin.apply(x)


def cos(x: ArrayLike) -> Node:
    """Compute the cosine. Derivative: ``-sin(x)``.

    >>> cos(0).value
    1.0
    """
    return Cos.apply(x)


def tan(x: ArrayLike) -> Node:
    """Compute the tangent. Derivative: ``1 + tan(x)**2``.

    >>> tan(0).value
    0.0
    """
    return Tan.apply(x)


def deg2rad(x: ArrayLike) -> Node:
    """Convert degrees to radians. Derivative: ``pi / 180``.

    >>> deg2rad(180).value
    3.141592653589793
    """
    return Deg2rad.apply(x)


def rad2deg(x: ArrayLike) -> Node:
    """Convert radians to degrees. Derivative: ``180 / pi``.

    >>> round(rad2deg(1).value, 6)
    57.29578
    """
    return Rad2deg.apply(x)


class Arcsin(Operation, trusted=True, ufunc=np.arcsin):
    """Inverse sine; the derivative at -1 and 1 is inf."""

    _f = staticmethod(float_or_array(math.asin, np.arcsin))
    _df = (lambda dldy, y, x: dldy / sqrt((1.0 - x) * (1.0 + x)),)

    domain = ((-0.9, 0.9),)


class Arccos(Operation, trusted=True, ufunc=np.arccos):
    """Inverse cosine; the derivative at -1 and 1 is -inf."""

    _f = staticmethod(float_or_array(math.acos, np.arccos))
    _df = (lambda dldy, y, x: -dldy / sqrt((1.0 - x) * (1.0 + x)),)

    domain = ((-0.9, 0.9),)


class Arctan(Operation, trusted=True, ufunc=np.arctan):
    """Inverse tangent."""

    _f = staticmethod(float_or_array(math.atan, np.arctan))

    @staticmethod
    def _vjp(dldy, y, x):
        r = numeric.hypot(x, 1.0)  # its square could overflow
        return dldy / r / r

    _df = (_vjp,)


class Arctan2(Operation, trusted=True, ufunc=np.arctan2):
    """Angle of the point with ordinate a and abscissa b; the derivatives at the origin are 0."""

    _f = staticmethod(lambda a, b: math.atan2(a, b) if type(a) is type(b) is float else np.arctan2(a, b))

    @staticmethod
    def _radius(a, b):
        r = numeric.hypot(a, b)
        return r + mask(value_of(r) == 0)

    @staticmethod
    def _ordinate(dldy, y, a, b):
        r = Arctan2._radius(a, b)
        return dldy * (b / r) / r

    @staticmethod
    def _abscissa(dldy, y, a, b):
        r = Arctan2._radius(a, b)
        return -dldy * (a / r) / r

    _df = (_ordinate, _abscissa)

    domain = ((0.3, 3.0), (-3.0, 3.0))


class Hypot(Operation, trusted=True, ufunc=np.hypot):
    """Length of the hypotenuse; the derivatives at the origin are NaN."""

    _f = staticmethod(numeric.hypot)
    _df = (lambda dldy, y, a, b: dldy * (a / y), lambda dldy, y, a, b: dldy * (b / y))

    domain = ((0.3, 3.0), (-3.0, 3.0))


def arcsin(x: ArrayLike) -> Node:
    """Compute the inverse sine. Derivative: ``1 / sqrt(1 - x**2)``, inf at -1 and 1.

    >>> round(arcsin(0.5).value, 6)
    0.523599
    """
    return Arcsin.apply(x)


def arccos(x: ArrayLike) -> Node:
    """Compute the inverse cosine. Derivative: ``-1 / sqrt(1 - x**2)``, -inf at -1 and 1.

    >>> arccos(1).value
    0.0
    """
    return Arccos.apply(x)


def arctan(x: ArrayLike) -> Node:
    """Compute the inverse tangent. Derivative: ``1 / (1 + x**2)``.

    >>> round(4 * arctan(1).value, 6)
    3.141593
    """
    return Arctan.apply(x)


def arctan2(a: ArrayLike, b: ArrayLike) -> Node:
    """Compute the angle of the point with ordinate `a` and abscissa `b`, from -pi to pi.

    Derivatives: ``b / (a**2 + b**2)`` and ``-a / (a**2 + b**2)``; 0 at the origin, as in PyTorch.

    >>> round(arctan2(1, -1).value, 6)
    2.356194
    """
    return Arctan2.apply(a, b)


def hypot(a: ArrayLike, b: ArrayLike) -> Node:
    """Compute ``sqrt(a**2 + b**2)``, without overflow in between.

    Derivatives: ``a / hypot(a, b)`` and ``b / hypot(a, b)``; NaN at the origin, as in PyTorch.

    >>> hypot(3, 4).value
    5.0
    """
    return Hypot.apply(a, b)
