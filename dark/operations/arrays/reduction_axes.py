"""The settings of reductions, and the broadcast of a gradient back to the shape of the input."""

import math

import numpy as np

from dark.checks import boolean
from dark.nodes import value_of
from dark.operations.axis_checks import input_shape, normalize_axes
from dark.operations.numeric import mask
from dark.spellings import axis_of

EXPECTS = "distinct axes of the array"
SAMPLES = (
    (((2, 3),), {"axis": None, "keepdims": False}), (((2, 3),), {"axis": None, "keepdims": True}),
    (((2, 3),), {"axis": 0, "keepdims": False}), (((2, 3),), {"axis": -1, "keepdims": True}),
    (((2, 3, 4),), {"axis": (0, -1), "keepdims": False}), (((2, 3, 4),), {"axis": (1, 0), "keepdims": True}),
    (((3,),), {"axis": 0, "keepdims": False}), (((),), {"axis": None, "keepdims": False}),
    (((0, 3),), {"axis": 1, "keepdims": False}),
)  # fmt: skip


FULL_REDUCTION = {"axis": None, "keepdims": False}  # the default, shared; never modified


def reduction_settings(who, x, axis, keepdims, pytorch=None):
    """Check `axis` and `keepdims`, and return them as settings; `pytorch` may hold `dim` and `keepdim` in their place.

    >>> reduction_settings("sum", np.ones((2, 3)), -1, False)
    {'axis': (1,), 'keepdims': False}
    """
    if pytorch:
        axis, keepdims = axis_of(who, pytorch, axis, keepdims)
    if axis is None and keepdims is False:
        return FULL_REDUCTION
    keepdims = boolean(keepdims, who, "keepdims")
    if axis is not None:
        axis = normalize_axes(axis, input_shape(x, who), who)
    return {"axis": axis, "keepdims": keepdims}


def reduced_axes(shape, axis):
    """Return the axes that a reduction removes, as non-negative integers.

    >>> reduced_axes((2, 3), None), reduced_axes((2, 3), -1)
    ((0, 1), (1,))
    """
    if axis is None:
        return tuple(range(len(shape)))
    return tuple([k % len(shape) for k in (axis if isinstance(axis, tuple) else (axis,))])


def reduced_size(shape, axis):
    """Return the number of elements that are reduced to one."""
    if axis is None:
        return math.prod(shape)
    return math.prod([shape[k] for k in reduced_axes(shape, axis)])


def broadcast_back(g, shape, axis, keepdims):
    """Broadcast a reduced value, or its gradient, to the shape before the reduction.

    >>> broadcast_back(np.array([1.0, 2.0]), (2, 3), -1, False)
    array([[1., 1., 1.],
           [2., 2., 2.]])
    """
    if not shape:
        return g
    if axis is None and isinstance(g, (float, np.floating)):
        return float(g)  # a scalar, broadcast only where it is needed
    if axis is not None and not keepdims:
        axes = reduced_axes(shape, axis)
        g = np.reshape(g, [1 if k in axes else n for k, n in enumerate(shape)])
    return np.broadcast_to(g, shape)


def safe_divide(g, y):
    """Divide; the quotient is 0 where the divisor is 0."""
    y_is_0 = value_of(y) == 0
    return g * mask(value_of(y) != 0) / (y + mask(y_is_0))
