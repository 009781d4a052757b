"""Functions that serve numbers, arrays and nodes alike, so that a rule is written once."""

import math

import numpy as np

from dark.nodes import value_of


def both(fast, full):
    """Join a function for floats, quick on them, with NumPy's, which serves everything else.

    Outside the domain of `fast` NumPy's answer counts: inf or NaN.
    """

    def function(x):
        if type(x) is float:
            try:
                return fast(x)
            except (ValueError, OverflowError):
                with np.errstate(all="ignore"):
                    return float(full(x))
        return full(x)

    return function


exp = both(math.exp, np.exp)
log = both(math.log, np.log)
sqrt = both(math.sqrt, np.sqrt)
tanh = both(math.tanh, np.tanh)


def power(x, n):
    """Return ``x ** n``; NaN, as NumPy answers, where Python would turn complex."""
    y = x**n
    return math.nan if type(y) is complex else y


def where(condition, a, b):
    """Choose from `a` where the condition holds, else from `b`; one number's choice stays a number."""
    if isinstance(condition, np.ndarray):
        return np.where(condition, a, b)
    return a if condition else b


def share(a, b):
    """Return the part of a gradient that goes to `a` where the larger of two wins: 1, a half at a tie, 0."""
    a, b = value_of(a), value_of(b)
    return 0.5 * (a > b) + 0.5 * (a >= b)


def sign(x):
    """Return 1 above 0, -1 below, and 0 at 0 itself."""
    x = value_of(x)
    return np.sign(x) if isinstance(x, np.ndarray) else 1.0 * (x > 0) - 1.0 * (x < 0)


def mask(condition):
    """Return a condition as a factor: 1 where it holds, else 0; truth values of an array stay so, being faster."""
    return condition if isinstance(condition, np.ndarray) else float(condition)
