"""The horizontal positions of ordered vertices: near their neighbors, without overlap, the main path straight."""

from itertools import pairwise
from math import fsum

MAIN = 1e6  # the weight of a vertex of the main path, which stays where it is
SWEEPS = 10
THIN, MOST_THIN = 0.6, 40  # the gap between bend points, as a part of the gap, in a rank with at most so many of these


def place_row(wanted: list[float], weights: list[float], gaps: list[float]) -> list[float]:
    """Return positions in order, with these gaps, that minimize the sum of ``weight * (position - wanted)**2``.

    This is isotonic regression, by pooling adjacent violators.
    """
    shifts, total = [0.0], 0.0
    for gap in gaps:
        total += gap
        shifts.append(total)
    pools: list[tuple[float, float, int]] = []  # weighted mean, weight, count
    for want, weight, shift in zip(wanted, weights, shifts):
        pools.append((want - shift, weight, 1))
        while len(pools) > 1 and pools[-2][0] > pools[-1][0]:
            mean, weight, count = pools.pop()
            last = pools[-1]
            both = last[1] + weight
            pools[-1] = ((last[0] * last[1] + mean * weight) / both, both, last[2] + count)
    means = [mean for mean, _, count in pools for _ in range(count)]
    return [mean + shift for mean, shift in zip(means, shifts)]


def positions_of(
    rows: list[list[int]], widths: list[float], links: list[tuple[int, int, float, float]], path: list[int], gap: float
) -> list[float]:
    """Return the horizontal center of each vertex; the edges of the main path are vertical.

    `rows` are the vertices of each rank, from left to right; a bend point of an edge has width 0, and `gap` is the
    distance between two vertices. `links` are edges between neighboring ranks: upper and lower vertex, and the
    distances of the ends of the edge from their centers.
    """
    up: list[list[tuple[int, float, float]]] = [[] for _ in widths]
    down: list[list[tuple[int, float, float]]] = [[] for _ in widths]
    for u, v, from_u, from_v in links:
        weight = 8.0 if not widths[u] and not widths[v] else 2.0 if not widths[u] or not widths[v] else 1.0
        up[v].append((u, from_u - from_v, weight))
        down[u].append((v, from_v - from_u, weight))
    gaps = [_gaps(row, widths, gap) for row in rows]
    fixed = _main_positions(path, links)
    x = [0.0] * len(widths)
    for row, between in zip(rows, gaps):
        anchor = next((k for k, v in enumerate(row) if v in fixed), None)
        start = fixed[row[anchor]] - fsum(between[:anchor]) if anchor is not None else -fsum(between) / 2
        for v, step in zip(row, [0.0, *between]):
            start += step
            x[v] = start
    for sweep in range(SWEEPS):
        both = sweep >= SWEEPS - 2
        order = range(len(rows)) if sweep % 2 == 0 else range(len(rows) - 1, -1, -1)
        for r in order:
            row = rows[r]
            wanted, weights = [], []
            for v in row:
                near = up[v] + down[v] if both else (up[v] or down[v]) if sweep % 2 == 0 else (down[v] or up[v])
                weight = fsum(w for _, _, w in near)
                wanted.append(fsum((x[u] + off) * w for u, off, w in near) / weight if near else x[v])
                weights.append(weight or 0.1)
                if v in fixed:
                    wanted[-1], weights[-1] = fixed[v], MAIN
            for v, place in zip(row, place_row(wanted, weights, gaps[r])):
                x[v] = place
    return x


def _gaps(row, widths, gap):
    """Return the distances between neighbors; hundreds of bend points beside each other are a narrow bundle."""
    pairs = list(pairwise(row))
    count = sum(not widths[a] and not widths[b] for a, b in pairs)
    bundled = gap * THIN * min(1.0, MOST_THIN / max(1, count))
    return [
        (widths[a] + widths[b]) / 2 + gap
        if widths[a] and widths[b]
        else (widths[a] + widths[b]) / 2 + gap * THIN
        if widths[a] or widths[b]
        else bundled
        for a, b in pairs
    ]


def _main_positions(path, links):
    """Return the position of each vertex of the main path: where its edges are vertical."""
    ends = {(u, v): (from_u, from_v) for u, v, from_u, from_v in links}
    fixed, x = {}, 0.0
    for u, v in zip([None, *path], path):
        if u is not None:
            from_u, from_v = ends[u, v]
            x += from_u - from_v
        fixed[v] = x
    return fixed
