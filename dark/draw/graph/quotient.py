"""Plain graphs: the users of nodes, all nodes below some, and groups, split where two would depend on each other."""

from collections.abc import Callable, Sequence
from graphlib import CycleError, TopologicalSorter
from typing import Any


def acyclic_groups(groups: list[Any], links: Sequence[tuple[int, ...]]) -> tuple[list[Any], list[Any]]:
    """Split groups of nodes, in topological order, until the graph of groups has no cycle.

    Return the group of each node as (group, part), the parts numbered from 0 in topological order; and these in
    topological order. `links` are the inputs of each node. Of a cycle, the groups are split that something outside
    depends on and leads back to, such as a module that is called again; if there is none, all are.
    """
    levels = _levels(groups, links)
    split: set[Any] = set()
    while True:
        parts = [(group, level if group in split else 0) for group, level in zip(groups, levels)]
        before: dict[Any, dict[Any, None]] = {part: {} for part in parts}
        for i, inputs in enumerate(links):
            before[parts[i]].update((parts[k], None) for k in inputs if parts[k] != parts[i])
        try:
            order = list(TopologicalSorter(before).static_order())
        except CycleError as error:
            cycle = {group for group, _ in error.args[1]} - split
            again = {group for group in cycle if _leads_back(group, groups, links)}
            split |= again or cycle
        else:
            numbers: dict[Any, dict[int, int]] = {}
            for group, level in sorted(set(parts), key=lambda part: part[1]):
                numbers.setdefault(group, {})[level] = len(numbers.get(group, ()))
            numbered = {(group, level): (group, numbers[group][level]) for group, level in order}
            return [numbered[part] for part in parts], [numbered[part] for part in order]


def _levels(groups, links):
    """Return how often the group changes on the way to each node; to a leaf, as to the first node that uses it."""
    levels = [0] * len(groups)
    for i, inputs in enumerate(links):
        levels[i] = max((levels[k] + (groups[k] != groups[i]) for k in inputs), default=0)
    leaves: dict[int, int] = {}
    for i, inputs in enumerate(links):
        for k in (k for k in inputs if not links[k] and groups[k] == groups[i]):
            leaves[k] = min(levels[i], leaves.get(k, levels[i]))
    return [leaves.get(i, level) for i, level in enumerate(levels)]


def _leads_back(group, groups, links):
    """Return whether a node of a group depends on one outside that depends on the group."""
    is_after = [False] * len(groups)  # outside of the group, and after it
    for i, inputs in enumerate(links):
        if groups[i] == group:
            if any(is_after[k] for k in inputs):
                return True
        else:
            is_after[i] = any(is_after[k] or groups[k] == group for k in inputs)
    return False


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
