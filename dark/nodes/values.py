"""What may stand in a node: one real number; and how an operation's results become one."""

import numbers

import numpy as np

from dark.errors import AnomalyError, OperationError, ValueTypeError


def as_value(x, who):
    """Check a number at the door and make it a value of the graph.

    A Python number becomes a `float`; a NumPy float narrower or wider than 64 bits keeps its type.

    Raises
    ------
    ValueTypeError
        For anything that is not one real number.

    Examples
    --------
    >>> as_value(2, "Parameter")
    2.0
    """
    kind = type(x)
    if kind is float:
        return x
    if isinstance(x, np.floating) and kind is not np.float64:
        return x
    if isinstance(x, numbers.Real) and kind is not bool:
        try:
            return float(x)
        except OverflowError:
            raise ValueTypeError(
                f"{who}: an integer of {x.bit_length()} bits is too large for a float.",
                "a number below 1.8e308.",
                "scale the number down.",
            ) from None
    raise ValueTypeError(
        f"{who}: cannot use {describe(x)} as a value.", "one real number, such as 3 or 0.5.", _advice(x)
    )


def _advice(x):
    if hasattr(x, "value"):
        return "take the number out of the node with `.value`."
    if isinstance(x, (list, tuple, np.ndarray)):
        return "make one node for each number."
    return "convert it with float(...) first, if it means a number."


def describe(x):
    """Show a wrong value with its type, short enough for an error line.

    Examples
    --------
    >>> describe([1, 2])
    '[1, 2] (list)'
    """
    text = repr(x)
    if len(text) > 40:
        text = text[:37] + "..."
    return f"{text} ({type(x).__name__})"


def settle(y, rule, x, who, settings=None):
    """Make a value of what a rule returned when that is not simply a float.

    Python answers a complex number for ``(-8.0) ** (1 / 3)`` where NumPy answers NaN; the graph
    follows NumPy.
    """
    if isinstance(y, complex):
        return as_numpy(rule, x, settings)
    if isinstance(y, numbers.Real):
        return as_value(y, who)
    raise OperationError(f"{who} returned {describe(y)}.", "one real number.", "return the value that the inputs give.")


def as_numpy(rule, x, settings=None):
    """Run a rule as NumPy would, where Python's floats raise or turn complex: inf and NaN come back.

    Examples
    --------
    >>> as_numpy(lambda a, b: a / b, (1.0, 0.0))
    inf
    """
    with np.errstate(all="ignore"):
        return as_value(rule(*map(numpy_scalar, x), **(settings or {})), "result")


def numpy_scalar(v):
    """Return a Python float as a NumPy one, which follows NumPy's rules; anything else as it is."""
    return np.float64(v) if type(v) is float else v


def anomaly_error(who, x):
    """Make the error for a NaN that `who` made, or passed on, from the values `x`."""
    made = "passed on" if any(v != v for v in x) else "made"
    return AnomalyError(
        f"{who}: {made} a NaN from {', '.join(map(str, x))}.",
        "a number.",
        f"keep the inputs of {who} inside its domain.",
    )
