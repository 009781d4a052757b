"""Checks of the arguments and results of an operation's methods; the errors name the method that is wrong."""

import inspect
from collections.abc import Sequence
from typing import Any

from dark.checks import brief, describe
from dark.errors import DarkError, OperationError, ShapeError, UsageError, ValueTypeError
from dark.nodes.leaves import constant
from dark.nodes.node import Node
from dark.nodes.values import as_result, shape_of
from dark.typing import Gradient, Value

LIMITS = ("numpy boolean", "negative integer powers")  # in errors of NumPy about dtypes that have no such function


def explain_error(error: Exception, op: type[Any], x: Sequence[Value], settings: dict[str, Any]) -> None:
    """Raise a clearer error for one of `_f`: a wrong number of inputs, wrong dtypes or shapes; else add a note."""
    if isinstance(error, TypeError):
        check_arity(op, x, settings)
    check_wrote(error, f"{op.__name__}._f")
    if any(limit in str(error) for limit in LIMITS):
        dtypes = " and ".join(str(getattr(v, "dtype", "float64")) for v in x)
        raise ValueTypeError(
            f"{op.label()}: inputs must be floats, got {dtypes}; {str(error).rstrip('.')}.",
            "floats.",
            "x.astype(float), which counts True as 1; ~mask of a NumPy array, if a mask is to be inverted.",
        ) from None
    if isinstance(error, OverflowError):  # an integer that NumPy cannot hold, as in np.repeat(x, 2**70)
        raise UsageError(f"{op.label()}: {error}; {settings}.", "integers below 2**63.", op.advice) from None
    if isinstance(error, ValueError) and not isinstance(error, DarkError) and any(map(shape_of, x)):
        raise op._shape_error(error, x) from None
    error.add_note(f"in {op.__name__}._f, with inputs {', '.join(map(brief, x))}")


def check_wrote(error: Exception, who: str) -> None:
    """Raise a clearer error if a rule wrote into an array that is not its own, which is read-only for it."""
    if isinstance(error, ValueError) and "read-only" in str(error):
        raise OperationError(
            f"{who} must not write into an array that it is given: {error}.",
            "a new array; the given ones are values and gradients of nodes.",
            "x = x * 2 in place of x *= 2; or x = x.copy() first.",
        ) from error


def shape_error(error: ValueError, op: type[Any], x: Sequence[Value]) -> ShapeError:
    """Return the error for shapes that NumPy does not accept."""
    shapes = " and ".join(str(shape_of(v)) for v in x)
    what = f"shapes {shapes} do not match" if len(x) > 1 else f"invalid shape {shapes}: {error}"
    return ShapeError(f"{op.label()}: {what}.", op.expects, op.advice)


def check_arity(op: type[Any], x: Sequence[Value], settings: dict[str, Any]) -> None:
    """Raise if `_f` does not accept this number of inputs, or these settings."""
    try:
        inspect.signature(op._f).bind(*x, **settings)
    except TypeError as error:
        raise OperationError(
            f"{op.label()}: cannot be applied to {len(x)} input{'s' * (len(x) != 1)}, {x}: {error}.",
            f"{op.__name__}.apply{inspect.signature(op._f)}.",
            "pass each input of _f once.",
        ) from None


def check_pair(op: type[Any], y: Any) -> tuple[Any, Any]:
    """Return the result of `_f` of an operation with ``saves=True``; raise unless it is a pair."""
    if not isinstance(y, tuple) or len(y) != 2:
        raise OperationError(
            f"{op.__name__}._f must return a pair, got {describe(y)}.",
            "a pair (y, saved), because the class is defined with saves=True.",
            "return y, None if there is nothing to save.",
        )
    return y


def check_gradients(op: type[Any], node: Node, gradients: Any, as_node: bool) -> list[Gradient]:
    """Return the result of `_df`; raise unless it is one gradient for each input, as values or as nodes."""
    inputs = node.inputs
    if not isinstance(gradients, (tuple, list)) or len(gradients) != len(inputs):
        raise OperationError(
            f"{op.__name__}._df must return one gradient for each input, got {describe(gradients)}.",
            f"a tuple of {len(inputs)} gradient{'s' if len(inputs) > 1 else ''}, one for each input.",
            f"return ({', '.join(f'gradient_{k + 1}' for k in range(len(inputs)))},)",
        )
    return [_as_gradient(g, op, as_node) if n.requires_grad else None for n, g in zip(inputs, gradients)]


def _as_gradient(g: Any, op: type[Any], as_node: bool) -> Gradient:
    if isinstance(g, Node):
        return g if as_node else g._value
    g = as_result(g, f"{op.__name__}._df")
    return constant(g) if as_node else g
