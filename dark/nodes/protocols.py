"""How signs and NumPy's functions find our operations: tables that operations fill when they are defined.

Nodes stand below operations and cannot import them; Python's signs and NumPy's protocols ask here.
"""

import numpy as np

from dark.errors import OperationError, near_misses

SIGNS: dict = {}  # "+" -> the function that builds its operation; filled as operations are defined
UFUNCS: dict = {}  # numpy.add -> the operation that is NumPy's function on nodes
FUNCTIONS: dict = {}  # numpy.sum -> the function of ours that does the same on nodes


def implements(numpy_function):
    """Let one of NumPy's functions, called with a node, call the decorated function of ours."""

    def register(function):
        FUNCTIONS[numpy_function] = function
        return function

    return register


COMPARISONS = {
    np.less, np.less_equal, np.greater, np.greater_equal, np.sign, np.isnan, np.isfinite, np.isinf,
}  # fmt: skip


FUNCTIONS.update({np.shape: lambda x: x.shape, np.ndim: lambda x: x.ndim, np.size: lambda x: x.size})


def value_of(x):
    """Return the value of a node, and anything else as it is."""
    return getattr(x, "_value", x)


def call_ufunc(ufunc, method, inputs, settings):
    """Answer one of NumPy's ufuncs that was called with a node.

    Raises
    ------
    OperationError
        If it is no operation here.
    """
    if ufunc in (np.equal, np.not_equal):  # `==` stays identity, also beside one of NumPy's numbers
        return (inputs[0] is inputs[1]) == (ufunc is np.equal)
    if ufunc in COMPARISONS and method == "__call__":
        return ufunc(*map(value_of, inputs), **settings)
    if ufunc not in UFUNCS or method != "__call__":
        raise _not_ours(ufunc, UFUNCS)
    return UFUNCS[ufunc].apply(*inputs, **settings)


def call_function(function, arguments, settings):
    """Answer another of NumPy's functions that was called with a node.

    Raises
    ------
    OperationError
        If we have none that does the same.
    """
    if function not in FUNCTIONS:
        raise _not_ours(function, FUNCTIONS)
    return FUNCTIONS[function](*arguments, **settings)


def _not_ours(function, table):
    return OperationError(
        f"numpy.{function.__name__} does not work on nodes.",
        "a NumPy function that is also an operation here.",
        f"use {near_misses(function.__name__, sorted(f.__name__ for f in table))}.",
    )
