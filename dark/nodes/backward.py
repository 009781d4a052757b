"""The backward pass: reverse-mode differentiation, complete and plain; `fast` does the same with shortcuts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dark.nodes import fast
from dark.nodes.grad_mode import Switch, mode
from dark.nodes.gradient import cast_gradient, expand, own_copy, store
from dark.nodes.gradient_hooks import alive, complete, complete_ends, have_hooks
from dark.nodes.graph import walk
from dark.nodes.graph_checks import check_nan, check_unchanged, requires_grad_error
from dark.nodes.memory import release
from dark.typing import AnyNode, ArrayLike, Gradient, Gradients


def propagate(
    root: AnyNode, gradient: Gradient, order: list[AnyNode], create_graph: bool = False
) -> tuple[Gradients, set[AnyNode]]:
    """Apply the chain rule at each node of `order`: the root first, every node after all nodes that use it.

    So the gradient of a node is complete when it is visited. Its operation computes a vector-Jacobian product for each
    input, added to those of its other uses. Returns gradients by node, and the nodes whose gradient may share memory.
    """
    is_plain = create_graph or mode.anomaly or (alive and have_hooks(order))
    if fast.ENABLED and not is_plain and (found := fast.propagate(root, gradient, order)):
        return found
    check_nan(gradient)
    table = {root: gradient}
    with Switch(create_graph=create_graph, gathered={}):
        for node in order:
            check_unchanged(node)
            dldy = complete(table, node, create_graph)
            for n, g in zip(node.inputs, node.op.differentiate(node, dldy, create_graph)):
                if n.requires_grad:
                    check_nan(g, node)
                    g = cast_gradient(g, n, node)
                    table[n] = table[n] + g if n in table else g
            release(table, node)  # if it is large
    return table, set(table)


def backward(root: AnyNode, gradient: Gradient, create_graph: bool) -> None:
    """Propagate `gradient` from `root`, and store the gradient of each node in its `grad`.

    They are stored at the end: a pass that fails changes nothing. Leaves accumulate over passes; results
    hold the last pass, except large ones without a name, whose gradient is released during the pass.
    """
    if not root.requires_grad:
        raise requires_grad_error(root)
    order = walk(root, leaves=False)[::-1]
    table, shared = propagate(root, gradient, order, create_graph)
    if alive:
        complete_ends(table, shared, create_graph)
    store(table, shared)


def gradients(root: AnyNode, gradient: ArrayLike, targets: Sequence[AnyNode], create_graph: bool = False) -> list[Any]:
    """Compute a vector-Jacobian product: gradients with respect to some nodes, without changing any `grad`.

    The gradient of a target on which the root does not depend is None.

    Parameters
    ----------
    root : Node
        The node to differentiate.
    gradient : float, array or Node
        The vector, in the shape of the root's value.
    targets : list of Node
        The nodes to differentiate with respect to; none may be computed from another.
    create_graph : bool, default False
        Compute the gradients as nodes, so that they can be differentiated again.
    """
    needed, order = set(targets), []
    for node in walk(root, leaves=False):
        if node not in needed and any(n in needed for n in node.inputs):
            needed.add(node)
            order.append(node)
    if root not in needed:
        return [None] * len(targets)
    table, shared = propagate(root, cast_gradient(gradient, root, root), order[::-1], create_graph)
    if alive:
        complete_ends(table, shared, create_graph, dict.fromkeys(targets))
    found = [(n, own_copy(table[n]) if n in shared else table[n]) if n in table else (n, None) for n in targets]
    return [expand(g, n, copy=True) for n, g in found]
