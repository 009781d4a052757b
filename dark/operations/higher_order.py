"""The way of a fused operation on nodes: the gradients of the plain composition that it stands for."""

from dark.nodes import Constant
from dark.nodes.backward import gradients
from dark.nodes.grad_mode import mode
from dark.operations.arrays.shapes import reshape


def composed_gradients(plain, node, dldy):
    """Compute the gradients of a fused node as nodes, by way of its plain composition.

    Parameters
    ----------
    plain : callable
        Takes the inputs as nodes, and the settings; returns what the operation computes, made of other nodes.
    node : Node
        The result of the fused operation.
    dldy : Node
        The gradient that has arrived at it.

    Returns
    -------
    list of Node or None
        One for each input; None for those that take none.
    """
    takers = [n.requires_grad for n in node.inputs]
    before = mode.set(recording=True)
    try:
        twins = [reshape(n, n.shape) for n in node.inputs]  # an input may be computed from another; a twin is not
        root = plain(*twins, **(node.settings or {}))
    finally:
        mode.set(**before)
    found = iter(gradients(root, dldy, [n for n, takes in zip(twins, takers) if takes], create_graph=True))
    sent = [next(found) if takes else None for takes in takers]
    return [Constant(0.0) if g is None and takes else g for g, takes in zip(sent, takers)]
