"""Functions that serve numbers, NumPy values and nodes alike, so that a rule is written once."""

import math

import numpy as np

from dark.nodes import value_of


def _both(fast, full):
    """Join a function of `math`, quick on floats, with NumPy's, which serves everything else."""

    def function(x):
        if type(x) is float:
            try:
                return fast(x)
            except (ValueError, OverflowError):  # outside the domain: inf or NaN, as NumPy answers
                with np.errstate(all="ignore"):
                    return float(full(x))
        return full(x)

    return function


exp = _both(math.exp, np.exp)
log = _both(math.log, np.log)
sqrt = _both(math.sqrt, np.sqrt)
tanh = _both(math.tanh, np.tanh)


def power(x, n):
    """Return ``x ** n``; NaN, as NumPy answers, where Python would turn complex."""
    y = x**n
    return math.nan if type(y) is complex else y


def share(a, b):
    """Return the part of a gradient that goes to `a` where the larger of two wins: 1, a half at a tie, 0."""
    a, b = value_of(a), value_of(b)
    return 0.5 * (a > b) + 0.5 * (a >= b)


def sign(x):
    """Return 1 above 0, -1 below, and 0 at 0 itself."""
    x = value_of(x)
    return 1.0 * (x > 0) - 1.0 * (x < 0)
