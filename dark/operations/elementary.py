"""Elementary functions of one number, and the larger and the smaller of two."""

import builtins

import numpy as np

from dark.nodes import Operation, value_of
from dark.operations import numeric
from dark.operations.numeric import both, mask, share, sign


class Exp(Operation, ufunc=np.exp):
    """The exponential."""

    _f = staticmethod(numeric.exp)
    _partials = (lambda dldy, y, x: dldy * y,)


class Log(Operation, ufunc=np.log):
    """The natural logarithm; -inf at 0, NaN below."""

    _f = staticmethod(numeric.log)
    _partials = (lambda dldy, y, x: dldy / x,)


class Sqrt(Operation, ufunc=np.sqrt):
    """The square root; its slope at 0 is inf, below 0 it is NaN."""

    _f = staticmethod(numeric.sqrt)
    _partials = (lambda dldy, y, x: dldy / (2.0 * y),)


class Tanh(Operation, ufunc=np.tanh):
    """The hyperbolic tangent."""

    _f = staticmethod(numeric.tanh)
    _partials = (lambda dldy, y, x: dldy * (1.0 - y * y),)


class Abs(Operation, sign="abs", ufunc=np.absolute):
    """The absolute value; at 0 the slope is 0."""

    _f = staticmethod(builtins.abs)

    _partials = (lambda dldy, y, x: dldy * sign(x),)


class Relu(Operation):
    """The number where it is positive, else 0; at 0 the slope is 0."""

    _f = staticmethod(both(lambda x: x if x > 0 or x != x else 0.0, lambda x: np.maximum(x, np.zeros_like(x))))
    _partials = (lambda dldy, y, x: dldy * mask(value_of(x) > 0),)


class Maximum(Operation, ufunc=np.maximum):
    """The larger of two numbers; a tie shares the gradient in halves; NaN if either is NaN."""

    def _f(a, b):
        if type(a) is type(b) is float:
            return a if a >= b or a != a else b
        return np.maximum(a, b)

    _partials = (
        lambda dldy, y, a, b: dldy * share(a, b),
        lambda dldy, y, a, b: dldy * share(b, a),
    )


class Minimum(Operation, ufunc=np.minimum):
    """The smaller of two numbers; a tie shares the gradient in halves; NaN if either is NaN."""

    def _f(a, b):
        if type(a) is type(b) is float:
            return a if a <= b or a != a else b
        return np.minimum(a, b)

    _partials = (
        lambda dldy, y, a, b: dldy * share(b, a),
        lambda dldy, y, a, b: dldy * share(a, b),
    )


def exp(x):
    """Compute the exponential.

    Examples
    --------
    >>> exp(0).value, exp(1000).value
    (1.0, inf)
    """
    return Exp.quick(x)


def log(x):
    """Compute the natural logarithm.

    Examples
    --------
    >>> log(1).value, log(0).value
    (0.0, -inf)
    """
    return Log.quick(x)


def sqrt(x):
    """Compute the square root.

    Examples
    --------
    >>> sqrt(9).value
    3.0
    """
    return Sqrt.quick(x)


def tanh(x):
    """Compute the hyperbolic tangent.

    Examples
    --------
    >>> tanh(0).value
    0.0
    """
    return Tanh.quick(x)


def abs(x):
    """Compute the absolute value.

    Examples
    --------
    >>> abs(-3).value
    3.0
    """
    return Abs.quick(x)


def relu(x):
    """Keep what is positive, replace the rest by 0.

    Examples
    --------
    >>> relu(-3).value, relu(3).value
    (0.0, 3.0)
    """
    return Relu.quick(x)


def maximum(a, b):
    """Take the larger of two numbers.

    Examples
    --------
    >>> maximum(3, 2).value
    3.0
    """
    return Maximum.quick(a, b)


def minimum(a, b):
    """Take the smaller of two numbers.

    Examples
    --------
    >>> minimum(3, 2).value
    2.0
    """
    return Minimum.quick(a, b)
