"""The time that each operation of PyTorch takes in the backward pass, measured by hooks that are then removed."""

from __future__ import annotations

from time import perf_counter
from typing import Any


def backward_seconds(operation: Any) -> dict[Any, float]:
    """Run the backward pass of a graph once, and return the seconds of each operation.

    Parameters
    ----------
    operation : torch.autograd.graph.Node
        The `grad_fn` of the result. The gradients that leaves hold do not change, and the graph is kept.

    Returns
    -------
    dict
        Seconds by operation; empty if `backward` has freed what the operations saved.
    """
    import torch

    operations, leaves = _below(operation)
    starts: dict[Any, float] = {}
    seconds: dict[Any, float] = {}

    def begin(node):
        return node.register_prehook(lambda grads: starts.__setitem__(node, perf_counter()))

    def end(node):
        return node.register_hook(lambda *grads: seconds.__setitem__(node, perf_counter() - starts[node]))

    handles = [register(node) for node in operations for register in (begin, end)]
    meta = operation._input_metadata[0]
    ones = torch.ones(meta.shape, dtype=meta.dtype, device=meta.device)
    edge = torch.autograd.graph.GradientEdge(operation, 0)
    try:
        torch.autograd.grad(edge, leaves, ones, retain_graph=True, allow_unused=True)
    except RuntimeError:  # freed by an earlier pass, or changed in place since
        return {}
    finally:
        for handle in handles:
            handle.remove()
    return seconds


def _below(operation):
    """Return the operations below one, itself included, and the leaves."""
    operations, leaves, seen, waiting = [], [], {operation}, [operation]
    while waiting:
        node = waiting.pop()
        leaf = getattr(node, "variable", None)
        if leaf is not None:
            leaves.append(leaf)
            continue
        operations.append(node)
        for below, _ in node.next_functions:
            if below is not None and below not in seen:
                seen.add(below)
                waiting.append(below)
    return operations, leaves
