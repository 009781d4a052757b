"""Lanes beside a level, in which its long edges run, and ranks that are not too wide.

An edge has a bend point in each rank that it crosses. In a recurrent network of n steps, inputs enter at the top and
results leave at the bottom, so all edges together cross about n**2 ranks: such edges have a lane at the left or right.
"""

from bisect import insort
from collections.abc import Collection, Sequence
from math import ceil, fsum, inf
from typing import Any

MOST_BENDS = 2_000  # bend points of a level, besides one for each vertex, without lanes
SPANS = (inf, 24, 12, 6, 3)  # ranks of the longest edge outside lanes
LANE, BUNDLE = 8.0, 240.0  # points between two lanes, and the width of all at one side
WIDEST = 5_000.0  # points of a rank


def narrowed(
    ranks: list[int],
    widths: Sequence[float],
    gap: float,
    edges: Collection[tuple[int, int]],
    first: Collection[int] = (),
    last: Collection[int] = (),
) -> list[int]:
    """Return ranks that are not much wider than `WIDEST`: the vertices of a wider one, in order, are in several.

    Before that, what is used further below sinks to just above its users: the parts of a recurrent step that do not
    depend on earlier steps are beside it. `first` and `last` are as in `ranks_of`, of size 0.
    """
    steps = [0.0 if v in first or v in last else width + gap for v, width in enumerate(widths)]
    rows = _rows_of(ranks)
    if all(fsum(steps[v] for v in row) <= WIDEST for row in rows):
        return ranks
    rows = _rows_of(_sunk(ranks, rows, edges, first, last))
    found, rank = list(ranks), 0
    for row in rows:
        whole, wide = fsum(steps[v] for v in row), 0.0
        most = whole / max(1, ceil(whole / WIDEST))
        for v in row:
            if wide and wide + steps[v] / 2 > most:
                rank, wide = rank + 1, 0.0
            found[v] = rank
            wide += steps[v]
        rank += bool(row)
    return found


def _rows_of(ranks):
    rows: list[list[int]] = [[] for _ in range(max(ranks, default=-1) + 1)]
    for v, rank in enumerate(ranks):
        rows[rank].append(v)
    return rows


def _sunk(ranks, rows, edges, first, last):
    below: list[list[int]] = [[] for _ in ranks]
    for u, v in edges:
        if v not in last:
            below[u].append(v)
    found = list(ranks)
    for row in reversed(rows):
        for v in row:
            if below[v] and v not in first:
                found[v] = min(found[w] for w in below[v]) - 1
    return found


def lanes_of(
    ends: Sequence[tuple[int, int, float]], ranks: list[int], main: Collection[tuple[int, int]], is_narrowed: bool
) -> dict[int, tuple[int, int]]:
    """Return the side, -1 or 1, and the lane, 0 next to the boxes, of each edge that runs in a lane.

    `ends` are source, target and where the edge begins on its source; edges that begin at one place share a lane, and
    edges of the main path have none. `is_narrowed` says that ranks were too wide for one row: then edges pass few rows.
    """
    trunks: dict[Any, list[int]] = {}
    for k in _long(ends, ranks, main, SPANS[-1:] if is_narrowed else SPANS):
        trunks.setdefault((ends[k][0], ends[k][2]), []).append(k)
    last = max(ranks, default=0)
    sides: dict[int, list[tuple[int, int, list[int]]]] = {-1: [], 1: []}
    for (source, _), edges in trunks.items():
        start, end = ranks[source], max(ranks[ends[k][1]] for k in edges)
        if start + end <= last:
            sides[-1].append((start, end, edges))
        else:
            sides[1].append((last - end, last - start, edges))
    found: dict[int, tuple[int, int]] = {}
    for side, group in sides.items():
        for lane, (_, _, edges) in zip(_packed(group), group):
            found.update((k, (side, lane)) for k in edges)
    return found


def _long(ends, ranks, main, limits):
    """Return the edges that are too long for bend points: none where all edges have few."""
    spans = [0 if (u, v) in main else ranks[v] - ranks[u] for u, v, _ in ends]
    for longest in limits:
        trunks: dict[Any, int] = {}
        for (u, _, offset), span in zip(ends, spans):
            if 0 < span <= longest:
                trunks[u, offset] = max(span - 1, trunks.get((u, offset), 0))
        if sum(trunks.values()) <= MOST_BENDS + len(ranks):
            break
    return [k for k, span in enumerate(spans) if span > longest]


def _packed(spans):
    """Return the lane of each span, the least that is free: those that end first are next to the boxes."""
    ends: dict[int, list[int]] = {}
    free: list[int] = []
    lanes, count, at = [0] * len(spans), 0, 0
    for k in sorted(range(len(spans)), key=lambda k: spans[k][:2]):
        start, end, _ = spans[k]
        for rank in range(at, start + 1):
            for lane in ends.pop(rank, ()):
                insort(free, lane)
        at = start + 1
        if free:
            lanes[k] = free.pop(0)
        else:
            lanes[k], count = count, count + 1
        ends.setdefault(end, []).append(lanes[k])
    return lanes


def places_of_lanes(lanes: dict[int, tuple[int, int]], left: float, right: float) -> dict[int, float]:
    """Return the position of the lane of each edge, beside boxes between `left` and `right`."""
    counts = {side: max((lane + 1 for s, lane in lanes.values() if s == side), default=1) for side in (-1, 1)}
    gaps = {side: min(LANE, BUNDLE / count) for side, count in counts.items()}
    edge = {-1: left, 1: right}
    return {k: edge[side] + side * (LANE + lane * gaps[side]) for k, (side, lane) in lanes.items()}
