"""What reductions share: their settings, and the way back from a reduced value to what it was made of."""

import math

import numpy as np

from dark.checks import describe
from dark.errors import ValueTypeError
from dark.nodes import value_of
from dark.operations.axis_checks import normalize_axes
from dark.operations.numeric import mask

EXPECTS = "axes that the array has, each once"
ADVICE = "count the axes from 0 to x.ndim - 1, or from the right with -1."
SAMPLES = (
    (((2, 3),), {"axis": None, "keepdims": False}), (((2, 3),), {"axis": None, "keepdims": True}),
    (((2, 3),), {"axis": 0, "keepdims": False}), (((2, 3),), {"axis": -1, "keepdims": True}),
    (((2, 3, 4),), {"axis": (0, -1), "keepdims": False}), (((2, 3, 4),), {"axis": (1, 0), "keepdims": True}),
    (((3,),), {"axis": 0, "keepdims": False}), (((),), {"axis": None, "keepdims": False}),
    (((0, 3),), {"axis": 1, "keepdims": False}),
)  # fmt: skip


WHOLE = {"axis": None, "keepdims": False}  # the settings of most reductions; shared, and never changed


def along(who, x, axis, keepdims):
    """Check the settings of a reduction at the door.

    Returns
    -------
    dict
        `axis` (None, or a tuple counted from the left) and `keepdims`.

    Raises
    ------
    ValueTypeError
        If an axis is no integer, or `keepdims` no truth value.
    ShapeError
        If there is no such axis, or one is named twice.

    Examples
    --------
    >>> along("sum", np.ones((2, 3)), -1, False)
    {'axis': (1,), 'keepdims': False}
    """
    if axis is None and keepdims is False:
        return WHOLE
    if not isinstance(keepdims, (bool, np.bool_)):
        raise ValueTypeError(
            f"{who}: keepdims is {describe(keepdims)}.", "True or False.", f"name the argument: {who}(x, keepdims=True)"
        )
    if axis is not None:
        axis = normalize_axes(axis, x.shape if hasattr(x, "shape") else np.shape(x), who)
    return {"axis": axis, "keepdims": bool(keepdims)}


def reduced_axes(shape, axis):
    """List the axes that a reduction takes away, counted from the left.

    Examples
    --------
    >>> reduced_axes((2, 3), None), reduced_axes((2, 3), -1)
    ((0, 1), (1,))
    """
    if axis is None:
        return tuple(range(len(shape)))
    return tuple([k % len(shape) for k in (axis if isinstance(axis, tuple) else (axis,))])


def count(shape, axis):
    """Say how many numbers go into each reduced value."""
    if axis is None:
        return math.prod(shape)
    return math.prod([shape[k] for k in reduced_axes(shape, axis)])


def spread(g, shape, axis, keepdims):
    """Repeat a reduced value, or its gradient, until it has the shape it was reduced from.

    Examples
    --------
    >>> spread(np.array([1.0, 2.0]), (2, 3), -1, False)
    array([[1., 1., 1.],
           [2., 2., 2.]])
    """
    if not shape:
        return g
    if axis is None and isinstance(g, (float, np.floating)):
        return float(g)  # one number for all of them; repeated only where it is needed
    if axis is not None and not keepdims:
        axes = reduced_axes(shape, axis)
        g = np.reshape(g, [1 if k in axes else n for k, n in enumerate(shape)])
    return np.broadcast_to(g, shape)


def over(g, y):
    """Divide, and answer 0 where the divisor is 0."""
    y_is_0 = value_of(y) == 0
    return g * mask(value_of(y) != 0) / (y + mask(y_is_0))
