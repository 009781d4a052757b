"""The backward pass: gradients travel from a root to the leaves, each node visited once."""

import numpy as np

from dark.errors import GradientError, ShapeError
from dark.nodes.graph import result_order
from dark.nodes.mode import mode
from dark.nodes.values import anomaly_error, has_nan, shape_of, unbroadcast

SHOWN = 4096  # a result of at most so many numbers keeps its gradient to show; a larger one if it has a name


def backward(root, gradient, create_graph):
    """Send `gradient` back from `root`.

    All gradients of the pass live in a table; the nodes are written to at the end, so a pass that
    fails changes nothing. Leaves add the pass to what they have, results show this pass alone. The
    gradient of a large result that shows none is let go as soon as it has been sent on.
    """
    if not root.requires_grad:
        raise _nothing_to_do(root)
    table, own = {root: gradient}, set()
    order = result_order(root)
    order.reverse()
    if create_graph or mode.anomaly:
        for node in order:
            _send_back(node, table, own, create_graph)
    else:
        _send_values_back(order, table, own)
    for node, g in table.items():
        if node.op is None and node.grad is not None:
            g = node.grad + g
        elif type(g) is np.ndarray and node not in own:
            g = np.array(g)  # no gradient shares its memory with another array
        node.grad = g


def _send_back(node, table, own, create_graph=False):
    """Ask a node's operation for the gradient of each input, and add them to the table.

    `own` are the nodes whose array in the table nothing else refers to: to such an array a further
    gradient is added in its place.
    """
    _refuse_changed_inputs(node)
    dldy, before = table[node], None
    for n, g in zip(node.inputs, node.op.differentiate(node, dldy, create_graph)):
        if not n.requires_grad:
            continue
        if mode.anomaly and has_nan(getattr(g, "value", g)):
            raise anomaly_error(f"the derivative of {node.op.label()}", [m.value for m in node.inputs])
        fresh = type(g) is np.ndarray and g.base is None and g is not dldy and g is not before
        before, g = g, _fitted(g, n, node)
        if n not in table:
            table[n] = g
            if fresh and all(g is not m._value for m in node.inputs) and g is not node._value:
                own.add(n)
        elif n in own:
            table[n] += g
        else:
            table[n] = table[n] + g
            if type(table[n]) is np.ndarray:
                own.add(n)
    if type(dldy) is np.ndarray and dldy.size > SHOWN and node.name is None:
        del table[node]
        node.grad = None


def _fitted(g, n, node):
    """Give a gradient the shape and the type of the input it is for."""
    value = n._value
    if type(g) is float and type(value) is float:
        return g
    if shape_of(g) != shape_of(value):
        try:
            g = unbroadcast(g, shape_of(value)) if shape_of(g) else np.broadcast_to(g, shape_of(value))
        except ShapeError as error:
            error.add_note(f"in the derivative of {node.op.label()}")
            raise
    if type(g) is np.ndarray and g.ndim:
        return g if g.dtype == value.dtype else g.astype(value.dtype)
    if hasattr(g, "op"):  # a node: its type follows from how it is computed
        return g
    return float(g) if type(value) is float else value.dtype.type(g)


def _send_values_back(order, table, own):
    """Do what `_send_back` does, node by node, with its steps for one or two inputs written out.

    A scalar graph is made of such nodes, and each of them costs less than the calls that are saved.
    """
    for node in order:
        partials = node.op._short
        inputs = node.inputs
        stamp = node._stamp
        y = node._value
        try:
            if type(y) is not float or partials is None or node.settings is not None or len(inputs) > 2:
                _send_back(node, table, own)
            elif len(inputs) == 2:
                a, b = inputs
                if a._stamp > stamp or b._stamp > stamp:
                    _refuse_changed_inputs(node)
                dldy, u, v = table[node], a._value, b._value
                dlda = partials[0](dldy, y, u, v) if a.requires_grad else None
                dldb = partials[1](dldy, y, u, v) if b.requires_grad else None
                if dlda is not None:
                    table[a] = table[a] + dlda if a in table else dlda
                if dldb is not None:
                    table[b] = table[b] + dldb if b in table else dldb
            else:
                a = inputs[0]
                if a._stamp > stamp:
                    _refuse_changed_inputs(node)
                dlda = partials[0](table[node], y, a._value)
                table[a] = table[a] + dlda if a in table else dlda
        except ArithmeticError:  # a division by 0, say: `differentiate` answers as NumPy does
            _send_back(node, table, own)


def _refuse_changed_inputs(node):
    for n in node.inputs:
        if n._stamp > node._stamp:
            raise GradientError(
                f"backward: {n} was changed after {node} had been computed from it.",
                "the values of the forward pass.",
                "compute the result again before calling backward, or change values after it.",
            )


def _nothing_to_do(root):
    reason = "no Parameter leads to it" if mode.recording else "its graph was not recorded"
    return GradientError(
        f"backward: {root} takes no gradient; {reason}.",
        "a result computed from a Parameter, outside dark.no_grad().",
        "make what is to be trained a Parameter, and compute the result again.",
    )
