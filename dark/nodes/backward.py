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
    for n, is_own in own.items():  # everything that may fail comes before the first node is written to
        table[n] = _apart(n, table[n], is_own)
    for n, g in table.items():
        if n.op is None:
            g = _apart(n, g, is_own=True)
            table[n] = g if n.grad is None else n.grad + g
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
    return [_apart(n, table[n], own.get(n)) if n in table else None for n in targets]


def _send(root, gradient, order, create_graph):
    """Send a gradient through the nodes of `order`; return the table of gradients, and whose arrays are their own.

    An array in the table is its node's own if nothing else refers to it: to such an array a further
    gradient is added in its place. Nodes that hold a float, and receive floats, are not asked about.
    """
    table = {root: _fitted(gradient, root, root)}
    own = {root: False}
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


def _apart(n, g, is_own):
    """Give a gradient that shares its memory with no other array, in the shape of the value."""
    if type(g) is np.ndarray:
        return g if is_own else np.array(g)
    if type(g) is float and type(n._value) is np.ndarray:
        return np.full(n._value.shape, g, n.dtype)
    return float(g) if type(g) is np.float64 else g


def _send_back(node, table, own, create_graph=False):
    """Ask a node's operation for the gradient of each input, and add them to the table."""
    _refuse_changed_inputs(node)
    dldy = table[node]
    if type(dldy) is float and type(node._value) is np.ndarray:
        dldy = _repeated(dldy, node)
    sent = node.op.differentiate(node, dldy, create_graph)
    for n, g in zip(node.inputs, sent):
        if not n.requires_grad:
            continue
        if mode.anomaly and has_nan(getattr(g, "value", g)):
            raise anomaly_error(f"the derivative of {node.op.label()}", [m.value for m in node.inputs])
        g = _fitted(g, n, node)
        _add(table, own, n, g, type(g) is np.ndarray and _is_fresh(g, dldy, node, sent))
    _let_go(table, node)


def _add(table, own, n, g, is_fresh):
    """Add a gradient to what the table has for a node."""
    if n not in table:
        table[n] = g
        own[n] = is_fresh
    elif own.get(n):
        table[n] += g
    else:
        table[n] = g = table[n] + g
        own[n] = type(g) is np.ndarray


def _let_go(table, node):
    """Free the gradient of a large result that does not show it."""
    y = node._value
    if type(y) is np.ndarray and y.size > SHOWN and node.name is None:
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
    """Give a gradient the shape and the type of the input it is for.

    One number for a whole array stays one number: multiplied along the way, it costs no memory.
    """
    value = n._value
    kind = type(g)
    if kind is float and type(value) is np.ndarray:
        return g
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

    Graphs of numbers and of small arrays are made of such nodes, and each of them costs less than
    the calls that are saved.
    """
    for node in order:
        partials, inputs, stamp = node.op._short, node.inputs, node._stamp
        if partials is None or node.settings is not None or len(inputs) > 2:
            _send_back(node, table, own)
            continue
        dldy, y = table[node], node._value
        is_number = type(y) is float
        if not is_number and type(dldy) is float:
            dldy = _spread_out(dldy, node)
        try:
            if len(inputs) == 2:
                a, b = inputs
                if a._stamp > stamp or b._stamp > stamp:
                    _refuse_changed_inputs(node)
                u, v = a._value, b._value
                dlda = partials[0](dldy, y, u, v) if a.requires_grad else None
                dldb = partials[1](dldy, y, u, v) if b.requires_grad else None
                if is_number and type(u) is float and type(v) is float:
                    if dlda is not None:
                        table[a] = table[a] + dlda if a in table else dlda
                    if dldb is not None:
                        table[b] = table[b] + dldb if b in table else dldb
                    continue
            else:
                a = inputs[0]
                if a._stamp > stamp:
                    _refuse_changed_inputs(node)
                u = a._value
                dlda = partials[0](dldy, y, u) if a.requires_grad else None
                if is_number and type(u) is float:
                    if dlda is not None:
                        table[a] = table[a] + dlda if a in table else dlda
                    continue
                b = v = dldb = None
        except ArithmeticError:  # a division by 0, say: `differentiate` answers as NumPy does
            _send_back(node, table, own)
            continue
        if dlda is not None:
            fresh = dlda is not dldy and dlda is not u and dlda is not v and dlda is not y and dlda is not dldb
            _add_fitted(table, own, a, dlda, fresh, node)
        if dldb is not None:
            fresh = dldb is not dldy and dldb is not u and dldb is not v and dldb is not y and dldb is not dlda
            _add_fitted(table, own, b, dldb, fresh, node)
        _let_go(table, node)


def _spread_out(g, node):
    """Keep one number for a whole array, unless an input was broadcast and must be summed for."""
    y = node._value
    if type(y) is np.ndarray and any(shape_of(n._value) != y.shape for n in node.inputs):
        return _repeated(g, node)
    return g


def _repeated(g, node):
    """Repeat one number until it has the shape of a node's value; a view, which costs no memory."""
    return np.broadcast_to(node._value.dtype.type(g), node._value.shape)


def _add_fitted(table, own, n, g, is_new, node):
    """Fit a gradient to its input and add it to the table; `is_new` if it is none of the arrays at hand."""
    value = n._value
    is_array = type(g) is np.ndarray
    if not (is_array and type(value) is np.ndarray and g.shape == value.shape and g.dtype == value.dtype):
        g = _fitted(g, n, node)
        is_array = type(g) is np.ndarray
    _add(table, own, n, g, is_new and is_array and g.base is None)


def _refuse_changed_inputs(node):
    for n in node.inputs:
        if n._stamp > node._stamp:
            raise GradientError(
                f"backward: {n} was changed after {node} had been computed from it.",
                "the values of the forward pass.",
                "compute the result again before calling backward, or change values after it.",
            )


def _nothing_to_do(root):
    reason = "no Parameter that takes a gradient leads to it" if mode.recording else "its graph was not recorded"
    return GradientError(
        f"backward: {root} takes no gradient; {reason}.",
        "a result computed from a Parameter, outside dark.no_grad().",
        "make what is to be trained a Parameter, and compute the result again.",
    )
