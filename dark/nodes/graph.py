"""Traversal of a graph: its nodes in topological order, at any depth."""

from __future__ import annotations

from typing import Any

from dark.checks import describe
from dark.errors import ValueTypeError
from dark.typing import NodeType


def topological_order(root: NodeType) -> list[NodeType]:
    """Return all nodes that a node was computed from, every input before the nodes that use it.

    A depth-first search with an explicit stack instead of recursion, so that the depth is not limited.

    References
    ----------
    R. E. Tarjan, "Edge-disjoint spanning trees and depth-first search", Acta Informatica 6, 1976.

    Examples
    --------
    >>> import dark
    >>> x = dark.Parameter(3)
    >>> [node.value for node in dark.topological_order(x * x + x)]
    [3.0, 9.0, 12.0]
    """
    if not hasattr(root, "inputs"):
        raise ValueTypeError(f"topological_order: {describe(root)} is not a node.", "a node.", "pass a result: x * x.")
    return walk(root, leaves=True)


def walk(root: NodeType, leaves: bool) -> list[NodeType]:
    """Return the nodes in topological order; without leaves these are what a backward pass visits."""
    order: list[NodeType] = []
    seen = set()
    waiting: list[Any] = [root] if leaves or root.op is not None else []
    while waiting:
        node = waiting.pop()
        if node is None:  # the mark of a node whose inputs are all in the list
            order.append(waiting.pop())
        elif node not in seen:
            seen.add(node)
            waiting += (node, None)
            for n in node.inputs:
                if leaves or n.op is not None:
                    waiting.append(n)
    return order
