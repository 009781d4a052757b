"""How signs and NumPy's functions find our operations: tables that operations fill when they are defined.

Nodes stand below operations and cannot import them; Python's signs and NumPy's protocols ask here.
"""

import inspect

import numpy as np

from dark.errors import OperationError
from dark.nodes.nearest import instead_of

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
    if ufunc in (np.positive, np.conjugate) and method == "__call__":
        return inputs[0]
    if ufunc not in UFUNCS or method != "__call__":
        name = ufunc.__name__ if method == "__call__" else f"{ufunc.__name__}.{method}"
        raise _not_ours(name)
    if settings:
        _refuse_settings(ufunc.__name__, settings)
    return UFUNCS[ufunc].apply(*inputs)


def call_function(function, arguments, settings):
    """Answer another of NumPy's functions that was called with a node.

    Raises
    ------
    OperationError
        If we have none that does the same, or ours does not take such arguments.
    """
    if function not in FUNCTIONS:
        raise _not_ours(function.__name__)
    ours = FUNCTIONS[function]
    try:
        return ours(*arguments, **settings)
    except TypeError:
        _refuse_unfit(function, ours, arguments, settings)
        asked = {name: v for name, v in settings.items() if v is not None or name not in UNSET}
        if len(asked) == len(settings):
            raise
    return ours(*arguments, **asked)


UNSET = ("out", "dtype")  # what is the same as nothing where it is None


def _refuse_unfit(function, ours, arguments, settings):
    """Say it in our words where NumPy takes arguments that ours does not."""
    signature = inspect.signature(ours)
    try:
        signature.bind(*arguments, **{name: v for name, v in settings.items() if v is not None or name not in UNSET})
    except TypeError as error:
        raise OperationError(
            f"numpy.{function.__name__}: on nodes it {_unfit(error)}.",
            f"{function.__name__}{signature}.",
            "give what stands there, and do the rest with another operation.",
        ) from None


def _unfit(error):
    """Say in our words what Python says of arguments that do not fit."""
    text = str(error)
    if "missing" in text:
        return "needs one more argument: " + text.rpartition("argument: ")[2]
    return "takes fewer arguments" if "too many" in text else "takes no argument " + text.rpartition("argument ")[2]


def _refuse_settings(name, settings):
    """Refuse what NumPy takes beside the inputs of a ufunc, such as `out`, which ``array += node`` asks for."""
    if any(v is not None for v in settings.values()):
        raise OperationError(
            f"numpy.{name}: on nodes it takes no argument {' and '.join(map(repr, settings))}.",
            "inputs alone; the result is a new node.",
            "write y = y + x in place of y += x, for a node cannot be written into an array."
            if "out" in settings
            else "choose with where, and convert with x.astype(...).",
        )


def _not_ours(name):
    known = [f.__name__ for f in (*UFUNCS, *FUNCTIONS)]
    return OperationError(
        f"numpy.{name} does not work on nodes.",
        "a NumPy function that is also an operation here.",
        instead_of(name, known),
    )
