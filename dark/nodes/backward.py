"""The backward pass: gradients travel from a root to the leaves, each node visited once."""

import numpy as np

from dark.errors import GradientError, ShapeError
from dark.nodes.graph import result_order
from dark.nodes.mode import mode
from dark.nodes.values import anomaly_error, has_nan, shape_of, unbroadcast

SHOWN = 4096  # a result of at most so many numbers keeps its gradient to show; a larger one if it has a name


def backward(root, gradient, create_graph):
    """Send `gradient` back from `root`, and leave at each node what has arrived there.

    All gradients of the pass live in a table; the nodes are written to at the end, so a pass that
    fails changes nothing. Leaves add the pass to what they have, results show this pass alone. The
    gradient of a large result that shows none is let go as soon as it has been sent on.
    """
    if not root.requires_grad:
        raise _nothing_to_do(root)
    order = result_order(root)
    order.reverse()
    table, own = _send(root, gradient, order, create_graph)
    for n, g in table.items():  # everything that may fail comes before the first node is written to
        if type(g) is not float:
            table[n] = g = _apart(n, g, own)
        if n.op is None and n.grad is not None:
            table[n] = n.grad + g
    for n, g in table.items():
        n.grad = g


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
    for node in result_order(root):
        if node not in leading and any(n in leading for n in node.inputs):
            leading.add(node)
            order.append(node)
    order.reverse()
    if root not in leading:
        return [None] * len(targets)
    table, own = _send(root, gradient, order, create_graph)
    return [_apart(n, table[n], own) if n in table else None for n in targets]


def _send(root, gradient, order, create_graph):
    """Send a gradient through the nodes of `order`; return the table of gradients, and whose arrays are their own.

    An array in the table is its node's own if nothing else refers to it: to such an array a further
    gradient is added in its place.
    """
    table, own = {root: _fitted(gradient, root, root)}, set()
    if not create_graph and not mode.anomaly:
        _send_values_back(order, table, own)
        return table, own
    before = mode.turn(differentiating=create_graph)
    try:
        for node in order:
            _send_back(node, table, own, create_graph)
    finally:
        mode.turn(**before)
    return table, own


def _apart(n, g, own):
    """Copy an array that is not the node's own, so that no gradient shares its memory with another array."""
    if type(g) is np.ndarray:
        return g if n in own else np.array(g)
    return float(g) if type(g) is np.float64 else g


def _send_back(node, table, own, create_graph=False):
    """Ask a node's operation for the gradient of each input, and add them to the table."""
    _refuse_changed_inputs(node)
    dldy = table[node]
    sent = node.op.differentiate(node, dldy, create_graph)
    for n, g in zip(node.inputs, sent):
        if not n.requires_grad:
            continue
        if mode.anomaly and has_nan(getattr(g, "value", g)):
            raise anomaly_error(f"the derivative of {node.op.label()}", [m.value for m in node.inputs])
        g = _fitted(g, n, node)
        if n in own:
            table[n] += g
        elif n in table:
            table[n] = table[n] + g
            if type(table[n]) is np.ndarray:
                own.add(n)
        else:
            table[n] = g
            if type(g) is np.ndarray and _is_fresh(g, dldy, node, sent):
                own.add(n)
    if type(dldy) is np.ndarray and dldy.size > SHOWN and node.name is None:
        table[node] = None


def _is_fresh(g, dldy, node, sent):
    """Say whether an array was made for this gradient alone.

    A partial makes an array of its own, or returns a view or one of the arrays that were given to it.
    A `_df`, which users write, may as well return one that is kept somewhere.
    """
    if g.base is not None or g is dldy or g is node._value or node.op._partials is None:
        return False
    for n in node.inputs:
        if g is n._value:
            return False
    if node.settings and any(g is v for v in node.settings.values()):
        return False
    return len(sent) == 1 or sum([g is other for other in sent]) < 2  # one is its own place


def _fitted(g, n, node):
    """Give a gradient the shape and the type of the input it is for."""
    value = n._value
    kind = type(g)
    if kind is type(value) and (kind is float or (g.shape == value.shape and g.dtype == value.dtype)):
        return g
    shape = shape_of(value)
    if shape_of(g) != shape:
        try:
            g = unbroadcast(g, shape) if shape_of(g) else np.broadcast_to(g, shape)
        except ShapeError as error:
            error.add_note(f"in the derivative of {node.op.label()}")
            raise
    if not shape and not hasattr(g, "_value"):
        return type(value)(g)
    dtype = n.dtype
    return g if g.dtype == dtype or dtype.kind != "f" else g.astype(dtype)


def _send_values_back(order, table, own):
    """Do what `_send_back` does, node by node, with its steps for one or two inputs written out.

    A scalar graph is made of such nodes, and each of them costs less than the calls that are saved.
    """
    for node in order:
        partials = node.op._short
        inputs = node.inputs
        stamp = node._stamp
        y = node._value
        if type(y) is not float or partials is None or node.settings is not None or len(inputs) > 2:
            _send_back(node, table, own)
            continue
        try:
            if len(inputs) == 2:
                a, b = inputs
                if a._stamp > stamp or b._stamp > stamp:
                    _refuse_changed_inputs(node)
                dldy, u, v = table[node], a._value, b._value
                if type(u) is not float or type(v) is not float:
                    _send_back(node, table, own)
                    continue
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
                u = a._value
                if type(u) is not float:
                    _send_back(node, table, own)
                    continue
                dlda = partials[0](table[node], y, u)
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
