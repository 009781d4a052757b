"""The ways of edges between nodes that are in layers: straight from rank to rank, and around nodes in between."""

from itertools import pairwise
from math import hypot, sqrt

from dark.draw.diagram.diagram import LABEL_SIZE, Diagram, DiagramEdge
from dark.draw.diagram.node_shapes import ARROW_ROOM
from dark.draw.diagram.positions import Place, Point, Route, line_width
from dark.draw.layered.coordinates import place_row

TOUCH = 0.5  # points between the tip of an arrow and the middle of a border
LEAN = 0.28  # how far an edge begins and ends from the centers of its nodes, as a part of their distance
CORNER, APART = 12.0, 10.0  # points to the corner of a node, and between two ends on it
STUB = 4.0  # a longer vertical part is drawn, at a node that is less high than others of its rank


def spread_ends(
    diagram: Diagram, places: list[Place], ends: list[tuple[int, int]], bends: list[list[Point]]
) -> list[float]:
    """Return where each edge ends on its target: toward where it comes from; `bends` are as in `Level.routes`."""
    arriving: dict[int, list[int]] = {}
    arrivals = [0.0] * len(ends)
    for k, (_, v) in enumerate(ends):
        arriving.setdefault(v, []).append(k)
    is_ordered = diagram.look.get("ordering", "in") == "in"
    for v, edges in arriving.items():
        edges = edges if is_ordered else sorted(edges, key=lambda k: bends[k][-3][0])
        x, half = places[v].x, max(0.0, places[v].width / 2 - CORNER)
        wanted = [x + _within(LEAN * (bends[k][-3][0] - x), half) for k in edges]
        gap = min(APART, 2 * half / len(edges))
        placed = place_row(wanted, [1.0] * len(edges), [gap] * (len(edges) - 1))
        shift = max(0.0, x - half - placed[0]) - max(0.0, placed[-1] - x - half)
        for k, end in zip(edges, placed):
            arrivals[k] = end + shift
    return arrivals


def route_of(
    edge: DiagramEdge, bends: list[Point], source: tuple[Place, bool], target: tuple[Place, bool], arrival: float
) -> Route:
    """Return the route of an edge that ends at `arrival` on its target; the nodes with whether they are ellipses."""
    points, head, tail = list(bends), None, None
    x, half = points[0][0], max(0.0, source[0].width / 2 - CORNER)
    start = x + _within(LEAN * ((points[2][0] if len(points) > 4 else arrival) - x), half)
    points[:2] = (start, _border(source, start, 1.0)), (start, points[1][1])
    points[-2:] = (arrival, points[-2][1]), (arrival, _border(target, arrival, -1.0))
    points = _without_stubs(points)
    if edge.look.get("dir") == "back":
        tail = points[0][0], points[0][1] + TOUCH
        points[0] = _toward(tail, points[1])
    elif edge.look.get("arrowhead") != "none":
        head = points[-1][0], points[-1][1] - TOUCH
        points[-1] = _toward(head, points[-2])
    return Route(_curves(points), head, tail, _label(edge, points) if edge.label else None)


def _border(node, x, side):
    """Return the height of the lower (1) or upper (-1) border of a node at x."""
    place, is_ellipse = node
    part = min(1.0, 2 * abs(x - place.x) / place.width) if is_ellipse else 0.0
    return place.y + side * place.height / 2 * sqrt(1 - part**2)


def _within(shift, most):
    return max(-most, min(most, shift))


def _without_stubs(points):
    """Leave out the vertical parts at both ends that are short."""
    if points[-1][1] - points[-2][1] < STUB + ARROW_ROOM:
        del points[-2]
    if points[1][1] - points[0][1] < STUB:
        del points[1]
    return points


def _toward(tip, other):
    """Return the end of a line to a tip, with room for an arrowhead."""
    (x, y), (a, b) = tip, other
    part = ARROW_ROOM / (hypot(a - x, b - y) or 1.0)
    return x + part * (a - x), y + part * (b - y)


def _curves(points):
    """Return Bezier curves through points: vertical where a vertical part ends, and else straight."""
    upright = [abs(a[0] - b[0]) < 0.01 for a, b in pairwise(points)]
    curves = [points[0]]
    for k in range(len(points) - 1):
        (a, b), (x, y) = points[k], points[k + 1]
        middle = (b + y) / 2
        begins = not upright[k] and k > 0 and upright[k - 1]
        ends = not upright[k] and k + 1 < len(upright) and upright[k + 1]
        first = (a, middle) if begins else (a + (x - a) / 3, b + (y - b) / 3)
        last = (x, middle) if ends else (x - (x - a) / 3, y - (y - b) / 3)
        curves += [first, last, (x, y)]
    return tuple(curves)


def _label(edge, points):
    """Return the center of a text at the right of the first part of an edge that is not upright, or of its first."""
    slanted = [pair for pair in pairwise(points) if abs(pair[0][0] - pair[1][0]) > 0.01]
    (a, b), (x, y) = slanted[0] if slanted else points[:2]
    aside = abs((x - a) / (y - b or 1.0)) * LABEL_SIZE / 2
    return (a + x) / 2 + aside + line_width(edge.label, LABEL_SIZE) / 2, (b + y) / 2
