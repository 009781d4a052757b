"""Gradients of nodes: cast to the shape and dtype of the value, copied, accumulated, stored."""

import threading

import numpy as np

from dark.errors import ShapeError
from dark.nodes.broadcasting import unbroadcast
from dark.nodes.graph_checks import check_axes
from dark.nodes.values import NodeBase, shape_of
from dark.typing import AnyNode, Gradient, Gradients

storing = threading.RLock()  # for one thread at a time


def cast_gradient(g: Gradient, n: AnyNode, node: AnyNode) -> Gradient:
    """Cast a gradient from the derivative at `node` to the shape and dtype of the input `n`.

    For an array whose elements are all equal, the gradient may be one float: it is expanded only when used.
    """
    value = n._value
    kind = type(g)
    if kind is float and type(value) is np.ndarray:
        return g
    if kind is type(value) and (kind is float or (g.shape == value.shape and g.dtype == value.dtype)):
        return g
    shape, given = shape_of(value), shape_of(g)
    if given != shape:
        check_axes(g, n, node)
        try:
            g = unbroadcast(g, shape) if given else np.broadcast_to(g, shape)
        except ShapeError as error:
            error.add_note(f"in the derivative of {node.op.label()}")
            raise
    if not shape and not isinstance(g, NodeBase):
        return type(value)(g)
    dtype = n.dtype
    return g if g.dtype == dtype or dtype.kind != "f" else g.astype(dtype)


def expand(g: Gradient, node: AnyNode, copy: bool = False) -> Gradient:
    """Expand a float that is the gradient of an array, as a view or a copy; return other gradients unchanged."""
    if type(g) is not float or type(node._value) is not np.ndarray:
        return g
    g = np.broadcast_to(node.dtype.type(g), node.shape)
    return np.array(g) if copy else g


def own_copy(g: Gradient) -> Gradient:
    """Return a gradient that shares no memory with other arrays."""
    return np.array(g) if type(g) is np.ndarray else g


def store(table: Gradients, shared: set[AnyNode]) -> None:
    """Store the gradients of a pass, of `shared` ones a copy; leaves accumulate, also those of several threads."""
    for n in shared:
        if type(table[n]) is np.ndarray:
            table[n] = np.array(table[n])
    storing.acquire()  # as `with` would, in half the time
    try:
        for n in table:
            if n.op is None and n._grad is not None:
                table[n] = add_to_grad(n, table[n])
        for n, g in table.items():
            n._grad = g
    finally:
        storing.release()


def add_to_grad(n: AnyNode, g: Gradient) -> Gradient:
    """Return the `grad` of a leaf plus the gradient of a new pass; either may be one float for a whole array."""
    old = n._grad
    if type(old) is float and old == 0.0:  # after `zero_grad`
        return g
    if type(n._value) is not np.ndarray or type(old) is type(g) is float:
        return old + g
    if type(old) is float:
        old = n.dtype.type(old)
    elif type(g) is float:
        g = n.dtype.type(g)
    elif shape_of(old) != shape_of(g):
        raise ShapeError(
            f"backward: cannot add a gradient of shape {shape_of(g)} to the grad of {n}, of shape {shape_of(old)}.",
            "a grad in the shape of the value.",
            "set grad to None after changing the shape of the value.",
        )
    return old + g
