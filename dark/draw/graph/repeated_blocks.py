"""What repeats and is drawn once: numbered modules with the same operations, shapes and connections; equal siblings.

The rest of the graph may use the result of the last module only, as after a chain of layers, or that of each of them,
as after the heads of an attention layer.
"""

import re
from collections.abc import Sequence
from typing import Any

from dark.draw.graph.graph_record import GraphNode
from dark.draw.graph.quotient import users_of

FEWEST = 3  # a shorter run is drawn as it is
NUMBERED = re.compile(r"(.*?)(\d+)")


def repeated_blocks(
    nodes: Sequence[GraphNode], links: Sequence[tuple[int, ...]], spared: Sequence[tuple[str, ...]] = ()
) -> tuple[list[int], dict[tuple[str, ...], tuple[str, ...]]]:
    """Find runs of siblings that repeat; those with a module in `spared`, by its path, do not count.

    Return for each node the one that is drawn for it, itself or that of the first block of its run; and for the path of
    each first block, the names of all blocks of its run.
    """
    stand_in, runs = list(range(len(nodes))), {}
    users = users_of(links)
    waiting: list[tuple[tuple[str, ...], Sequence[int]]] = [((), range(len(nodes)))]
    while waiting:
        prefix, inside = waiting.pop()
        children = _children(nodes, prefix, inside)
        signs = {name: _signature(nodes, links, inside, len(prefix) + 1) for name, inside in children.items()}
        for run in _runs(signs):
            paths = [(*prefix, name) for name in run]
            is_spared = any(path[: len(prefix) + 1] in paths for path in spared)
            if len(run) >= FEWEST and not is_spared and _can_fold([children[name] for name in run], users):
                runs[paths[0]] = tuple(run)
                for name in run[1:]:
                    for i, k in zip(children[name], children[run[0]]):
                        stand_in[i] = k
                run = run[:1]
            waiting += [((*prefix, name), children[name]) for name in run]
    return stand_in, runs


def equal_siblings(nodes: Sequence[GraphNode], links: Sequence[tuple[int, ...]], groups: list[Any]) -> list[Any]:
    """Put nodes in one group that have the same operation, shape and inputs, and are used by the same closed modules.

    Such are the 50 steps of a sequence that a closed recurrent layer reads. A node has its index as group if it is a
    group of its own; three or more siblings get the index of the first.
    """
    users = [{groups[i] for i in each} for each in users_of(links)]
    siblings: dict[Any, list[int]] = {}
    for i, node in enumerate(nodes):
        if (
            groups[i] == i
            and node.role in ("result", "detached", "constant")
            and not (node.name and not node.operation)
        ):
            key = node.operation, node.role, node.shape, tuple(links[i]), frozenset(users[i])
            if not any(isinstance(user, int) for user in users[i]):
                siblings.setdefault(key, []).append(i)
    first = {i: members[0] for members in siblings.values() if len(members) >= FEWEST for i in members}
    return [first.get(i, group) for i, group in enumerate(groups)]


def _children(nodes, prefix, inside):
    """Return the nodes of each child module, in the order in which the modules compute their first results."""
    depth = len(prefix)
    children: dict[str, list[int]] = {
        nodes[i].path[depth]: [] for i in inside if len(nodes[i].path) > depth and nodes[i].operation
    }
    for i in inside:
        if len(nodes[i].path) > depth:
            children.setdefault(nodes[i].path[depth], []).append(i)
    return children


def _signature(nodes, links, inside, depth):
    place = {i: k for k, i in enumerate(inside)}
    return tuple(
        (
            nodes[i].operation,
            nodes[i].role,
            nodes[i].shape,
            nodes[i].path[depth:],
            *(place.get(k, -1) for k in links[i]),
        )
        for i in inside
    )


def _can_fold(blocks, users):
    """Return whether what follows uses the last block only, or all of them."""
    inside = {i for block in blocks for i in block}
    used = {k for k, block in enumerate(blocks) if any(user not in inside for i in block for user in users[i])}
    return used <= {len(blocks) - 1} or len(used) == len(blocks)


def _runs(signs):
    """Yield the runs of consecutive names with equal signatures, whose numbers follow each other."""
    run: list[str] = []
    for name, sign in signs.items():
        if run and not (sign == signs[run[0]] and _is_next(run[-1], name)):
            yield run
            run = []
        run.append(name)
    if run:
        yield run


def _is_next(name, following):
    """Return whether a name differs from another by a number that is larger by 1: `layer2` from `layer1`."""
    a, b = NUMBERED.fullmatch(name), NUMBERED.fullmatch(following)
    return a is not None and b is not None and a[1] == b[1] and int(b[2]) == int(a[2]) + 1
