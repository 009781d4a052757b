"""The largest and the smallest along axes, and the smooth kind of largest."""

import numpy as np

from dark.nodes import Operation, value_of
from dark.nodes.protocols import implements
from dark.operations.arrays.reduction_axes import ADVICE, EXPECTS, SAMPLES, along, spread
from dark.operations.numeric import where


def to_winners(dldy, y, x, axis, keepdims):
    """Share a gradient equally among the numbers that are the extreme one; where that is NaN, so is the gradient."""
    shape, values = np.shape(x), value_of(x)
    wins = values == spread(value_of(y), shape, axis, keepdims)
    winners = np.add.reduce(wins, axis=axis, keepdims=keepdims, dtype=getattr(values, "dtype", float))
    return spread(dldy * where(winners > 0, 1.0 / np.maximum(winners, 1), np.nan), shape, axis, keepdims) * wins


class Max(Operation, trusted=True, elementwise=False):
    """The largest along axes; ties share the gradient equally; NaN if there is one."""

    expects, advice, samples, kinks = EXPECTS + ", and a number along them", ADVICE, SAMPLES, "tie"

    @staticmethod
    def _f(x, axis, keepdims):
        return np.maximum.reduce(x, axis=axis, keepdims=keepdims)

    _df = (to_winners,)


class Min(Operation, trusted=True, elementwise=False):
    """The smallest along axes; ties share the gradient equally; NaN if there is one."""

    expects, advice, samples, kinks = Max.expects, ADVICE, SAMPLES, "tie"

    @staticmethod
    def _f(x, axis, keepdims):
        return np.minimum.reduce(x, axis=axis, keepdims=keepdims)

    _df = (to_winners,)


class LogSumExp(Operation, trusted=True, elementwise=False):
    """The logarithm of the sum of exponentials along axes; -inf where there is nothing but -inf, with slope 0."""

    expects, advice, samples = EXPECTS, ADVICE, SAMPLES

    @staticmethod
    def _f(x, axis, keepdims):
        x = 1.0 * x if getattr(x, "dtype", np.dtype(float)).kind != "f" else x  # integers have no -inf
        largest = np.max(x, axis=axis, keepdims=True, initial=-np.inf)
        largest = where(np.isfinite(largest), largest, 0.0)
        with np.errstate(divide="ignore", over="ignore"):  # log(0), and what stands beside an inf
            y = np.log(np.sum(np.exp(x - largest), axis=axis, keepdims=keepdims))
        return y + np.reshape(largest, np.shape(y))

    def _vjp(dldy, y, x, axis, keepdims):
        infinite = value_of(y) == -np.inf
        if np.any(infinite):
            y = where(infinite, 0.0, y)
        shape = np.shape(x)
        return spread(dldy, shape, axis, keepdims) * np.exp(x - spread(y, shape, axis, keepdims))

    _df = (_vjp,)


@implements(np.max)
@implements(np.amax)
def max(x, axis=None, keepdims=False):
    """Take the largest number along axes.

    Parameters
    ----------
    x : Node, float or array
        Any shape with at least one number along the axes.
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
        If there is no such axis, or no number along it.

    Notes
    -----
    Where several numbers are the largest, the gradient is shared equally among them.

    Examples
    --------
    >>> import numpy as np
    >>> max(np.array([[1.0, 5.0], [3.0, 2.0]]), axis=0).value
    array([3., 5.])
    """
    return Max.apply(x, **along("max", x, axis, keepdims))


@implements(np.min)
@implements(np.amin)
def min(x, axis=None, keepdims=False):
    """Take the smallest number along axes.

    Parameters
    ----------
    x, axis, keepdims
        As for `max`.

    Returns
    -------
    Node, shape of `x` without the axes

    Raises
    ------
    ShapeError
        If there is no such axis, or no number along it.

    Notes
    -----
    Where several numbers are the smallest, the gradient is shared equally among them.

    Examples
    --------
    >>> import numpy as np
    >>> min(np.array([[1.0, 5.0], [3.0, 2.0]]), axis=0).value
    array([1., 2.])
    """
    return Min.apply(x, **along("min", x, axis, keepdims))


def logsumexp(x, axis=None, keepdims=False):
    """Compute the logarithm of the sum of exponentials along axes, without overflow on the way.

    Parameters
    ----------
    x, axis, keepdims
        As for `max`; there may be no number.

    Returns
    -------
    Node, shape of `x` without the axes

    Raises
    ------
    ShapeError
        If there is no such axis.

    Notes
    -----
    ``m + log(sum(exp(x - m)))`` with m the largest x. Of nothing but -inf it is -inf, with slope 0.

    Examples
    --------
    >>> import numpy as np
    >>> round(logsumexp(np.array([1000.0, 1000.0])).value - 1000, 6)
    0.693147
    """
    return LogSumExp.apply(x, **along("logsumexp", x, axis, keepdims))
