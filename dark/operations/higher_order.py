"""Higher-order gradients of fused operations, by their unfused form."""

from dark.nodes import Constant, gradients, mode
from dark.operations.arrays.shapes import reshape


def composed_gradients(plain, node, dldy):
    """Compute the gradients of a fused node as nodes, by differentiating the composition that it computes.

    `plain` takes the inputs as nodes, and the settings; inputs that do not require a gradient get None.
    """
    needs_grad = [n.requires_grad for n in node.inputs]
    before = mode.set(recording=True)
    try:
        copies = [reshape(n, n.shape) for n in node.inputs]  # no copy is computed from another input
        root = plain(*copies, **(node.settings or {}))
    finally:
        mode.set(**before)
    found = iter(gradients(root, dldy, [n for n, needed in zip(copies, needs_grad) if needed], create_graph=True))
    grads = [next(found) if needed else None for needed in needs_grad]
    return [Constant(0.0) if g is None and needed else g for g, needed in zip(grads, needs_grad)]
