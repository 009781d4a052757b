"""Arithmetic operators: addition, subtraction, multiplication, division, negation, powers."""

from __future__ import annotations

import numpy as np

from dark.nodes import Node, Operation, value_of
from dark.operations.numeric import log, mask, negated, power
from dark.typing import ArrayLike


class Add(Operation, trusted=True, sign="+", ufunc=np.add):
    """Addition."""

    _f = staticmethod(lambda a, b: a + b)
    _df = (lambda dldy, y, a, b: dldy, lambda dldy, y, a, b: dldy)


class Sub(Operation, trusted=True, sign="-", ufunc=np.subtract):
    """Subtraction."""

    _f = staticmethod(lambda a, b: a - b)
    _df = (lambda dldy, y, a, b: dldy, lambda dldy, y, a, b: -dldy)


class Mul(Operation, trusted=True, sign="*", ufunc=np.multiply):
    """Multiplication."""

    _f = staticmethod(lambda a, b: a * b)
    _df = (lambda dldy, y, a, b: dldy * b, lambda dldy, y, a, b: dldy * a)


class Div(Operation, trusted=True, sign="/", ufunc=np.divide):
    """Division; a division by 0 gives inf or NaN, as in NumPy."""

    _f = staticmethod(lambda a, b: a / b)
    _df = (lambda dldy, y, a, b: dldy / b, lambda dldy, y, a, b: -dldy * y / b)

    domain = ((-3.0, 3.0), (0.3, 3.0))


class Neg(Operation, trusted=True, sign="neg", ufunc=np.negative):
    """Negation."""

    _f = staticmethod(lambda x: -x)
    _df = (lambda dldy, y, x: -dldy,)


class Pow(Operation, trusted=True, sign="**", ufunc=np.power):
    """Power, differentiable with respect to base and exponent.

    A fractional power of a negative number is NaN. Two limits are those of PyTorch: the derivative of
    ``x ** 0`` is 0 everywhere, and the derivative of ``0 ** n`` with respect to n is 0 for n >= 0.
    """

    _f = staticmethod(power)

    @staticmethod
    def _base(dldy, y, x, n):
        if type(n) is float and n != 0:
            return dldy * n * power(x, n - 1.0)
        if isinstance(value_of(n), np.ndarray) and n.dtype.kind in "ub":  # they cannot hold n - 1 = -1
            n = 1.0 * n
        # the derivative of x ** 0 is 0, also where x ** -1 overflows and 0 * x ** -1 would be NaN
        is_zero = value_of(n) == 0
        if getattr(n, "requires_grad", False):  # that of n * x ** (n - 1) with respect to n is x ** -1
            is_zero = is_zero & (np.abs(value_of(x)) < np.finfo(x.dtype).tiny)
        return dldy * n * power(x, n - mask(negated(is_zero)))

    @staticmethod
    def _exponent(dldy, y, x, n):
        return dldy * y * log(x + mask((value_of(x) == 0) & (value_of(n) >= 0)))

    _df = (_base, _exponent)

    domain = ((0.1, 3.0), (-3.0, 3.0))


def add(a: ArrayLike, b: ArrayLike) -> Node:
    """Add: ``a + b``.

    >>> add(1, 2).value
    3.0
    """
    return Add.apply(a, b)


def sub(a: ArrayLike, b: ArrayLike) -> Node:
    """Subtract: ``a - b``.

    >>> sub(1, 2).value
    -1.0
    """
    return Sub.apply(a, b)


def mul(a: ArrayLike, b: ArrayLike) -> Node:
    """Multiply: ``a * b``.

    >>> mul(3, 2).value
    6.0
    """
    return Mul.apply(a, b)


def div(a: ArrayLike, b: ArrayLike) -> Node:
    """Divide: ``a / b``.

    >>> div(3, 2).value, div(1, 0).value
    (1.5, inf)
    """
    return Div.apply(a, b)


def neg(x: ArrayLike) -> Node:
    """Negate: ``-x``.

    >>> neg(3).value
    -3.0
    """
    return Neg.apply(x)


def pow(x: ArrayLike, n: ArrayLike) -> Node:
    """Raise to a power: ``x ** n``. Derivatives: ``n * x ** (n - 1)`` and ``x ** n * log(x)``.

    >>> pow(3, 2).value
    9.0
    """
    return Pow.apply(x, n)
