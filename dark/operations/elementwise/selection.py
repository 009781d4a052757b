"""Choosing between numbers: the larger, the smaller, by a condition, within bounds."""

import numpy as np

from dark.nodes import Operation, value_of
from dark.nodes.protocols import implements
from dark.nodes.values import as_value
from dark.operations import numeric
from dark.operations.numeric import mask


def gradient_halves(a, b):
    """Return how many halves of a gradient go to `a` where the larger of two wins: 2, 1 at a tie, 0."""
    a, b = value_of(a), value_of(b)
    if type(a) is type(b) is float:
        return (a > b) + (a >= b)
    return np.add(a > b, a >= b, dtype=np.int8)  # so small a type leaves the gradient its own


class Maximum(Operation, trusted=True, ufunc=np.maximum):
    """The larger of two numbers; a tie shares the gradient in halves; NaN if either is NaN."""

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
    """The smaller of two numbers; a tie shares the gradient in halves; NaN if either is NaN."""

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
    """The first number where a condition holds, else the second."""

    @staticmethod
    def _f(a, b, condition):
        if type(a) is type(b) is float:
            return numeric.where(condition, a, b)
        return np.where(condition, a, b)

    def _full_size(dldy, y):
        """Repeat a gradient that is one number for all: the condition may have a smaller shape than the result."""
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
    """The number within two bounds; on a bound its slope is still 1, beyond it the bound has the slope."""

    @staticmethod
    def _f(x, low, high):
        return numeric.clip(x, low, high)

    def _inside(dldy, y, x, low, high):
        x = value_of(x)
        return dldy * mask((x >= value_of(low)) & (x <= value_of(high)))

    def _low(dldy, y, x, low, high):
        low = value_of(low)
        return dldy * mask((value_of(x) < low) & (low < value_of(high)))

    def _high(dldy, y, x, low, high):
        high = value_of(high)
        return dldy * mask((value_of(x) > high) | (value_of(low) > high))

    _df = (_inside, _low, _high)

    kinks = "tie"


def maximum(a, b):
    """Take the larger of two numbers.

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
    The larger takes the gradient; a tie shares it in halves, as in PyTorch.

    Examples
    --------
    >>> maximum(3, 2).value
    3.0
    """
    return Maximum.apply(a, b)


def minimum(a, b):
    """Take the smaller of two numbers.

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
    The smaller takes the gradient; a tie shares it in halves, as in PyTorch.

    Examples
    --------
    >>> minimum(3, 2).value
    2.0
    """
    return Minimum.apply(a, b)


@implements(np.where)
def where(condition, a, b):
    """Take the first number where a condition holds, else the second.

    Parameters
    ----------
    condition : bool, number, array of them, or Node
        Anything but 0 holds. It takes no gradient.
    a, b : Node, float or array, shapes that broadcast, with the condition too

    Returns
    -------
    Node, the shape that all three broadcast to

    Raises
    ------
    ShapeError
        If the shapes do not broadcast.
    ValueTypeError
        If the condition is something else.

    Notes
    -----
    The number that was taken takes the gradient; the other one gets 0, even if it is inf or NaN.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.array([-1.0, 4.0])
    >>> where(x > 0, x, 0.0).value
    array([0., 4.])
    """
    condition = value_of(condition)
    if not isinstance(condition, (bool, np.bool_)):
        condition = as_value(condition, "where")
    chosen = condition.astype(bool) if isinstance(condition, np.ndarray) else bool(condition)
    return Where.apply(a, b, condition=chosen)


def clip(x, low=None, high=None):
    """Replace what lies below a bound, or above another, by the bound.

    Parameters
    ----------
    x : Node, float or array
    low, high : Node, float or array, shapes that broadcast with `x`, optional
        The bounds; none if not given. Where ``low > high``, the result is `high`.

    Returns
    -------
    Node, the shape that the inputs broadcast to

    Raises
    ------
    ShapeError
        If the shapes do not broadcast.

    Notes
    -----
    Within the bounds and on them `x` takes the gradient, beyond them the bound does, as in PyTorch.

    Examples
    --------
    >>> clip(5, 0, 1).value, clip(5, low=0).value
    (1.0, 5.0)
    """
    return Clip.apply(x, -np.inf if low is None else low, np.inf if high is None else high)


@implements(np.clip)
def _numpy_clip(a, a_min=None, a_max=None, *, min=None, max=None):
    """Answer NumPy's names of the bounds."""
    return clip(a, min if a_min is None else a_min, max if a_max is None else a_max)
