"""Boxes as cards in the frames of their modules: the diagram, and its layout."""

from collections import Counter
from itertools import pairwise

from dark.draw.color_themes import shade
from dark.draw.diagram.diagram import (
    FRAME,
    LABEL_SIZE,
    MARKED_RED,
    NOTE,
    STYLES,
    WRONG,
    Diagram,
    DiagramEdge,
    DiagramNode,
    edge_look,
    headings,
    legend_of,
)
from dark.draw.diagram.node_shapes import ARROW_ROOM
from dark.draw.diagram.positions import Place, Positions, Route, heading_room, line_width
from dark.draw.graph.boxes import Box
from dark.draw.graph.descriptions import description
from dark.draw.layered.contents import Parts, parts_of
from dark.draw.layered.level import GAP_Y
from dark.draw.text_width import ROOM

ASIDE, ABOVE = 6.0, 9.0  # points from the end of an edge to its text, and up to its middle
WITH_LABELS = 34.0  # points between ranks, at least, so that a text is between its box and the bend of its edge


def cards_of(
    boxes: tuple[Box, ...],
    titles: dict[tuple[str, ...], str],
    title: str | None = None,
    gradients: bool = True,
    note: str = "",
    look: dict[str, str] | None = None,
) -> Diagram:
    """Convert boxes, in topological order, to a diagram of cards in frames; `titles` are of modules, by their paths.

    Box number i is the node with ``id="node-i"``. A parameter or a constant that one operation uses is a leaf in the
    card of the operation.
    """
    parts = parts_of(boxes, titles, gradients)
    nodes = tuple([_node(content, boxes) for content in parts.contents.values()])
    looks = [(box.kind, _look(box.kind)) for box in boxes] + [("frame", FRAME)] * parts.has_frames
    if any(box.cost for box in boxes):
        looks = [(kind, look) for kind, look in looks if kind not in ("result", "group")] + [("cost", {})]
    legend = legend_of(looks, bool(titles))
    return Diagram(nodes, (), *headings(title, note), look or {}, legend=legend, parts=parts)


def _node(content, boxes):
    box, name = boxes[content.index], f"node-{content.index}"
    tip = description(box) + (f", {box.cost[1]}" if box.cost else "")
    look = _look(content.kind) | (WRONG if box.mark in MARKED_RED else {})
    look |= {"fillcolor": shade(content.cost)[0]} if content.cost is not None else {}
    leaves = tuple([_node(leaf, boxes) for leaf in content.leaves])
    return DiagramNode(str(content.index), (), look, name, tip=tip, card=content, leaves=leaves)


def _look(kind):
    return STYLES[kind] | (NOTE if kind == "constant" else {})


def framed_positions(diagram: Diagram, parts: Parts) -> Positions:
    """Lay out a diagram of cards: each module is a level of its own, and a box of the level around it."""
    gap = diagram.inches("ranksep") if "ranksep" in diagram.look else GAP_Y
    placed = parts.placed(diagram.is_sideways, max(gap, WITH_LABELS) if any(parts.labels.values()) else gap)
    placed = placed.swapped() if diagram.is_sideways else placed
    wide, high = heading_room(diagram)
    dx = max(0.0, (wide * ROOM - placed.size[0]) / 2)
    placed = placed.shifted(dx, high)
    centers = [placed.boxes[i] for i in parts.contents]
    nodes = [Place(x, y, *content.size) for (x, y), content in zip(centers, parts.contents.values(), strict=True)]
    frames = [(frame, Place(x + w / 2, y + h / 2, w, h)) for frame, x, y, w, h in placed.frames]
    edges, routes = [], []
    labeled = [ends for *ends, _ in placed.edges if parts.labels.get(tuple(ends))]
    begin, end, rows = Counter(a for a, _ in labeled), Counter(b for _, b in labeled), Counter[int]()
    for source, target, points in placed.edges:
        ends = [i for i in (source, target) if i is not None]
        look = edge_look(*(parts.contents[i].kind for i in ends))
        label = parts.labels.get((source, target), "")
        edges.append(DiagramEdge(str(source), str(target), label, look=look))
        is_early = end[target] > 1 and begin[source] == 1
        row = rows[target] if label and not is_early else 0
        rows[target] += bool(label) and not is_early
        routes.append(_route(points, target is not None, label, diagram.is_sideways, is_early, row))
    size = placed.size[0] + 2 * dx, placed.size[1] + high
    return Positions(size, tuple(nodes), tuple(routes), tuple(frames), tuple(edges))


def _route(points, has_head, label, is_sideways, is_early, row):
    """Return an edge: along the axes within a rank, bent between ranks; with an arrowhead if it ends at a box.

    Its label is where it begins (`is_early`), or at its head, some rows away.
    """
    points = [point[::-1] if is_sideways else point for point in points]
    (left, top), (x, y) = points[0], points[-1]
    if has_head:
        while len(points) > 1 and points[-1][1] > y - ARROW_ROOM:
            points.pop()
        points.append((x, y - ARROW_ROOM))
    curves = points[:1]
    for (a, b), (c, d) in pairwise(points):
        middle = (b + d) / 2
        curves += [(a, middle), (c, middle), (c, d)] if (a, b) != (c, d) else []
    half, away = line_width(label, LABEL_SIZE) / 2, row * LABEL_SIZE
    if is_sideways:
        words = (left - ASIDE, top + ASIDE + half) if is_early else (x - ASIDE - away, y - ARROW_ROOM - half)
    else:
        words = (left + ASIDE + half, top + ABOVE) if is_early else (x + ASIDE + half, y - ABOVE - away)
    found = [point[::-1] if is_sideways else point for point in (*curves, (x, y), words)]
    return Route(tuple(found[:-2]), found[-2] if has_head else None, label=found[-1] if label else None)
