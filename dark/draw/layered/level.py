"""Lay out one level: boxes of given sizes in ranks, and the bend points of the edges between them."""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, replace
from itertools import pairwise

from dark.draw.layered.coordinates import positions_of
from dark.draw.layered.lanes import lanes_of, narrowed, places_of_lanes
from dark.draw.layered.ranks import main_path, order_ranks, ranks_of

GAP_X, GAP_Y = 22.0, 26.0  # points between boxes of a rank, and between ranks


@dataclass(frozen=True)
class Edge:
    """An edge between two vertices of a level, with the distances of its ends from their centers, to the right.

    A free end may be moved: to the center on the main path, and otherwise to the side from which the edge comes.
    """

    source: int
    target: int
    from_source: float = 0.0
    from_target: float = 0.0
    is_free: bool = False


@dataclass(frozen=True)
class Level:
    """A level with the centers of its vertices and the points of its edges, from its upper left corner.

    The points of an edge are in pairs: it is vertical from the first to the second of a pair, and a curve to the next.
    """

    centers: list[tuple[float, float]]
    size: tuple[float, float]
    routes: list[list[tuple[float, float]]]


def lay_out(
    sizes: list[tuple[float, float]],
    edges: list[Edge],
    first: Collection[int] = (),
    last: Collection[int] = (),
    gap_y: float = GAP_Y,
    *,
    rows: list[list[int]] | None = None,
    path: list[int] | None = None,
    by_ports: bool = False,
) -> Level:
    """Lay out a level: vertices with width and height, and edges without a cycle.

    `first` and `last` are the places, of size (0, 0), where edges enter and leave, and `gap_y` is the distance of two
    ranks. By default the vertices of each rank are chosen, and the longest path is straight. Given `rows` are from left
    to right, each below those that it uses, and `by_ports` orders them so that the ends of edges on a vertex do not
    cross; a given `path` is of vertices that edges join.
    """
    count, pairs = len(sizes), [(e.source, e.target) for e in edges]
    widths = [width for width, _ in sizes]
    is_free = rows is None
    rank_of = {v: rank for rank, row in enumerate(rows or ()) for v in row}
    ranks = ranks_of(count, pairs, first, last) if is_free else [rank_of[v] for v in range(count)]
    given, ranks = ranks, narrowed(ranks, widths, GAP_X, pairs, first, last) if is_free else ranks
    path = main_path(count, pairs, first, last) if path is None else path
    main = set(pairwise(path))
    edges = [replace(e, from_target=0.0) if e.is_free and (e.source, e.target) in main else e for e in edges]
    starts = [(e.source, e.target, e.from_source) for e in edges]
    lanes = lanes_of(starts, ranks, main, ranks is not given) if is_free else {}
    aside = {v for k in lanes for v in pairs[k] if v in first or v in last}
    aside -= {v for k, ends in enumerate(pairs) if k not in lanes for v in ends} if aside else set()
    rows = _rows(ranks, path, aside) if rows is None else [list(row) for row in rows]
    links, chains = _with_bend_points(edges, ranks, rows, widths, lanes)
    path = _path_with_bend_points(path, edges, chains)
    if by_ports or is_free:
        ports = [link[2:] for link in links] if by_ports else None
        rows = order_ranks(rows, [link[:2] for link in links], ports)
    x = positions_of(rows, widths, links, path, GAP_X)
    beside = _beside(x, widths, lanes, pairs, aside)
    edges = _moved_ends(edges, chains, main, x, widths, beside)
    left = min((x[v] - widths[v] / 2 for v in range(len(widths))), default=0.0)
    right = max((x[v] + widths[v] / 2 for v in range(len(widths))), default=0.0)
    left, right = min([left, *beside.values()]), max([right, *beside.values()])
    tops, bottoms = _bands(rows, sizes, gap_y)
    centers = [(x[v] - left, (tops[ranks[v]] + bottoms[ranks[v]]) / 2) for v in range(count)]
    at = x, left, centers, sizes, ranks, tops, bottoms
    routes = [_route(edge, chain, beside.get(k), *at) for k, (edge, chain) in enumerate(zip(edges, chains))]
    return Level(centers, (right - left, bottoms[-1] if bottoms else 0.0), routes)


def _beside(x, widths, lanes, pairs, aside):
    """Return the position of each lane, by its edge, and put what is aside, where edges enter or leave, in its lane."""
    if not lanes:
        return {}
    inner = [v for v in range(len(widths)) if v not in aside]
    places = places_of_lanes(lanes, min(x[v] - widths[v] / 2 for v in inner), max(x[v] + widths[v] / 2 for v in inner))
    for k, place in places.items():
        for v in aside.intersection(pairs[k]):
            x[v] = place
    return places


def _moved_ends(edges, chains, main, x, widths, beside):
    """Move the free ends of edges that do not belong to the main path to the side from which they come."""
    last = [x[chain[-1]] if chain else x[e.source] + e.from_source for e, chain in zip(edges, chains)]
    for k, place in beside.items():
        last[k] = place
    moved, count = list(edges), Counter(edge.target for edge in edges)
    arriving: dict[int, list[int]] = {}
    for k, edge in enumerate(edges):
        if edge.is_free and (edge.source, edge.target) not in main:
            arriving.setdefault(edge.target, []).append(k)
    for target, ends in arriving.items():
        step = min(12.0, widths[target] / 2 / (len(ends) + 1))
        for side in (-1, 1):
            here = [k for k in ends if (last[k] < x[target]) == (side < 0)]
            for n, k in enumerate(sorted(here, key=lambda k: side * last[k]), 1):
                moved[k] = replace(edges[k], from_target=0.0 if count[target] == 1 else side * n * step)
    return moved


def _rows(ranks, path, aside):
    """Return the vertices of each rank in the order given, but for the main path, which is in the middle.

    Those that are `aside`, in lanes, are in no row.
    """
    rows: list[list[int]] = [[] for _ in range(max(ranks, default=-1) + 1)]
    main = set(path)
    for v, rank in enumerate(ranks):
        if v not in main and v not in aside:
            rows[rank].append(v)
    for v in path:
        rows[ranks[v]].insert((len(rows[ranks[v]]) + 1) // 2, v)
    return rows


def _with_bend_points(edges, ranks, rows, widths, lanes):
    """Put a vertex of width 0 into each rank that an edge crosses; return the links, and each edge's bend points.

    An edge in a lane has neither.
    """
    links: list[tuple[int, int, float, float]] = []
    chains: list[list[int]] = []
    points: dict[tuple[int, float, int], int] = {}
    for n, edge in enumerate(edges):
        if n in lanes:
            chains.append([])
            continue
        chain, u, offset = [], edge.source, edge.from_source
        for rank in range(ranks[edge.source] + 1, ranks[edge.target]):
            key = edge.source, edge.from_source, rank
            if key not in points:
                points[key] = len(widths)
                widths.append(0.0)
                rows[rank].append(points[key])
                links.append((u, points[key], offset, 0.0))
            u, offset = points[key], 0.0
            chain.append(u)
        links.append((u, edge.target, offset, edge.from_target))
        chains.append(chain)
    return links, chains


def _path_with_bend_points(path, edges, chains):
    points = {(edge.source, edge.target): chain for edge, chain in zip(edges, chains)}
    full = path[:1]
    for u, v in pairwise(path):
        full += [*points[u, v], v]
    return full


def _bands(rows, sizes, gap_y):
    """Return the top and the bottom of each rank."""
    tops, bottoms, y = [], [], 0.0
    for row in rows:
        height = max((sizes[v][1] for v in row if v < len(sizes)), default=0.0)
        tops.append(y)
        bottoms.append(y + height)
        y += height + gap_y
    return tops, bottoms


def _route(edge, chain, beside, x, left, centers, sizes, ranks, tops, bottoms):
    """Return the points of an edge: from its source to the end of the rank, through its bend points, to its target.

    Of one in a lane, which is `beside` the level, the lane instead of bend points.
    """
    rank, start = ranks[edge.source], x[edge.source] + edge.from_source - left
    points = [(start, centers[edge.source][1] + sizes[edge.source][1] / 2), (start, bottoms[rank])]
    for k, v in enumerate(chain, rank + 1):
        points += [(x[v] - left, tops[k]), (x[v] - left, bottoms[k])]
    if beside is not None:
        points += [(beside - left, tops[rank + 1]), (beside - left, bottoms[ranks[edge.target] - 1])]
    end = x[edge.target] + edge.from_target - left
    return [*points, (end, tops[ranks[edge.target]]), (end, centers[edge.target][1] - sizes[edge.target][1] / 2)]
