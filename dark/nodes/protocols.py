"""Dispatch of Python's operators and NumPy's functions to operations, through tables that these fill.

`dark.nodes` is below `dark.operations` and cannot import it; so operations register here when they are defined.
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING

import numpy as np

from dark.errors import OperationError, near_misses
from dark.nodes.comparisons import OF_VALUES, of_values
from dark.nodes.values import NodeBase

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn, TypeVar

    from dark.nodes.node import Node

    Function = TypeVar("Function", bound=Callable[..., Any])

SIGNS: dict[str, Callable[..., Node]] = {}  # "+" -> the function that applies its operation
UFUNCS: dict[np.ufunc, Any] = {}  # numpy.add -> the operation that implements it for nodes
FUNCTIONS: dict[Any, Callable[..., Node]] = {}  # numpy.sum -> the function that implements it for nodes
ALTERNATIVES: dict[str, str] = {}  # "vstack" -> advice what to use in place of a NumPy function that has no operation


def implements(numpy_function: Any) -> Callable[[Function], Function]:
    """Register the decorated function as the implementation of a NumPy function for nodes."""

    def register(function: Function) -> Function:
        FUNCTIONS[numpy_function] = function
        return function

    return register


_SIZES: dict[Any, Any] = {np.shape: lambda x: x.shape, np.ndim: lambda x: x.ndim, np.size: lambda x: int(x.size)}
FUNCTIONS.update(_SIZES)


def call_ufunc(ufunc: np.ufunc, method: str, inputs: tuple[Any, ...], settings: dict[str, Any]) -> Any:
    """Call the operation that implements a ufunc; comparisons return an array of bools."""
    if method != "__call__":
        raise _unsupported(f"{ufunc.__name__}.{method}")
    if ufunc in OF_VALUES and not (settings and any(isinstance(x, NodeBase) for x in settings.get("out", ()))):
        return of_values(ufunc, ufunc.__name__, *inputs, **settings)
    if settings:
        _check_no_settings(ufunc.__name__, settings)
    if ufunc in (np.positive, np.conjugate):
        return inputs[0]
    if ufunc in FUNCTIONS:
        return FUNCTIONS[ufunc](*inputs)
    if ufunc not in UFUNCS:
        raise _unsupported(ufunc.__name__)
    return UFUNCS[ufunc].apply(*inputs)


def call_function(function: Callable[..., Any], arguments: tuple[Any, ...], settings: dict[str, Any]) -> Any:
    """Call the function that implements a NumPy function for nodes."""
    if function not in FUNCTIONS:
        raise _unsupported(function.__name__)
    implementation = FUNCTIONS[function]
    try:
        return implementation(*arguments, **settings)
    except TypeError:
        _check_arguments(function, implementation, arguments, settings)
        passed = {name: v for name, v in settings.items() if v is not None or name not in UNSET}
        if len(passed) == len(settings):
            raise
    return implementation(*arguments, **passed)


UNSET = ("out", "dtype")  # NumPy passes these as None where they were not given


def _check_arguments(function: Any, implementation: Any, arguments: tuple[Any, ...], settings: dict[str, Any]) -> None:
    """Raise a clear error if arguments that NumPy accepts do not match the signature of the operation."""
    signature = _without_pytorch(inspect.signature(implementation))
    try:
        signature.bind(*arguments, **{name: v for name, v in settings.items() if v is not None or name not in UNSET})
    except TypeError as error:
        raise OperationError(
            f"numpy.{function.__name__}: on nodes it {_mismatch(error)}.",
            f"{function.__name__}{_without_hints(signature)}.",
            "omit the other arguments, or use another operation for them.",
        ) from None


def _without_pytorch(signature: inspect.Signature) -> inspect.Signature:
    """Return a signature without `**pytorch`, the keyword arguments of PyTorch, which NumPy's functions lack."""
    return signature.replace(parameters=[p for p in signature.parameters.values() if p.kind is not p.VAR_KEYWORD])


def _without_hints(signature: inspect.Signature) -> inspect.Signature:
    """Return a signature without its annotations."""
    parameters = [p.replace(annotation=p.empty) for p in signature.parameters.values()]
    return signature.replace(parameters=parameters, return_annotation=signature.empty)


def _mismatch(error: TypeError) -> str:
    """Rephrase Python's message about arguments that do not match a signature."""
    text = str(error)
    if "missing" in text:
        return "needs one more argument: " + text.rpartition("argument: ")[2]
    return "takes fewer arguments" if "too many" in text else "takes no argument " + text.rpartition("argument ")[2]


def _check_no_settings(name: str, settings: dict[str, Any]) -> None:
    """Raise if a ufunc is called with keyword arguments, such as `out`, which ``array += node`` passes."""
    if any(v is not None for v in settings.values()):
        raise OperationError(
            f"numpy.{name}: on nodes it takes no argument {' and '.join(map(repr, settings))}.",
            "positional inputs only; the result is a new node.",
            "y = y + x instead of y += x: a node cannot be written into an array."
            if "out" in settings
            else "np.where to select elements, x.astype(...) to convert them.",
        )


def unsupported(numpy_name: str) -> Callable[..., NoReturn]:
    """Return a method of nodes for an operator of Python that is a NumPy function without a derivative."""

    def method(self: Any, *_: Any) -> NoReturn:
        raise _unsupported(numpy_name)

    return method


def _unsupported(name: str) -> OperationError:
    known = [f.__name__ for f in (*UFUNCS, *FUNCTIONS)]
    return OperationError(
        f"numpy.{name} does not support nodes.",
        "a NumPy function that is also an operation of dark.",
        ALTERNATIVES.get(name) or f"use {near_misses(name.partition('.')[0], sorted(set(known)))}.",
    )
