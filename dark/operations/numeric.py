"""Functions for floats, arrays and nodes alike, so that a gradient rule is written once."""

import math
from functools import lru_cache, wraps

import numpy as np

from dark.nodes import Constant, Node, value_of
from dark.nodes.graph_checks import errors_as_numpy
from dark.nodes.values import operand


def as_node(x, who):
    """Return a node as it is, and a number or an array as a `Constant`.

    Examples
    --------
    >>> as_node(2, "hstack")
    Constant(value=2.0)
    """
    return x if isinstance(x, Node) else Constant(operand(x, who))


def float_or_array(scalar, full):
    """Return a function that calls `scalar` for floats, which is faster, and NumPy's `full` for everything else.

    Where `scalar` raises, NumPy's result is returned: inf or NaN.
    """

    def function(x):
        if type(x) is float:
            try:
                return scalar(x)
            except (ValueError, OverflowError) as error:
                with errors_as_numpy(error):
                    return float(full(x))
        return full(x)

    return function


exp = float_or_array(math.exp, np.exp)
log = float_or_array(math.log, np.log)
log1p = float_or_array(math.log1p, np.log1p)
sqrt = float_or_array(math.sqrt, np.sqrt)
tanh = float_or_array(math.tanh, np.tanh)
sin = float_or_array(math.sin, np.sin)
cos = float_or_array(math.cos, np.cos)
sinh = float_or_array(math.sinh, np.sinh)
cosh = float_or_array(math.cosh, np.cosh)


def sum_rows(x):
    """Return the sum of a matrix over its rows, as a product with ones: a third of the time of `np.sum`.

    Examples
    --------
    >>> sum_rows(np.arange(6.0).reshape(3, 2))
    array([6., 9.])
    """
    return np.dot(ones(len(x), x.dtype), x)


@lru_cache(maxsize=8)
def ones(n, dtype):
    """Return a read-only vector of ones."""
    row = np.ones(n, dtype)
    row.flags.writeable = False
    return row


@lru_cache(maxsize=8)
def indices(n):
    """Return the read-only vector of the integers from 0 to n - 1."""
    row = np.arange(n)
    row.flags.writeable = False
    return row


def at_least_float32(x):
    """Return an array or a node of float16 in float32, whose range and precision sums need; others unchanged."""
    dtype = getattr(x, "dtype", None)
    return x if dtype is None or dtype.char != "e" else x.astype(np.float32)


def float16_in_float32(function):
    """Decorate a function of one value and settings: float16 is computed in float32, and the result cast back."""

    @wraps(function)
    def wrapped(x, **settings):
        if type(x) is np.ndarray and x.dtype.char == "e":
            return function(x.astype(np.float32), **settings).astype(np.float16)
        return function(x, **settings)

    return wrapped


def hypot(a, b):
    """Return ``sqrt(a**2 + b**2)``, without overflow in between."""
    return math.hypot(a, b) if type(a) is type(b) is float else np.hypot(a, b)


def evaluate(op, x):
    """Evaluate an operation of one input inside a gradient rule: values give a value, nodes a node."""
    return op.apply(x) if isinstance(x, Node) else op._f(x)


def clip(x, low, high):
    """Limit `x` to an interval; NaN if any of the three is NaN."""
    if type(x) is type(low) is type(high) is float and low <= high:
        return min(max(x, low), high)
    if isinstance(x, Node):
        return np.clip(x, low, high)
    y = np.minimum(np.maximum(x, low), high)  # np.clip would turn a float into an array of float64
    return float(y) if type(y) is np.float64 else y


def polynomial(coefficients, x):
    """Evaluate a polynomial by Horner's scheme; coefficients from the highest power down."""
    y = coefficients[0]
    for c in coefficients[1:]:
        y = y * x + c
    return y


def power(x, n):
    """Return ``x ** n``; NaN, as in NumPy, where Python would return a complex number."""
    y = x**n
    return math.nan if type(y) is complex else y


def where(condition, a, b):
    """Return `a` where the condition holds, else `b`; a float for a single condition."""
    if isinstance(condition, np.ndarray):
        return np.where(condition, a, b)
    return a if condition else b


def sign(x):
    """Return 1 for positive, -1 for negative elements, 0 for 0 and NaN for NaN."""
    x = value_of(x)
    if isinstance(x, np.ndarray):
        return np.sign(x)
    return 1.0 * (x > 0) - 1.0 * (x < 0) if x == x else x


def negated(condition):
    """Return the opposite of a condition: a bool, or an array of them."""
    return ~condition if isinstance(condition, np.ndarray) else not condition


def mask(condition):
    """Return a condition as a factor: a float, or the bool array itself, which is faster."""
    return condition if isinstance(condition, np.ndarray) else float(condition)
