"""Trigonometric functions, and conversions between degrees and radians, elementwise.

Each function takes a node, float or array `x` of any shape and returns a node of the same shape. Angles are
in radians unless stated otherwise.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from dark.nodes import Node, Operation
from dark.nodes.protocols import UFUNCS
from dark.operations import numeric
from dark.operations.numeric import float_or_array

if TYPE_CHECKING:
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
