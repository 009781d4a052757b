"""Many numbers made fewer: sums, means, variances along axes."""

import math

import numpy as np

from dark.nodes import Operation
from dark.nodes.protocols import implements
from dark.nodes.values import shape_of
from dark.operations.arrays.reduction_axes import ADVICE, EXPECTS, SAMPLES, along, count, over, spread
from dark.operations.axis_checks import number


class Sum(Operation, trusted=True, elementwise=False):
    """The sum along axes."""

    expects, advice = EXPECTS, ADVICE
    samples = (*SAMPLES, (((0, 3),), {"axis": 0, "keepdims": False}))

    @staticmethod
    def _f(x, axis, keepdims):
        return np.add.reduce(x, axis=axis, keepdims=keepdims)

    _df = (lambda dldy, y, x, axis, keepdims: spread(dldy, shape_of(x), axis, keepdims),)


class Mean(Operation, trusted=True, elementwise=False):
    """The mean along axes; NaN, with NumPy's warning, where there is no number."""

    expects, advice, samples = EXPECTS, ADVICE, SAMPLES

    @staticmethod
    def _f(x, axis, keepdims):
        n = count(shape_of(x), axis)
        if n == 0 or getattr(x, "dtype", None) == np.float16:  # NumPy's warning; NumPy's wider sum
            return np.mean(x, axis=axis, keepdims=keepdims)
        return np.add.reduce(x, axis=axis, keepdims=keepdims) / n

    def _vjp(dldy, y, x, axis, keepdims):
        shape = shape_of(x)
        return spread(dldy / max(count(shape, axis), 1), shape, axis, keepdims)

    _df = (_vjp,)


def deviation(x, axis):
    """Return how far each number is from the mean along the axes."""
    return x - np.mean(x, axis=axis, keepdims=True)


def freedom(x, axis, ddof):
    """Return the divisor of a variance, NaN where so few numbers have none."""
    n = count(np.shape(x), axis) - ddof
    return n if n > 0 else math.nan


class Var(Operation, trusted=True, elementwise=False):
    """The variance along axes."""

    expects, advice = EXPECTS, ADVICE
    samples = (
        *((shapes, settings | {"ddof": 0}) for shapes, settings in SAMPLES),
        (((4, 3),), {"axis": 0, "ddof": 1, "keepdims": False}),
        (((4, 3),), {"axis": None, "ddof": 1, "keepdims": True}),
    )

    @staticmethod
    def _f(x, axis, ddof, keepdims):
        return np.var(x, axis=axis, ddof=ddof, keepdims=keepdims)

    def _vjp(dldy, y, x, axis, ddof, keepdims):
        return spread(dldy * (2.0 / freedom(x, axis, ddof)), np.shape(x), axis, keepdims) * deviation(x, axis)

    _df = (_vjp,)


class Std(Operation, trusted=True, elementwise=False):
    """The standard deviation along axes; where it is 0, all numbers being equal, the slope is 0."""

    expects, advice = EXPECTS, ADVICE
    samples = tuple(s for s in Var.samples if s[0] != ((),))  # of a single number it has a kink everywhere

    @staticmethod
    def _f(x, axis, ddof, keepdims):
        return np.std(x, axis=axis, ddof=ddof, keepdims=keepdims)

    def _vjp(dldy, y, x, axis, ddof, keepdims):
        scale = over(dldy, y) / freedom(x, axis, ddof)
        return spread(scale, np.shape(x), axis, keepdims) * deviation(x, axis)

    _df = (_vjp,)


@implements(np.sum)
def sum(x, axis=None, keepdims=False):
    """Add up the numbers along axes.

    Parameters
    ----------
    x : Node, float or array
        Any shape.
    axis : int or tuple of int, optional
        Along which axes; all if not given.
    keepdims : bool, default False
        Keep the axes, with length 1.

    Returns
    -------
    Node, shape of `x` without the axes

    Raises
    ------
    ShapeError
        If there is no such axis.

    Examples
    --------
    >>> import numpy as np
    >>> sum(np.ones((2, 3)), axis=0).value
    array([2., 2., 2.])
    """
    return Sum.apply(x, **along("sum", x, axis, keepdims))


@implements(np.mean)
def mean(x, axis=None, keepdims=False):
    """Average the numbers along axes.

    Parameters
    ----------
    x, axis, keepdims
        As for `sum`.

    Returns
    -------
    Node, shape of `x` without the axes

    Raises
    ------
    ShapeError
        If there is no such axis.

    Examples
    --------
    >>> import numpy as np
    >>> mean(np.array([1.0, 2.0, 6.0])).value
    3.0
    """
    return Mean.apply(x, **along("mean", x, axis, keepdims))


@implements(np.var)
def var(x, axis=None, *, ddof=0, keepdims=False):
    """Compute the mean squared distance from the mean along axes.

    Parameters
    ----------
    x, axis, keepdims
        As for `sum`.
    ddof : int, default 0
        What is taken off the count before dividing: 0 divides by n, as NumPy does, 1 by n - 1.

    Returns
    -------
    Node, shape of `x` without the axes

    Raises
    ------
    ShapeError
        If there is no such axis.

    Notes
    -----
    ``sum((x - mean(x)) ** 2) / (n - ddof)``. Where n is not above `ddof` it is inf or NaN, with NumPy's
    warning, and its gradient NaN.

    Examples
    --------
    >>> import numpy as np
    >>> var(np.array([1.0, 3.0])).value, var(np.array([1.0, 3.0]), ddof=1).value
    (1.0, 2.0)
    """
    return Var.apply(x, ddof=number(ddof, "var", "ddof"), **along("var", x, axis, keepdims))


@implements(np.std)
def std(x, axis=None, *, ddof=0, keepdims=False):
    """Compute the square root of the variance along axes.

    Parameters
    ----------
    x, axis, ddof, keepdims
        As for `var`.

    Returns
    -------
    Node, shape of `x` without the axes

    Raises
    ------
    ShapeError
        If there is no such axis.

    Notes
    -----
    Where all numbers are equal there is a kink; the slope there is 0, as in PyTorch.

    Examples
    --------
    >>> import numpy as np
    >>> std(np.array([1.0, 3.0])).value
    1.0
    """
    return Std.apply(x, ddof=number(ddof, "std", "ddof"), **along("std", x, axis, keepdims))
