"""What the nodes of a backward pass send to their inputs: one way for every rule, a shorter one for ours."""

import numpy as np
from numpy import ndarray

from dark.errors import GradientError, ShapeError
from dark.nodes.mode import mode
from dark.nodes.protocols import value_of
from dark.nodes.values import anomaly_error, fingerprint, has_nan, shape_of, unbroadcast

SHOWN = 4096  # a result of at most so many numbers keeps its gradient to show; a larger one if it has a name


def send(root, gradient, order, create_graph):
    """Send a gradient through the nodes of `order`; return the table of gradients, and the nodes that share theirs.

    An array in the table is shared if something else may refer to it. To one that is not, a further
    gradient is added in its place.
    """
    table, shared = {root: gradient}, {root}
    if not create_graph and not mode.anomaly:
        try:
            _send_values_back(order, table, shared)
            return table, shared
        except _Again:
            table, shared = {root: gradient}, {root}
    if mode.anomaly and has_nan(value_of(gradient)):
        raise anomaly_error("backward", [value_of(gradient)])
    before = mode.turn(differentiating=create_graph)
    try:
        for node in order:
            _send_back(node, table, shared, create_graph)
    finally:
        mode.turn(**before)
    return table, shared


def _send_back(node, table, shared, create_graph=False):
    """Ask a node's operation for the gradient of each input, and add them to the table."""
    _refuse_changed_inputs(node)
    dldy = table[node]
    if type(dldy) is float and type(node._value) is ndarray:
        dldy = _repeated(dldy, node)
    sent = node.op.differentiate(node, dldy, create_graph)
    for n, g in zip(node.inputs, sent):
        if not n.requires_grad:
            continue
        if mode.anomaly and has_nan(getattr(g, "value", g)):
            raise anomaly_error(f"the derivative of {node.op.label()}", [m.value for m in node.inputs])
        g = fitted(g, n, node)
        _add(table, shared, n, g, type(g) is not ndarray or _is_fresh(g, dldy, node, sent))
    _let_go(table, node)


def _add(table, shared, n, g, is_fresh):
    """Add a gradient to what the table has for a node."""
    if n not in table:
        table[n] = g
        if not is_fresh:
            shared.add(n)
    elif n in shared or hasattr(g, "_value"):  # a node is not written into an array
        table[n] = table[n] + g
        shared.discard(n)
    else:
        table[n] += g


def _let_go(table, node):
    """Free the gradient of a large result that does not show it."""
    y = node._value
    if type(y) is ndarray and y.size > SHOWN and node.name is None:
        table[node] = None


def _is_fresh(g, dldy, node, sent):
    """Say whether an array was made for this gradient alone.

    A rule of ours makes an array of its own, or returns a view, or `dldy` itself. A `_df`, and whatever users
    write, may as well return one that is kept somewhere.
    """
    if g.base is not None or g is dldy or node.op.vjps is None or not node.op.is_ours:
        return False
    return len(sent) == 1 or sum([g is other for other in sent]) < 2  # one is its own place


def fitted(g, n, node):
    """Give a gradient the shape and the type of the input it is for.

    One number for a whole array stays one number: multiplied along the way, it costs no memory.
    """
    value = n._value
    kind = type(g)
    if kind is float and type(value) is ndarray:
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


class _Again(Exception):
    """Says that a rule of ours failed: the general way answers as NumPy does, or tells what is wrong."""


def _send_values_back(order, table, shared):
    """Do what `_send_back` does, node by node, with its steps for our rules written out.

    Most graphs are made of such nodes, those of numbers and of one or two inputs above all, and each of them
    costs less than the calls that are saved.
    """
    for node in order:
        op, inputs, stamp, y = node.op, node.inputs, node._stamp, node._value
        partials, settings, dldy, is_number = op._short, node.settings, table[node], type(y) is float
        if partials is not None and settings is None:
            if not is_number and type(dldy) is float and not _is_alike(inputs, node):
                dldy = _repeated(dldy, node)
            try:
                if len(inputs) == 2:
                    a, b = inputs
                    if a._stamp > stamp or b._stamp > stamp:
                        _refuse_changed_inputs(node)
                    u, v = a._value, b._value
                    dlda = partials[0](dldy, y, u, v) if a.requires_grad else None
                    dldb = partials[1](dldy, y, u, v) if b.requires_grad else None
                else:
                    a, dldb = inputs[0], None
                    if a._stamp > stamp:
                        _refuse_changed_inputs(node)
                    dlda = partials[0](dldy, y, a._value) if a.requires_grad else None
            except Exception:  # a division by 0, say
                _send_back(node, table, shared)
                continue
            if is_number:
                if dldb is not None:
                    table[b] = table[b] + dldb if b in table else dldb
                if dlda is not None:
                    table[a] = table[a] + dlda if a in table else dlda
                continue
            if dlda is not None:
                _arrive(dlda, a, node, dldy, table, shared)
            if dldb is not None:
                _arrive(dldb, b, node, dldy, table, shared)
        elif op.is_direct:
            if type(dldy) is float and type(y) is ndarray and not (partials and _is_alike(inputs, node)):
                dldy = _repeated(dldy, node)
            given = [dldy, y]
            for n in inputs:
                if n._stamp > stamp:
                    _refuse_changed_inputs(node)
                given.append(n._value)
            for n, partial in zip(inputs, op.vjps):
                if n.requires_grad:
                    try:
                        g = partial(*given, **settings) if settings else partial(*given)
                    except Exception as error:
                        raise _Again from error
                    _arrive(g, n, node, dldy, table, shared)
        else:
            _send_back(node, table, shared)
            continue
        if type(y) is ndarray and y.size > SHOWN and node.name is None:
            table[node] = None


def _arrive(g, n, node, dldy, table, shared):
    """Add a gradient that a rule of ours made to what the table has for a node."""
    v = n._value
    if type(g) is not ndarray or type(v) is not ndarray or g.dtype is not v.dtype or g.shape != v.shape:
        g = fitted(g, n, node)
    if n not in table:
        table[n] = g
        if type(g) is ndarray and (g is dldy or (g.base is not None and _is_lent(g, dldy))):
            shared.add(n)
    elif n in shared:
        table[n] = table[n] + g
        shared.remove(n)
    else:
        table[n] += g


def _is_lent(view, dldy):
    """Say whether a view looks at what had come to the result, or repeats numbers, and not at a new array."""
    return view.base is dldy or view.base is getattr(dldy, "base", None) or not view.flags.writeable


def _is_alike(inputs, node):
    """Say whether all inputs are arrays of the result's shape, so that one number for all of it serves each."""
    shape = node.shape
    return all(type(n._value) is ndarray and n._value.shape == shape for n in inputs)


def _repeated(g, node):
    """Repeat one number until it has the shape of a node's value; a view, which costs no memory."""
    return np.broadcast_to(node._value.dtype.type(g), node._value.shape)


def _refuse_changed_inputs(node):
    seen = getattr(node, "_seen", None) if mode.anomaly else None
    for k, n in enumerate(node.inputs):
        if n._stamp > node._stamp or (seen and fingerprint(n._value) != seen[k]):
            raise _changed(f"{n} was changed after {node} had been computed from it.")
    if seen and fingerprint(node._value) != seen[-1]:
        raise _changed(f"{node} was changed after it had been computed.")


def _changed(what):
    return GradientError(
        f"backward: {what}",
        "the values of the forward pass.",
        "compute the result again before calling backward, or change values after it.",
    )
