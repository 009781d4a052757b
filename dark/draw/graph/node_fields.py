"""The fields of a node of any class: kind, operation, name, and value and gradient that can be printed."""

from math import prod
from types import NoneType

import numpy as np

from dark.draw.arrays.array_summary import summarize
from dark.draw.graph.traverse import field_of, inputs_of, is_node, unreadable
from dark.draw.labels import operation_text, shape_of, value_in, value_text
from dark.nodes import keeps_grad

NOT_KEPT = "not kept"


def kind_of(node):
    """Return "parameter", "constant" or "result", by class name and inputs.

    A student's `class Constant(Node)` counts as well as `dark.Constant`; a leaf of another class may be
    trainable, so it is drawn as a parameter.
    """
    names = {cls.__name__ for cls in type(node).__mro__}
    if "Constant" in names or not is_node(node):
        return "constant"
    if "Parameter" in names or (field_of(node, "op") is None and not inputs_of(node)):
        return "parameter"
    return "result"


def operation_of(node):
    """Return the sign or name of the operation of a node; None for a leaf."""
    op = field_of(node, "op")
    try:
        return None if op is None else operation_text(op)
    except Exception as error:
        raise unreadable(node, "op", error) from None


def name_of(node):
    """Return the name of a node; None if it has none."""
    name = field_of(node, "name")
    try:
        return None if name is None or callable(name) else str(name)
    except Exception as error:
        raise unreadable(node, "name", error) from None


def readable_value(node):
    """Return the value of a node, checked to have a string representation; a number as it is."""
    return _printable(node, "value", node)


def readable_grad(node, passed):
    """Return the gradient of a node, checked to have a string representation.

    `passed` is whether a backward pass has started at the root: then "not kept" stands for the gradient of a large
    result, which was released in it; see `dark.nodes.keeps_grad`.
    """
    grad = _printable(node, "grad", None)
    if passed and grad is None and kind_of(node) == "result":
        shape = shape_of(value_in(node))
        if shape and not keeps_grad(prod(shape), name_of(node)):
            return NOT_KEPT
    return grad


def _printable(node, field, default):
    found = field_of(node, field, default)
    if type(found) in (float, int, NoneType) or (type(found) is np.ndarray and found.dtype.kind in "fiubc"):
        return found
    try:
        value_text(summarize(found))
    except Exception as error:
        raise unreadable(node, field, error) from None
    return found
