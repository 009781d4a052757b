"""The backward pass: gradients travel from a root to the leaves, each node visited once."""

from dark.errors import GradientError
from dark.nodes.graph import result_order
from dark.nodes.mode import mode
from dark.nodes.values import anomaly_error


def backward(root, gradient, create_graph):
    """Send `gradient` back from `root`.

    All gradients of the pass live in a table; the nodes are written to at the end, so a pass that
    fails changes nothing. Leaves add the pass to what they have, results show this pass alone.
    """
    if not root.requires_grad:
        raise _nothing_to_do(root)
    table = {root: gradient}
    order = result_order(root)
    order.reverse()
    if create_graph or mode.anomaly:
        for node in order:
            _send_back(node, table, create_graph)
    else:
        _send_values_back(order, table)
    for node, g in table.items():
        if node.op is None and node.grad is not None:
            g = node.grad + g
        node.grad = g


def _send_back(node, table, create_graph=False):
    """Ask a node's operation for the gradient of each input, and add them to the table."""
    _refuse_changed_inputs(node)
    for n, g in zip(node.inputs, node.op.differentiate(node, table[node], create_graph)):
        if n.requires_grad:
            if mode.anomaly and g != g:
                raise anomaly_error(f"the derivative of {node.op.label()}", [m.value for m in node.inputs])
            table[n] = table[n] + g if n in table else g


def _send_values_back(order, table):
    """Do what `_send_back` does, node by node, with its steps for one or two inputs written out.

    A scalar graph is made of such nodes, and each of them costs less than the calls that are saved.
    """
    for node in order:
        partials = node.op._partials
        inputs = node.inputs
        stamp = node._stamp
        try:
            if partials is None or node.settings is not None or len(inputs) > 2:
                _send_back(node, table)
            elif len(inputs) == 2:
                a, b = inputs
                if a._stamp > stamp or b._stamp > stamp:
                    _refuse_changed_inputs(node)
                dldy, y, u, v = table[node], node._value, a._value, b._value
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
                dlda = partials[0](table[node], node._value, a._value)
                table[a] = table[a] + dlda if a in table else dlda
        except ArithmeticError:  # a division by 0, say: `differentiate` answers as NumPy does
            _send_back(node, table)


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
