"""Checks of what layers are built with: sizes, shares, small numbers, types of float."""

import math
import numbers

import numpy as np

from dark.errors import UsageError, ValueTypeError
from dark.nodes.values import describe


def size(value, who, name, least=0):
    """Return a number of features as an int.

    Parameters
    ----------
    value : int
    who, name : str
        Whose argument it is, and its name; they stand in the error.
    least : int, default 0
        The smallest that is allowed.

    Raises
    ------
    ValueTypeError
        If it is no whole number.
    UsageError
        If it is too small.

    Examples
    --------
    >>> size(2.0, "Linear", "in_features")
    Traceback (most recent call last):
        ...
    dark.errors.ValueTypeError: Linear: in_features is 2.0 (float).
      Expected: a whole number, 0 or more.
      Try: int(in_features), or //.
    """
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)):
        raise ValueTypeError(
            f"{who}: {name} is {describe(value)}.", f"a whole number, {least} or more.", f"int({name}), or //."
        )
    if value < least:
        raise UsageError(f"{who}: {name} is {value}.", f"{least} or more.", "print the shape of the input.")
    return int(value)


def sizes(value, who, name, least=0):
    """Return a whole number, or a sequence of them, as a tuple.

    Examples
    --------
    >>> sizes(5, "LayerNorm", "normalized_shape"), sizes([2, 3], "LayerNorm", "normalized_shape")
    ((5,), (2, 3))
    """
    values = value if isinstance(value, (tuple, list)) else (value,)
    return tuple([size(n, who, name, least) for n in values])


def share(value, who, name):
    """Return a number from 0 to 1 as a float.

    Raises
    ------
    UsageError
        If it is none.
    """
    return _within(value, who, name, "a number from 0 to 1.", lambda x: 0 <= x <= 1)


def not_negative(value, who, name):
    """Return a finite number of 0 or more as a float.

    Raises
    ------
    UsageError
        If it is none.
    """
    return _within(value, who, name, "a finite number, 0 or more.", lambda x: 0 <= x < math.inf)


def finite(value, who, name):
    """Return a finite number as a float.

    Raises
    ------
    UsageError
        If it is none.
    """
    return _within(value, who, name, "a finite number.", math.isfinite)


def _within(value, who, name, expected, is_right):
    if not isinstance(value, numbers.Real) or not is_right(value):
        raise UsageError(f"{who}: {name} is {describe(value)}.", expected, f"leave {name} out for its default.")
    return float(value)


def float_type(dtype, who):
    """Return a type of floats as NumPy's.

    Raises
    ------
    ValueTypeError
        If it is none.

    Examples
    --------
    >>> float_type(float, "Linear"), float_type("float32", "Linear")
    (dtype('float64'), dtype('float32'))
    """
    try:
        found = np.dtype(dtype)
    except TypeError:
        found = None
    if found is None or found.kind != "f":
        raise ValueTypeError(
            f"{who}: {describe(dtype)} is no type of floats.", "np.float64 or np.float32.", "leave dtype out."
        )
    return found
