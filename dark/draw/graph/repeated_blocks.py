"""Repeated blocks, which are drawn once: numbered modules, with the chains between them; and equal siblings.

A run of blocks is drawn as its first one if all blocks have the same operations, shapes and connections. To a block
belong its modules, what only they use, and what is computed between them and the next block. The rest of the graph may
use the result of the last block only, as after a chain of layers, or that of each of them, as after the heads of an
attention layer.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from dark.draw.graph.graph_record import GraphNode
from dark.draw.graph.quotient import users_of

FEWEST = 3  # a shorter run is drawn as it is
LONGEST_PERIOD = 8  # modules in one block, such as the 2 of linear, tanh, linear, tanh, …
NUMBERED = re.compile(r"(.*?)(\d+)\)?")  # `layer1`, or a call, `cell (1)`
Path = tuple[str, ...]
Links = Sequence[tuple[int, ...]]


class Repeats(NamedTuple):
    """The repeated blocks of a graph.

    `stand_in` has for each node the one that is drawn for it, itself or that of the first block of its run; `runs` for
    the path of each module in a first block the names that it has in all blocks of its run; and `counts` for each node
    between modules that is drawn for others how many these are, with itself.
    """

    stand_in: list[int]
    runs: dict[Path, tuple[str, ...]]
    counts: dict[int, int]


def repeated_blocks(nodes: Sequence[GraphNode], links: Links, spared: Sequence[Path] = ()) -> Repeats:
    """Find runs of blocks that repeat; those with a module in `spared`, by its path, do not count."""
    found = Repeats(list(range(len(nodes))), {}, {})
    users = users_of(links)
    waiting: list[tuple[Path, Sequence[int]]] = [((), range(len(nodes)))]
    while waiting:
        prefix, inside = waiting.pop()
        children = _children(nodes, prefix, inside)
        signs = {name: _signature(nodes, links, inside, len(prefix) + 1) for name, inside in children.items()}
        drawn = dict(children)
        for run in _runs(signs):
            names = [(*prefix, name) for block in run for name in block]
            if any(path[: len(prefix) + 1] in names for path in spared):
                continue
            blocks = _Run(nodes, links, users, [[i for name in block for i in children[name]] for block in run])
            if blocks.repeats():
                blocks.fold(found)
                for name in (name for block in run[1:] for name in block):
                    del drawn[name]
        waiting += [((*prefix, name), inside) for name, inside in drawn.items()]
    return found


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
    found = []
    for node, below in ((nodes[i], links[i]) for i in inside):
        found.append((node.operation, node.role, node.shape, node.path[depth:], *(place.get(k, -1) for k in below)))
    return tuple(found)


def _runs(signs: dict[str, Any]) -> Iterator[list[list[str]]]:
    """Yield runs of three or more blocks of siblings with equal signatures, whose numbers follow each other."""
    names, start = list(signs), 0
    while start < len(names):
        periods = range(1, min(LONGEST_PERIOD, (len(names) - start) // FEWEST) + 1)
        counts = {period: _count(names, signs, start, period) for period in periods}
        counts = {period: count for period, count in counts.items() if count >= FEWEST}
        if not counts:
            start += 1
            continue
        period = max(counts, key=lambda period: (period * counts[period], -period))
        yield [names[k : k + period] for k in range(start, start + period * counts[period], period)]
        start += period * counts[period]


def _count(names, signs, start, period):
    """Return how many blocks of `period` siblings repeat from a start on."""
    first, count = names[start : start + period], 1
    while True:
        block = names[start + count * period : start + (count + 1) * period]
        if len(block) < period:
            return count
        if any(signs[a] != signs[b] or distance(a, b) != count * period for a, b in zip(first, block)):
            return count
        count += 1


def distance(name, following):
    """Return by how much the number in a name is larger than in another: 2 for `layer3` after `layer1`."""
    a, b = NUMBERED.fullmatch(name), NUMBERED.fullmatch(following)
    return int(b[2]) - int(a[2]) if a is not None and b is not None and a[1] == b[1] else None


class _Run:
    """The blocks of a run: the cores, modules with nodes that only they use; and chains from each core to the next."""

    def __init__(self, nodes, links, users, modules):
        self.nodes, self.links, self.users = nodes, links, users
        # The block of each node, and whether it is in the chain; and its place in that core or chain.
        self.owner = {i: (k, False) for k, inside in enumerate(modules) for i in inside}
        self.cores = [sorted(inside) for inside in modules]
        self.chains: list[list[int]] = [[] for _ in modules[1:]]
        self._add_chains(len(modules))
        self.place = {i: p for part in (*self.cores, *self.chains) for p, i in enumerate(part)}
        self._add_sources()

    def _add_chains(self, count):
        """Give to each block the nodes that depend on it, and on no later one, and lead to a later one."""
        latest, earliest = [-1] * len(self.nodes), [count] * len(self.nodes)
        for i, below in enumerate(self.links):
            own = self.owner.get(i)
            latest[i] = own[0] if own else max((latest[k] for k in below), default=-1)
        for i in range(len(self.nodes) - 1, -1, -1):
            own = self.owner.get(i)
            for k in self.links[i]:
                earliest[k] = min(earliest[k], own[0] if own else earliest[i])
        for i in range(len(self.nodes)):
            if i not in self.owner and 0 <= latest[i] < earliest[i] < count:
                self.owner[i] = latest[i], True
                self.chains[latest[i]].append(i)

    def _add_sources(self):
        """Give to each block the nodes that only it uses, but no inputs; to the first, those like the second's."""
        for i in range(len(self.nodes) - 1, -1, -1):
            if i not in self.owner and self.users[i] and self.nodes[i].role != "input":
                owners = {self.owner.get(user, (0, False)) for user in self.users[i]}
                if len({k for k, _ in owners}) == 1 and min(owners)[0] > 0:
                    self.owner[i] = min(owners)
        for parts, is_chain in ((self.cores, False), (self.chains, True)):
            for k, part in enumerate(parts[1:], 1):
                for i in part:  # grows
                    for below in self.links[i]:
                        if self.owner.get(below) == (k, is_chain) and below not in self.place:
                            self._append(part, below)
            for i, other in zip(parts[0], parts[1]):  # grow, too
                for below, there in zip(self.links[i], self.links[other]):
                    is_next = self.owner.get(there) == (1, is_chain) and self.place[there] == len(parts[0])
                    if is_next and below not in self.owner and self.nodes[below].role != "input":
                        self.owner[below] = 0, is_chain
                        self._append(parts[0], below)

    def _append(self, part, i):
        self.place[i] = len(part)
        part.append(i)

    def repeats(self):
        """Return whether all cores and all chains are equal, and what is outside uses the last, or each, of them."""
        users = {i for part in (*self.cores, *self.chains) for i in part}
        for parts in (self.cores, self.chains):
            signs = [self._sign(part) for part in parts]
            if any(sign != signs[1] for sign in signs[2:]) or not _fits(*signs[:2]):
                return False
            used = {k for k, part in enumerate(parts) if any(not users.issuperset(self.users[i]) for i in part)}
            if not used <= {len(parts) - 1} and len(used) < len(parts):
                return False
        return True

    def _sign(self, part):
        """Describe each node of a core or chain, and its inputs: in which block before, or outside."""
        return [(self._kind(i), [self._use(i, below) for below in self.links[i]]) for i in part]

    def _kind(self, i):
        node = self.nodes[i]
        return node.operation, node.role, node.shape, tuple([re.sub(r"\d+", "#", name) for name in node.path])

    def _use(self, i, below):
        if below not in self.owner:
            return None, below
        (k, _), (block, is_chain) = self.owner[i], self.owner[below]
        return k - block, (is_chain, self.place[below])

    def fold(self, found):
        """Let the first core and the first chain stand for the others; a chain that only leads to them is left out."""
        for parts in (self.cores, self.chains):
            for p, i in enumerate(parts[0] if parts else ()):
                same = [part[p] for part in parts]
                for k in same:
                    found.stand_in[k] = i
                paths = [self.nodes[k].path for k in same]
                differ = next((d for d, names in enumerate(zip(*paths)) if len(set(names)) > 1), None)
                if differ is not None:
                    found.runs[paths[0][: differ + 1]] = tuple([path[differ] for path in paths])
                elif self.nodes[i].operation:
                    found.counts[i] = len(same)
        for p in sorted(range(len(self.chains[0])), key=lambda p: -self.chains[0][p]):
            users = [user for chain in self.chains for user in self.users[chain[p]]]
            if all(found.stand_in[user] != user for user in users):
                for chain in self.chains:
                    found.stand_in[chain[p]] = found.stand_in[users[0]]


def _fits(first, second):
    """Return whether a first block equals the second one, apart from what this uses of the block before it."""
    if len(first) != len(second):
        return False
    for (kind, uses), (other, others) in zip(first, second):
        if kind != other or len(uses) != len(others):
            return False
        if any(use != there and not (use[0] is None and there[0] == 1) for use, there in zip(uses, others)):
            return False
    return True


def equal_siblings(nodes: Sequence[GraphNode], links: Links, groups: list[Any]) -> list[Any]:
    """Put nodes in one group that have the same operation, shape and inputs, and are used by the same closed modules.

    Such are the 50 steps of a sequence that a closed recurrent layer reads. A node has its index as group if it is a
    group of its own; three or more siblings get the index of the first.
    """
    users = [{groups[i] for i in each} for each in users_of(links)]
    siblings: dict[Any, list[int]] = {}
    for i, node in enumerate(nodes):
        is_leaf = node.role in ("parameter", "input") or (node.name and not node.operation)
        if groups[i] == i and not is_leaf:
            key = node.operation, node.role, node.shape, tuple(links[i]), frozenset(users[i])
            if not any(isinstance(user, int) for user in users[i]):
                siblings.setdefault(key, []).append(i)
    first = {i: members[0] for members in siblings.values() if len(members) >= FEWEST for i in members}
    return [first.get(i, group) for i, group in enumerate(groups)]
