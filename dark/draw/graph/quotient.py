"""Plain graphs: the users of nodes, all nodes below some, and groups, split where two would depend on each other."""

from collections.abc import Callable, Sequence
from graphlib import CycleError, TopologicalSorter
from typing import Any


def acyclic_groups(groups: list[Any], links: Sequence[tuple[int, ...]]) -> tuple[list[Any], list[Any]]:
    """Split groups of nodes, in topological order, until the graph of groups has no cycle.

    Return the group of each node as (group, part), with part 0 if it is not split; and these in topological order.
    `links` are the inputs of each node.
    """
    levels = [0] * len(groups)
    split: set[Any] = set()
    for i, inputs in enumerate(links):
        levels[i] = max((levels[k] + (groups[k] != groups[i]) for k in inputs), default=0)
    while True:
        parts = [(group, level if group in split else 0) for group, level in zip(groups, levels)]
        before: dict[Any, dict[Any, None]] = {part: {} for part in parts}
        for i, inputs in enumerate(links):
            before[parts[i]].update((parts[k], None) for k in inputs if parts[k] != parts[i])
        try:
            return parts, list(TopologicalSorter(before).static_order())
        except CycleError as error:
            split.update(group for group, _ in error.args[1])


def users_of(links: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return for each node the nodes that use it, each once; `links` are the inputs of each node."""
    users: list[list[int]] = [[] for _ in links]
    for i, inputs in enumerate(links):
        for k in dict.fromkeys(inputs):
            users[k].append(i)
    return users


def all_below(
    roots: Sequence[Any], inputs_of: Callable[[Any], Sequence[Any]], key: Callable[[Any], Any] = id
) -> list[Any]:
    """Return some nodes and all below them, each after its inputs and once by its key; without recursion."""
    order, seen, stack = [], set(), list(reversed(roots))
    while stack:
        node = stack.pop()
        if node is None:  # the mark of a node whose inputs are all in the list
            order.append(stack.pop())
        elif key(node) not in seen:
            seen.add(key(node))
            stack += [node, None, *reversed([n for n in inputs_of(node) if key(n) not in seen])]
    return order
