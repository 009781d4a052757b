"""Gradients of nodes: cast to the shape and dtype of the value, copied, accumulated, released."""

from __future__ import annotations

import numpy as np

from dark.errors import ShapeError
from dark.nodes.broadcasting import unbroadcast
from dark.nodes.graph_checks import check_axes
from dark.nodes.values import shape_of

KEEP_GRAD_UP_TO = 4096  # a result with more elements keeps its gradient only if it has a name


def keeps_grad(size: int, name: str | None = None) -> bool:
    """Return whether a result of this size and name keeps its gradient after a backward pass.

    Examples
    --------
    >>> keeps_grad(100), keeps_grad(10**6), keeps_grad(10**6, name="hidden state")
    (True, False, True)
    """
    return size <= KEEP_GRAD_UP_TO or name is not None


def release(table, node):
    """Free the gradient of a large result, once it has been propagated."""
    y = node._value
    if type(y) is np.ndarray and not keeps_grad(y.size, node.name):
        table[node] = None


def cast_gradient(g, n, node):
    """Cast a gradient from the derivative at `node` to the shape and dtype of the input `n`.

    For an array whose elements are all equal, the gradient may be one float: it is expanded only when used.
    """
    value = n._value
    kind = type(g)
    if kind is float and type(value) is np.ndarray:
        return g
    if kind is type(value) and (kind is float or (g.shape == value.shape and g.dtype == value.dtype)):
        return g
    shape = shape_of(value)
    if shape_of(g) != shape:
        check_axes(g, n, node)
        try:
            g = unbroadcast(g, shape) if shape_of(g) else np.broadcast_to(g, shape)
        except ShapeError as error:
            error.add_note(f"in the derivative of {node.op.label()}")
            raise
    if not shape and not hasattr(g, "_value"):
        return type(value)(g)
    dtype = n.dtype
    return g if g.dtype == dtype or dtype.kind != "f" else g.astype(dtype)


def expand(g, node, copy=False):
    """Expand a float that is the gradient of an array, as a view or a copy; return other gradients unchanged."""
    if type(g) is not float or type(node._value) is not np.ndarray:
        return g
    g = np.broadcast_to(node.dtype.type(g), node.shape)
    return np.array(g) if copy else g


def own_copy(g):
    """Return a gradient that shares no memory with other arrays."""
    return np.array(g) if type(g) is np.ndarray else g


def add_to_grad(n, g):
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
