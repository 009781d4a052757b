"""The arithmetic of the signs: addition, subtraction, multiplication, division, negation, powers."""

import numpy as np

from dark.nodes import Operation, value_of
from dark.nodes.protocols import UFUNCS
from dark.operations.numeric import log, mask, power


class Add(Operation, trusted=True, sign="+", ufunc=np.add):
    """The sum of two numbers."""

    @staticmethod
    def _f(a, b):
        return a + b

    _df = (lambda dldy, y, a, b: dldy, lambda dldy, y, a, b: dldy)


class Sub(Operation, trusted=True, sign="-", ufunc=np.subtract):
    """The difference of two numbers."""

    @staticmethod
    def _f(a, b):
        return a - b

    _df = (lambda dldy, y, a, b: dldy, lambda dldy, y, a, b: -dldy)


class Mul(Operation, trusted=True, sign="*", ufunc=np.multiply):
    """The product of two numbers."""

    @staticmethod
    def _f(a, b):
        return a * b

    _df = (lambda dldy, y, a, b: dldy * b, lambda dldy, y, a, b: dldy * a)


class Div(Operation, trusted=True, sign="/", ufunc=np.divide):
    """The quotient of two numbers; dividing by 0 gives inf or NaN, as in NumPy."""

    @staticmethod
    def _f(a, b):
        return a / b

    _df = (lambda dldy, y, a, b: dldy / b, lambda dldy, y, a, b: -dldy * y / b)

    domain = ((-3.0, 3.0), (0.3, 3.0))


class Neg(Operation, trusted=True, sign="neg", ufunc=np.negative):
    """The number with the other sign."""

    @staticmethod
    def _f(x):
        return -x

    _df = (lambda dldy, y, x: -dldy,)


class Pow(Operation, trusted=True, sign="**", ufunc=np.power):
    """A power, with a gradient for the base and one for the exponent.

    A root of a negative number is NaN. Two limits are chosen as PyTorch chooses them: the slope of
    ``x ** 0`` is 0 everywhere, and the slope of ``0 ** n`` along n is 0 for n >= 0.
    """

    _f = staticmethod(power)

    def _base(dldy, y, x, n):
        if type(n) is float and n != 0:
            return dldy * n * power(x, n - 1.0)
        if isinstance(value_of(n), np.ndarray) and n.dtype.kind in "ub":  # there is nothing below 0 in them
            n = 1.0 * n
        # x ** 0 is flat, also at 0, where 0 * 0 ** -1 would be NaN
        return dldy * n * power(x, n - mask((value_of(x) != 0) | (value_of(n) != 0)))

    def _exponent(dldy, y, x, n):
        return dldy * y * log(x + mask((value_of(x) == 0) & (value_of(n) >= 0)))

    _df = (_base, _exponent)

    domain = ((0.1, 3.0), (-3.0, 3.0))


UFUNCS[np.float_power] = Pow  # NumPy's other name for it, for floats


def add(a, b):
    """Add: ``a + b``.

    Examples
    --------
    >>> add(1, 2).value
    3.0
    """
    return Add.apply(a, b)


def sub(a, b):
    """Subtract: ``a - b``.

    Examples
    --------
    >>> sub(1, 2).value
    -1.0
    """
    return Sub.apply(a, b)


def mul(a, b):
    """Multiply: ``a * b``.

    Examples
    --------
    >>> mul(3, 2).value
    6.0
    """
    return Mul.apply(a, b)


def div(a, b):
    """Divide: ``a / b``.

    Examples
    --------
    >>> div(3, 2).value, div(1, 0).value
    (1.5, inf)
    """
    return Div.apply(a, b)


def neg(x):
    """Change the sign: ``-x``.

    Examples
    --------
    >>> neg(3).value
    -3.0
    """
    return Neg.apply(x)


def pow(x, n):
    """Raise to a power: ``x ** n``.

    Examples
    --------
    >>> pow(3, 2).value
    9.0
    """
    return Pow.apply(x, n)
