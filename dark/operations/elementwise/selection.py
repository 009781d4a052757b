"""Elementwise selection: maximum, minimum, where, clip, nan_to_num.

Each function takes nodes, floats or arrays whose shapes broadcast and returns a node of the broadcast shape.
The input that is selected gets the gradient.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dark.checks import boolean
from dark.errors import UsageError
from dark.nodes import Node, Operation, value_of
from dark.nodes.changes import repeated
from dark.nodes.protocols import implements
from dark.nodes.values import operand
from dark.operations import numeric
from dark.operations.axis_checks import number
from dark.operations.numeric import mask, negated
from dark.spellings import refuse_keywords
from dark.typing import Array, ArrayLike


def gradient_halves(a, b):
    """Return how many halves of the gradient go to `a` where the larger is selected: 2, 1 at a tie, or 0; 2 at NaN."""
    a, b = value_of(a), value_of(b)
    if type(a) is type(b) is float:
        return 2 - (a < b) - (a <= b)
    return np.subtract(2, np.add(a < b, a <= b, dtype=np.int8))  # int8 does not change the dtype of the gradient


class Maximum(Operation, trusted=True, ufunc=np.maximum):
    """Elementwise maximum; a tie splits the gradient in halves; NaN if either is NaN."""

    @staticmethod
    def _f(a, b):
        if type(a) is type(b) is float:
            return a if a >= b or a != a else b
        return np.maximum(a, b)

    _df = (
        lambda dldy, y, a, b: 0.5 * dldy * gradient_halves(a, b),
        lambda dldy, y, a, b: 0.5 * dldy * gradient_halves(b, a),
    )

    kinks = "tie"


class Minimum(Operation, trusted=True, ufunc=np.minimum):
    """Elementwise minimum; a tie splits the gradient in halves; NaN if either is NaN."""

    @staticmethod
    def _f(a, b):
        if type(a) is type(b) is float:
            return a if a <= b or a != a else b
        return np.minimum(a, b)

    _df = (
        lambda dldy, y, a, b: 0.5 * dldy * gradient_halves(b, a),
        lambda dldy, y, a, b: 0.5 * dldy * gradient_halves(a, b),
    )

    kinks = "tie"


class Where(Operation, trusted=True):
    """Selection by a condition."""

    @staticmethod
    def _f(a, b, condition):
        if type(a) is type(b) is float:
            return numeric.where(condition, a, b)
        return np.where(condition, a, b)

    @staticmethod
    def _full_size(dldy, y):
        """Broadcast a scalar gradient to the shape of the result, which may be larger than the condition's."""
        return np.broadcast_to(dldy, y.shape) if type(dldy) is float and isinstance(y, np.ndarray) else dldy

    _df = (
        lambda dldy, y, a, b, condition: numeric.where(condition, Where._full_size(dldy, y), 0.0),
        lambda dldy, y, a, b, condition: numeric.where(condition, 0.0, Where._full_size(dldy, y)),
    )

    samples = (
        ((), {"condition": True}),
        ((), {"condition": False}),
        (((3,), (2, 1)), {"condition": np.array([True, False, True])}),
        (((2, 3), (2, 3)), {"condition": np.array([True, False, True])}),
        (((), ()), {"condition": np.array([[True], [False]])}),
    )


class Clip(Operation, trusted=True):
    """Limit to an interval; on a bound the derivative with respect to x is 1."""

    _f = staticmethod(lambda x, low, high: numeric.clip(x, low, high))

    @staticmethod
    def _inside(dldy, y, x, low, high):
        x = value_of(x)
        return dldy * mask(negated((x < value_of(low)) | (x > value_of(high))))  # a NaN is not hidden

    @staticmethod
    def _low(dldy, y, x, low, high):
        low = value_of(low)
        return dldy * mask((low != low) | (value_of(x) < low) & (low < value_of(high)))

    @staticmethod
    def _high(dldy, y, x, low, high):
        high = value_of(high)
        return dldy * mask((high != high) | (value_of(x) > high) | (value_of(low) > high))

    _df = (_inside, _low, _high)

    kinks = "tie"


def maximum(a: ArrayLike, b: ArrayLike) -> Node:
    """Compute the elementwise maximum; a tie splits the gradient in halves, as in PyTorch.

    >>> maximum(3, 2).value
    3.0
    """
    return Maximum.apply(a, b)


def minimum(a: ArrayLike, b: ArrayLike) -> Node:
    """Compute the elementwise minimum; a tie splits the gradient in halves, as in PyTorch.

    >>> minimum(3, 2).value
    2.0
    """
    return Minimum.apply(a, b)


@implements(np.where)
def where(condition: Node | Array | float, a: ArrayLike, b: ArrayLike) -> Node:
    """Select elements of `a` where a condition holds, else of `b`.

    The element that is not selected gets the gradient 0, even where it is inf or NaN.

    Parameters
    ----------
    condition : bool, number, array of them, or Node
        Nonzero selects `a`. Not differentiable.
    a, b : Node, float or array
        Shapes that broadcast with each other and with the condition.

    Examples
    --------
    >>> x = np.array([-1.0, 4.0])
    >>> where(x > 0, x, 0.0).value
    array([0., 4.])
    """
    return Where.apply(a, b, condition=repeated(_chosen, condition))


def _chosen(condition):
    condition = operand(condition, "where")
    return condition.astype(bool) if isinstance(condition, np.ndarray) else bool(condition)


@implements(np.nan_to_num)
def nan_to_num(
    x: ArrayLike, copy: bool = True, nan: float = 0.0, posinf: float | None = None, neginf: float | None = None
) -> Node:
    """Replace NaN and infinity by numbers; the replaced elements get the gradient 0.

    Parameters
    ----------
    copy : True
        The result is a new node; in place is not possible.
    nan : float, default 0
    posinf, neginf : float, optional
        By default the largest and smallest number of the dtype.

    Examples
    --------
    >>> nan_to_num(np.array([1.0, np.nan, -np.inf]), neginf=-9.0).value
    array([ 1.,  0., -9.])
    """
    if not boolean(copy, "nan_to_num", "copy"):
        raise UsageError(
            "nan_to_num: the value of a node cannot be changed in place.", "copy=True.", "x = np.nan_to_num(x)."
        )
    nan, posinf, neginf = [
        v if v is None and name != "nan" else operand(number(v, "nan_to_num", name, nan=True), "nan_to_num")
        for v, name in ((nan, "nan"), (posinf, "posinf"), (neginf, "neginf"))
    ]
    value = operand(value_of(x), "nan_to_num")
    replacements = np.nan_to_num(value, nan=nan, posinf=posinf, neginf=neginf)
    return Where.apply(x, replacements, condition=np.isfinite(value))


def clip(x: ArrayLike, low: ArrayLike | None = None, high: ArrayLike | None = None, **pytorch: Any) -> Node:
    """Limit elements to the interval from `low` to `high`; either bound may be omitted.

    Where ``low > high``, the result is `high`. Within the interval and on its bounds `x` gets the gradient,
    outside the bound does, as in PyTorch.

    >>> clip(5, 0, 1).value, clip(5, low=0).value
    (1.0, 5.0)
    """
    if pytorch:
        refuse_keywords("clip", pytorch)
    return Clip.apply(x, -np.inf if low is None else low, np.inf if high is None else high)


@implements(np.clip)
def _numpy_clip(a, a_min=None, a_max=None, *, min=None, max=None):
    """Accept NumPy's names of the bounds."""
    return clip(a, min if a_min is None else a_min, max if a_max is None else a_max)
