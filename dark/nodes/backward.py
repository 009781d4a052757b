"""The backward pass: gradients travel from a root to the leaves, each node visited once."""

from dark.errors import GradientError
from dark.nodes.graph import gradient_order
from dark.nodes.mode import mode
from dark.nodes.values import anomaly_error


def backward(root, gradient, create_graph):
    """Send `gradient` back from `root`.

    All gradients of the pass live in a table; the nodes are written to at the end, so a pass that
    fails changes nothing. Leaves add the pass to what they have, results show this pass alone.
    """
    if not root.requires_grad:
        raise _nothing_to_do(root)
    order = gradient_order(root)
    table = {root: gradient}
    watch = mode.anomaly
    for node in reversed(order):
        op = node.op
        if op is None:
            continue
        _refuse_changed_inputs(node)
        for n, g in zip(node.inputs, op.differentiate(node, table[node], create_graph)):
            if n.requires_grad:
                if watch and g != g:
                    raise anomaly_error(f"the derivative of {op.label()}", [m.value for m in node.inputs])
                table[n] = table[n] + g if n in table else g
    for node in order:
        if node.op is None and node.grad is not None:
            node.grad = node.grad + table[node]
        else:
            node.grad = table[node]


def _refuse_changed_inputs(node):
    for n in node.inputs:
        if n._stamp > node._stamp:
            raise GradientError(
                f"backward: {n} was changed after {node} had been computed from it.",
                "the values of the forward pass.",
                "compute the result again before calling backward, or change values after it.",
            )


def _nothing_to_do(root):
    reason = "the graph was not recorded" if not mode.recording else "no Parameter leads to it"
    return GradientError(
        f"backward: {root} takes no gradient; {reason}.",
        "a result computed from a Parameter, outside dark.no_grad().",
        "make what is to be trained a Parameter, and compute the result again.",
    )
