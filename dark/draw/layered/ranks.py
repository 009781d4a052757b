"""The rank of each vertex, counted from the top, and the order of the vertices in each rank with few crossings.

Source: Sugiyama, Tagawa, Toda (1981): Methods for visual understanding of hierarchical system structures.
"""

from collections.abc import Collection
from graphlib import TopologicalSorter
from itertools import pairwise
from math import fsum

SWEEPS = 12


def ranks_of(
    count: int, edges: Collection[tuple[int, int]], first: Collection[int] = (), last: Collection[int] = ()
) -> list[int]:
    """Return the rank of each vertex: below its inputs; a leaf, or the only user of a leaf, is directly above its user.

    An edge goes from a vertex to one that uses it. `first` are vertices without inputs that are above all others,
    `last` are below all others.
    """
    below: list[list[int]] = [[] for _ in range(count)]
    above: list[list[int]] = [[] for _ in range(count)]
    for u, v in edges:
        below[u].append(v)
        above[v].append(u)
    order = list(TopologicalSorter({v: above[v] for v in range(count)}).static_order())
    ranks = [0] * count
    for v in order:
        ranks[v] = max((ranks[u] + 1 for u in above[v]), default=1 if first and v not in first else 0)
    for v in reversed(order):
        of_leaf = len(above[v]) == 1 and not above[above[v][0]] and above[v][0] not in first
        if below[v] and v not in first and (of_leaf or not above[v]):
            ranks[v] = min(ranks[w] for w in below[v]) - 1
    if last:
        lowest = max(ranks[v] for v in range(count) if v not in last) if len(last) < count else 0
        for v in last:
            ranks[v] = lowest + 1
    return ranks


def main_path(count, edges, first=(), last=()):
    """Return the longest path, from top to bottom; one between `first` and `last` if there is any."""
    above: list[list[int]] = [[] for _ in range(count)]
    for u, v in edges:
        above[v].append(u)
    length = [0] * count
    before: list[int | None] = [None] * count
    for v in TopologicalSorter({v: above[v] for v in range(count)}).static_order():
        length[v] = count if v in first else 1
        for u in above[v]:
            if length[u] + 1 > length[v]:
                length[v], before[v] = length[u] + 1, u
    end = max(last or range(count), key=lambda v: (length[v], v), default=None)
    path = []
    while end is not None:
        path.append(end)
        end = before[end]
    return path[::-1]


def order_ranks(
    rows: list[list[int]], edges: list[tuple[int, int]], ports: list[tuple[float, float]] | None = None
) -> list[list[int]]:
    """Order the vertices of each rank so that few edges cross, by the barycenters of their neighbors.

    Each edge goes from one rank to the next; `ports` are where on its two vertices it ends: from -0.5, at the left, to
    0.5. The best order found is never worse than the given one.
    """
    above: dict[int, list[tuple[int, float]]] = {}
    below: dict[int, list[tuple[int, float]]] = {}
    for (u, v), (from_u, from_v) in zip(edges, ports or [(0.0, 0.0)] * len(edges)):
        above.setdefault(v, []).append((u, from_u))
        below.setdefault(u, []).append((v, from_v))
    best, fewest = rows, _crossings(rows, below)
    rows = [list(row) for row in rows]
    for sweep in range(SWEEPS):
        if not fewest:
            break
        down = sweep % 2 == 0
        neighbors = above if down else below
        place = {v: k for row in rows for k, v in enumerate(row)}
        for r in range(1, len(rows)) if down else range(len(rows) - 2, -1, -1):
            near = {v: [place[u] + port for u, port in neighbors.get(v, ())] or [place[v]] for v in rows[r]}
            rows[r].sort(key=lambda v: fsum(near[v]) / len(near[v]))
            place.update((v, k) for k, v in enumerate(rows[r]))
        count = _crossings(rows, below)
        if count < fewest:
            best, fewest = [list(row) for row in rows], count
    return best


def _crossings(rows, below):
    """Count the crossings between all ranks: the inversions of the lower ends, in the order of the upper ends."""
    count = 0
    for upper, lower in pairwise(rows):
        place = {v: k for k, v in enumerate(lower)}
        all_ends = [[place[v] + port for v, port in below.get(u, ())] for u in upper]
        places = {end: k for k, end in enumerate(sorted({end for ends in all_ends for end in ends}))}
        tree = [0] * (len(places) + 1)  # a Fenwick tree of how many edges have ended at each place
        seen = 0
        for u_ends in all_ends:
            ends = [places[end] for end in u_ends]
            for k in ends:
                count += seen - _total(tree, k + 1)
            for k in ends:
                k += 1
                while k < len(tree):
                    tree[k] += 1
                    k += k & -k
            seen += len(ends)
    return count


def _total(tree, k):
    total = 0
    while k:
        total += tree[k]
        k -= k & -k
    return total
