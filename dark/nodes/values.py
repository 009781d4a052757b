"""The values of a node: a real number or an array of them; checks of values from users and from operations."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np

from dark.checks import brief, describe, without_grad
from dark.errors import DarkError, OperationError, ValueTypeError
from dark.nodes.grad_mode import mode
from dark.typing import Array, Gradient, Shape, Value


class NodeBase:
    """The base class of nodes, by which the files below `Node` recognize one."""

    __slots__ = ("_seen",)
    _seen: Any  # of a leaf, the array that the user took; of a result inside `anomaly`, checksums: see `changes`
    _value: Value
    _grad: Gradient
    _version: int
    module_calls: tuple[Any, ...]


def as_value(x: Any, who: str) -> Value:
    """Return a real number or an array of them as the value of a node.

    A Python number becomes a `float`; NumPy floats of other precisions and arrays keep their dtype, in the byte
    order of the machine; a 0-dimensional array becomes a number.

    >>> as_value(2, "Parameter")
    2.0
    """
    kind = type(x)
    if kind is float or (kind is np.ndarray and x.ndim and x.dtype.kind == "f" and x.dtype.isnative):
        return x
    if isinstance(x, np.ndarray) and x.dtype.kind in "fiub" and not isinstance(x, np.ma.MaskedArray):
        return np.asarray(x, x.dtype.newbyteorder("=")) if x.ndim else as_value(x[()], who)  # np.matrix redefines `*`
    if isinstance(x, np.floating) and kind is not np.float64:
        return x
    if isinstance(x, numbers.Real) and kind is not bool:
        try:
            return float(x)
        except OverflowError:
            raise ValueTypeError(
                f"{who}: {brief(x)} is too large for a float.", "a number below 1.8e308.", "scale the number down."
            ) from None
    if not isinstance(x, NodeBase) and (array := _foreign_array(x, who)) is not None and array.dtype.kind in "fiub":
        return as_value(array, who)
    raise ValueTypeError(
        f"{who}: cannot use {describe(x)} as a value.",
        "one real number, such as 3 or 0.5, or a NumPy array of them.",
        _advice(x),
    )


def _foreign_array(x: Any, who: str) -> Array | None:
    """Return an array of another library as one of NumPy, which shares its memory; None for other objects."""
    kind = type(x)
    read = np.asarray if hasattr(kind, "__array__") else np.from_dlpack if hasattr(kind, "__dlpack__") else None
    if read is None or isinstance(x, (np.ndarray, np.generic)):
        return None
    try:
        return read(without_grad(x, who, "an input"))
    except DarkError:
        raise
    except Exception as error:  # of the other library: an array on a GPU, or of a dtype that NumPy does not have
        raise ValueTypeError(
            f"{who}: cannot convert {describe(x)} to an array: {error}",
            "an array on the CPU, of a dtype that NumPy has.",
            "x.cpu(), or x.float(), before the conversion.",
        ) from None


def operand(x: Any, who: str) -> Value:
    """Return an input of an operation as a value; a bool counts as 1 or 0."""
    return float(x) if is_single_bool(x) else as_value(x, who)


def is_single_bool(x: Any) -> bool:
    """Return whether `x` is one bool: Python's, NumPy's, or an array of no dimension that holds one.

    >>> is_single_bool(True), is_single_bool(np.array(True)), is_single_bool(np.array([True])), is_single_bool(1)
    (True, True, False, False)
    """
    kind = type(x)
    return kind is bool or kind is np.bool_ or (kind is np.ndarray and not x.ndim and x.dtype.kind == "b")


def as_differentiable(x: Any, who: str) -> Value:
    """Return a value that can require grad: a float, or a copy of an array of floats, also from lists of numbers."""
    if type(x) in (list, tuple):
        x = _from_lists(x)
        x = x.astype(float) if isinstance(x, np.ndarray) and x.dtype.kind in "iu" else x
    x = as_value(x, who)
    if not isinstance(x, np.ndarray):
        return x
    if x.dtype.kind != "f":
        raise ValueTypeError(
            f"{who}: an array of {x.dtype} cannot require grad.",
            "an array of floats.",
            "convert it with .astype(float), or make it a Constant.",
        )
    return np.array(x, order="C")


def as_constant(x: Any, who: str) -> Value:
    """Return a value that a user makes constant: a number, or a copy of an array, also from lists of numbers."""
    x = as_value(_from_lists(x) if type(x) in (list, tuple) else x, who)
    return np.array(x) if isinstance(x, np.ndarray) else x


def _from_lists(x: Any) -> Any:
    """Return nested lists as an array, or unchanged where NumPy cannot make one of them."""
    try:
        return np.array(x)
    except (ValueError, TypeError, RuntimeError):  # of other lengths; or tensors of PyTorch that require grad
        return x


def as_gradient(g: Value, value: Value) -> Value:
    """Return a gradient that a user sets as a copy, or a number, in the dtype of the value.

    >>> as_gradient(np.array([1, 2]), np.ones(2, np.float32))
    array([1., 2.], dtype=float32)
    """
    if type(value) is np.ndarray:
        return np.array(g, value.dtype) if type(g) is np.ndarray else float(g)
    return type(value)(g)


def _advice(x: Any) -> str:
    if isinstance(x, complex) or getattr(getattr(x, "dtype", None), "kind", "") == "c":
        return "take x.real and x.imag, which are real, as two values."
    if isinstance(x, np.ma.MaskedArray):
        return "fill masked elements with x.filled(0.0), or drop them with x.compressed()."
    if hasattr(x, "value"):
        return "pass its `.value`."
    if isinstance(x, (list, tuple)):
        return "np.array(...), with the same number of numbers in each row."
    return "convert it with float(...) first, if it represents a number."


def as_result(y: Any, who: str) -> Value:
    """Return the result of a rule as a value.

    A complex number raises ArithmeticError: Python computes ``(-8.0) ** (1 / 3)`` so, where NumPy returns NaN.
    """
    if type(y) is float:
        return y
    if isinstance(y, complex):
        raise ArithmeticError(f"{who} returned the complex number {y}")
    if isinstance(y, (numbers.Real, np.ndarray, np.bool_)):
        return operand(y, who)
    raise OperationError(
        f"{who} must return a number or an array, got {describe(y)}.",
        "one real number, or an array of them.",
        "return the value of the operation.",
    )


def numpy_scalar(v: Value) -> Value:
    """Return a Python float as a NumPy one, which gives inf or NaN where Python raises; anything else as it is."""
    return np.float64(v) if type(v) is float else v


def read_only(x: Value) -> Value:
    """Return a read-only view of an array, anything else as it is."""
    if type(x) is np.ndarray:
        x = x.view()
        x.flags.writeable = False
    return x


def shape_of(x: object) -> Shape:
    """Return the shape of an array or a node; () of a number or any other object."""
    shape = getattr(x, "shape", ())
    return shape if isinstance(shape, tuple) else ()


def has_nan(y: Value) -> bool:
    """Return whether a number is NaN, or an array contains one."""
    return y != y if type(y) is float else bool(np.isnan(y).any())


def as_array(x: Any, who: str, name: str) -> Array:
    """Return an argument that is not differentiated, such as a target, as an array; a node as its value.

    >>> as_array([0, 2, 1], "cross_entropy", "target")
    array([0, 2, 1])
    """
    x = value_of(x)
    if isinstance(x, np.ndarray):
        return x
    x = without_grad(x, who, name)
    try:
        return np.asarray(x)
    except (TypeError, ValueError):  # lists of different lengths, say
        raise ValueTypeError(
            f"{who}: cannot convert {name}, {describe(x)}, to an array.",
            "an array, or lists of equal lengths.",
            "np.array(...) shows what is wrong.",
        ) from None


def value_of(x: Any) -> Any:
    """Return the value of a node, and anything else as it is; a recording registers the access."""
    if mode.recorder is not None and isinstance(x, NodeBase):
        mode.recorder.refuse(f"the value of {mode.recorder.described(x)} was read")
    return x._value if isinstance(x, NodeBase) else x
