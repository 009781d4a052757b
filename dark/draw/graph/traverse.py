"""Read a graph of any node class: the fields of a node, and all nodes in topological order."""

from collections.abc import Callable, Iterator
from math import inf, prod
from types import NoneType
from typing import Any

import numpy as np

from dark.draw.arrays.array_summary import summarize
from dark.draw.labels import one_line, operation_text, shape_of, value_in, value_text
from dark.errors import DrawingError
from dark.nodes import Node, keeps_grad

UNFINISHED = NOT_LISTED = -1
MISSING = object()
NOT_KEPT = "not kept"


def is_node(thing):
    """Return whether an object can be drawn: it has `inputs` and `value`."""
    return isinstance(thing, Node) or not isinstance(thing, type) and _has(thing, "inputs") and _has(thing, "value")


def field_of(node, field, default=None):
    """Return a field of a node of any class; a DrawingError if a property raises, or the field is a method."""
    try:
        found = value_in(node) if field == "value" and isinstance(node, Node) else getattr(node, field, default)
    except Exception as error:
        raise unreadable(node, field, error) from None
    if found is node and callable(node):
        raise DrawingError(
            f"draw: the inputs of a node must be nodes or numbers, got an object of type {type(node).__name__}.",
            "nodes or numbers.",
            "check where `inputs` is set: a call may lack its ()",
        )
    if callable(found) and field in ("inputs", "value", "grad"):
        raise DrawingError(
            f"draw: {field} of {type(node).__name__} must not be a method.",
            f"an attribute or a property, such as self.{field}.",
            f"write @property above the method {field}",
        )
    return found


def inputs_of(node):
    """Return the inputs of a node, without those that are None; `()` for a number."""
    inputs = field_of(node, "inputs")
    if type(inputs) not in (tuple, list):
        inputs = () if inputs is None else _listed(node, inputs)
    return tuple([n for n in inputs if n is not None])


def topological_order(
    root: Any,
    most: float = inf,
    keep: Callable[[Any, Any], bool] | None = None,
    read: Callable[[Any], tuple[Any, ...]] = inputs_of,
) -> Any:
    """Return the nodes of a graph, the root last, and the positions of the inputs of each; without recursion.

    Each node is listed once, a number among the inputs each time it occurs. An input has position -1 where `keep`,
    called with a node and its input, is false. With more than `most` nodes, the result is None. `read` returns the
    inputs.
    """
    check_node(root)
    position, count = {id(root): UNFINISHED}, 1
    nodes: list[Any] = []
    links: list[tuple[int, ...]] = []
    stack: list[tuple[Any, Iterator[Any], list[int]]] = [(root, iter(read(root)), [])]
    while stack:
        node, rest, found = stack[-1]
        for below in rest:
            known: Any = position.get(id(below)) if is_node(below) else MISSING
            if keep is not None and not keep(node, below):
                found.append(NOT_LISTED)
                continue
            count += known is None or known is MISSING
            if count > most:
                return None
            if known is MISSING:
                found.append(len(nodes))
                nodes.append(below)
                links.append(())
            elif known is None:
                position[id(below)] = UNFINISHED
                stack.append((below, iter(read(below)), []))
                break
            elif known == UNFINISHED:
                raise _cycle(below)
            else:
                found.append(known)
        else:
            stack.pop()
            position[id(node)] = len(nodes)
            if stack:
                stack[-1][2].append(len(nodes))
            nodes.append(node)
            links.append(tuple(found))
    return nodes, links


def check_node(root):
    """Raise an error if a root cannot be drawn."""
    if not is_node(root):
        raise DrawingError(
            f"draw: {type(root).__name__} is not a node of a graph.",
            "an object with `inputs` and `value`, such as the result of dark.add(x, 2).",
            "draw the node itself, not its value",
        )


def unreadable(node, field, error):
    """Return the error for a field whose property or `__repr__` raises `error`."""
    reason = one_line(f"{type(error).__name__}: {_message(error)}", 200)
    return DrawingError(
        f"draw: {field} of {type(node).__name__} cannot be read: {reason}",
        "a field that can be read and converted to a string.",
        f"print({field}) of this node; check its property or __repr__",
    )


def _has(thing, field):
    try:
        return hasattr(thing, field)
    except Exception:  # the field exists and raises; `field_of` reports it
        return True


def _listed(node, inputs):
    single = isinstance(inputs, (str, bytes, dict)) or is_node(inputs)
    try:
        if not single and iter(inputs) is not inputs:  # an iterator could be read only once
            return tuple(inputs)
    except Exception:
        pass
    raise DrawingError(
        f"draw: inputs of {type(node).__name__} must be a tuple or a list, got {type(inputs).__name__}.",
        "a tuple or a list of nodes.",
        "self.inputs = (x, y), or (x,) for a single one",
    )


def _cycle(node):
    value = field_of(node, "value")
    try:
        text = one_line(repr(value))
    except Exception as error:
        raise unreadable(node, "value", error) from None
    return DrawingError(
        f"draw: the graph must be acyclic, but has a cycle through a node with value {text}.",
        "an acyclic graph.",
        "check where `inputs` is set; apply() creates a new node for each result",
    )


def _message(error):
    try:
        return str(error)
    except Exception:
        return ""


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


def text_of(node, field):
    """Return the "name" of a node, or the sign or name of its operation ("op"); None if it has none."""
    found = field_of(node, field)
    try:
        if found is None or (field == "name" and callable(found)):
            return None
        return operation_text(found) if field == "op" else str(found)
    except Exception as error:
        raise unreadable(node, field, error) from None


def readable_grad(node, passed):
    """Return the gradient of a node, checked to have a string representation.

    `passed` is whether a backward pass has started at the root: then "not kept" stands for the gradient of a large
    result, which was released in it; see `dark.nodes.keeps_grad`.
    """
    grad = printable(node, "grad")
    if passed and grad is None and kind_of(node) == "result":
        shape = shape_of(value_in(node))
        if shape and not keeps_grad(prod(shape), text_of(node, "name")):
            return NOT_KEPT
    return grad


def printable(node: Any, field: str, default: Any = None) -> Any:
    """Return the value or gradient of a node, checked to have a string representation; a number as it is."""
    found = field_of(node, field, default)
    if type(found) in (float, int, NoneType) or (type(found) is np.ndarray and found.dtype.kind in "fiubc"):
        return found
    try:
        value_text(summarize(found))
    except Exception as error:
        raise unreadable(node, field, error) from None
    return found
