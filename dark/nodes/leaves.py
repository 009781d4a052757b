"""Leaves that the library makes itself; their numbers promote dtypes as in NumPy 2.

A Python number adopts the dtype of the other inputs, a number in float64 does not. Every number in float64 is
stored as a `float`; so a constant made from a Python number is marked by its version.
"""

from collections.abc import Iterable

import numpy as np

from dark.nodes.grad_mode import versions
from dark.nodes.node import Constant, Node
from dark.nodes.values import operand
from dark.typing import Gradient, Value

PYTHON_NUMBER = -1  # the version of such a constant, older than every result
LARGE = 1e300  # integers from here on are converted with checks


def constant(value: Value, version: int | None = None) -> Constant:
    """Return a `Constant` of a value that needs no check or conversion; an array is shared, not copied."""
    node = object.__new__(Constant)
    node._value = value
    node._version = versions.now if version is None else version
    node._grad = node.op = node.settings = node.name = None
    node.inputs = ()
    return node


def as_input(x: object, who: str) -> Constant:
    """Return a number or an array as an input of an operation; bools and small integers count as Python numbers."""
    if type(x) is float or (type(x) is int and abs(x) < LARGE):
        return constant(float(x), PYTHON_NUMBER)
    value = operand(x, who)
    is_python_number = type(value) is float and getattr(x, "itemsize", 0) < 4
    return constant(value, PYTHON_NUMBER if is_python_number else None)


def as_nodes(gradients: Iterable[Gradient]) -> list[Gradient]:
    """Return gradients as nodes: one that does not depend on anything may be a number or an array."""
    return [g if g is None or isinstance(g, Node) else constant(g) for g in gradients]


def constant_result(y: Value, inputs: Iterable[Node]) -> Constant:
    """Return a result that does not require grad, a Python number if all inputs are."""
    if type(y) is float and all(n._version == PYTHON_NUMBER for n in inputs):
        return constant(y, PYTHON_NUMBER)
    return constant(y)


def widens(nodes: Iterable[Node]) -> bool:
    """Return whether a number in float64 meets values of lower precision, which NumPy converts to float64."""
    for n in nodes:
        if type(n._value) is float and n._version != PYTHON_NUMBER:
            return any(map(_is_narrow, nodes))
    return False


def in_float64(nodes: Iterable[Node]) -> list[Node]:
    """Return the inputs of an elementwise operation; those of lower precision are cast to float64.

    >>> import dark
    >>> x = dark.Parameter(np.ones(3, np.float32))
    >>> (x * 0.5).dtype, (x * np.float64(0.5)).dtype, (x * dark.Parameter(0.5)).dtype
    (dtype('float32'), dtype('float64'), dtype('float64'))
    """
    return [n.astype(np.float64) if _is_narrow(n) else n for n in nodes]


def _is_narrow(n: Node) -> bool:
    dtype = getattr(n._value, "dtype", None)
    return dtype is not None and dtype.kind == "f" and dtype.itemsize < 8
