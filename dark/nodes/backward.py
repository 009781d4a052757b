"""The backward pass: gradients travel from a root to the leaves, each node visited once."""

import numpy as np
from numpy import ndarray

from dark.errors import GradientError, ShapeError
from dark.nodes.graph import walk
from dark.nodes.mode import mode
from dark.nodes.sending import fitted, send
from dark.nodes.values import shape_of


def backward(root, gradient, create_graph):
    """Send `gradient` back from `root`, and leave at each node what has arrived there.

    All gradients of the pass live in a table; the nodes are written to at the end, so a pass that
    fails changes nothing. Leaves add the pass to what they have, results show this pass alone. The
    gradient of a large result that shows none is let go as soon as it has been sent on.
    """
    if not root.requires_grad:
        raise _nothing_to_do(root)
    order = walk(root, leaves=False)
    order.reverse()
    table, shared = send(root, gradient, order, create_graph)
    for n in shared:  # what may fail comes before the first node is written to
        if type(table[n]) is ndarray:
            table[n] = np.array(table[n])
    for n, g in table.items():
        if n.op is None and n._grad is not None:
            table[n] = _added(n._grad, g, n)
    for n, g in table.items():
        n._grad = g


def gradients(root, gradient, targets, create_graph=False):
    """Compute what `gradient` at `root` becomes at some nodes below it; no node is written to.

    Parameters
    ----------
    root : Node
        Where the gradient starts.
    gradient : float, array or Node
        In the shape of the root's value.
    targets : list of Node
        Where it is asked for; none of them may be computed from another.
    create_graph : bool, default False
        Compute the gradients as nodes.

    Returns
    -------
    list of float, array, Node or None
        One for each target; None where nothing leads from it to the root.
    """
    leading, order = set(targets), []
    for node in walk(root, leaves=False):
        if node not in leading and any(n in leading for n in node.inputs):
            leading.add(node)
            order.append(node)
    order.reverse()
    if root not in leading:
        return [None] * len(targets)
    table, shared = send(root, fitted(gradient, root, root), order, create_graph)
    return [_apart(n, table[n], n in shared) if n in table else None for n in targets]


def _added(old, new, n):
    """Add what a pass brought to what a leaf has; either may be one number for a whole array."""
    if type(old) is float and old == 0.0:  # after `zero_grad`
        return new
    if type(n._value) is not ndarray or type(old) is type(new) is float:
        return old + new
    if type(old) is float:
        old = n.dtype.type(old)
    elif type(new) is float:
        new = n.dtype.type(new)
    elif shape_of(old) != shape_of(new):
        raise ShapeError(
            f"backward: {n} has a gradient of shape {shape_of(old)}, and one of shape {shape_of(new)} came.",
            "a gradient in the shape of the value.",
            "set its grad to None after giving it a value of another shape.",
        )
    return old + new


def _apart(n, g, is_shared):
    """Give a gradient that shares its memory with no other array, in the shape of the value."""
    if type(g) is ndarray:
        return np.array(g) if is_shared else g
    if type(g) is float and type(n._value) is ndarray:
        return np.full(n._value.shape, g, n.dtype)
    return g


def _nothing_to_do(root):
    reason = "no Parameter that takes a gradient leads to it" if mode.recording else "its graph was not recorded"
    return GradientError(
        f"backward: {root} takes no gradient; {reason}.",
        "a result computed from a Parameter, outside dark.no_grad().",
        "make what is to be trained a Parameter, and compute the result again.",
    )
