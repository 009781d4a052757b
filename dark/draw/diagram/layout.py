"""The choice of a layout, Graphviz where it is installed, and our own layouts: nodes in layers, or a tree."""

from itertools import pairwise
from math import fsum

from dark.draw.diagram import graphviz_layout
from dark.draw.diagram.cards import framed_positions
from dark.draw.diagram.diagram import LABEL_SIZE, Diagram
from dark.draw.diagram.edge_routes import route_of, spread_ends
from dark.draw.diagram.node_shapes import TAB_HEIGHT
from dark.draw.diagram.positions import Place, Positions, Route, heading_room, line_width, node_size
from dark.draw.layered.level import Edge, lay_out
from dark.draw.layered.ranks import main_path, ranks_of
from dark.draw.text_width import ROOM
from dark.errors import DrawingError, UsageError

LAYOUTS = ("graphviz", "layered")
ROOM_OF_LABEL = 14.0  # points more between ranks, if edges have texts


def positions_of(diagram: Diagram, layout: str | None = None) -> Positions:
    """Lay out a diagram: with Graphviz by default, which has no cards; a tree, or where it fails, with our layout."""
    if diagram.parts is not None:
        return framed_positions(diagram, diagram.parts)
    own = tree_positions if diagram.is_tree else layered_positions
    if layout == "layered" or (layout is None and (diagram.is_tree or not graphviz_layout.is_installed())):
        return own(diagram)
    try:
        return graphviz_layout.positions_from_graphviz(diagram)
    except DrawingError:
        if layout is not None:
            raise
        return own(diagram)


def checked_layout(layout: str | None) -> str | None:
    """Return a layout that is known, and installed if it is Graphviz."""
    if layout is not None and layout not in LAYOUTS:
        raise UsageError(
            f"draw: layout={layout!r} is not a layout.",
            'None, "graphviz" or "layered".',
            "dark.draw(node), which uses Graphviz where it is installed",
        )
    if layout == "graphviz" and not graphviz_layout.is_installed():
        raise graphviz_layout.missing()
    return layout


def layered_positions(diagram: Diagram) -> Positions:
    """Lay out a diagram in layers: each node below its inputs, in rows of the diagram if it has any."""
    sizes = [node_size(node, diagram) for node in diagram.nodes]
    gap = diagram.inches("ranksep") + ROOM_OF_LABEL * any(edge.label for edge in diagram.edges)
    level = _level(diagram, sizes, gap)
    wide, high = heading_room(diagram)
    dx = max(0.0, (wide * ROOM - level.size[0]) / 2)  # a title is drawn in fonts that are wider, too
    places = [Place(x + dx, y + high, *size) for (x, y), size in zip(level.centers, sizes)]
    number = {node.name: k for k, node in enumerate(diagram.nodes)}
    ends = [(number[edge.source], number[edge.target]) for edge in diagram.edges]
    bends = [[(x + dx, y + high) for x, y in points] for points in level.routes]
    arrivals = spread_ends(diagram, places, ends, bends)
    shapes = [(place, node.look["shape"] == "ellipse") for place, node in zip(places, diagram.nodes)]
    routes = [
        route_of(edge, bends[k], shapes[u], shapes[v], arrivals[k])
        for k, (edge, (u, v)) in enumerate(zip(diagram.edges, ends))
    ]
    right = [r.label[0] + line_width(e.label, LABEL_SIZE) / 2 for e, r in zip(diagram.edges, routes) if r.label]
    size = max(level.size[0] + 2 * dx, *right, 0.0), level.size[1] + high
    return Positions(size, tuple(places), tuple(routes))


def _level(diagram, sizes, gap):
    """Lay out the nodes: in the rows of the diagram, else a graph along its main path, and a tree by its levels."""
    number, count = {node.name: k for k, node in enumerate(diagram.nodes)}, len(sizes)
    pairs = [(number[edge.source], number[edge.target]) for edge in diagram.edges]
    is_ordered = diagram.look.get("ordering", "in") == "in"
    links = _links(pairs, is_ordered)
    if diagram.rows:
        rows = [[number[name] for name in row] for row in diagram.rows]
        columns = [[row[k] for row in rows if len(row) > k] for k in range(2)]
        hidden = {pair for column in columns for pair in pairwise(column)} - set(pairs)
        links += [Edge(u, v) for u, v in sorted(hidden)]
        return lay_out(sizes, links, gap_y=gap, rows=rows, path=columns[0])
    ranks = ranks_of(count, pairs)
    rows = [[k for k in range(count) if ranks[k] == rank] for rank in range(max(ranks) + 1)]
    path = main_path(count, pairs) if is_ordered else []
    return lay_out(sizes, links, gap_y=gap, rows=rows, path=path, by_ports=is_ordered)


def _links(pairs, is_ordered):
    """Return the edges of the level; where inputs are in order, they end a little beside each other."""
    inputs: dict[int, list[int]] = {}
    for k, (_, v) in enumerate(pairs):
        inputs.setdefault(v, []).append(k)
    links = []
    for k, (u, v) in enumerate(pairs):
        port = (inputs[v].index(k) + 1) / (len(inputs[v]) + 1) - 0.5 if is_ordered else 0.0
        links.append(Edge(u, v, 0.0, port))
    return links


def tree_positions(diagram: Diagram) -> Positions:
    """Lay out a tree whose nodes come before their children; edges go to the middle of the left side."""
    number = {node.name: k for k, node in enumerate(diagram.nodes)}
    parents = {number[edge.target]: number[edge.source] for edge in diagram.edges}
    sizes = [node_size(node, diagram) for node in diagram.nodes]
    wide, high = heading_room(diagram)
    tops, heights = _rows(diagram, sizes, parents)
    lefts = _columns(diagram, sizes, parents)
    size = max(wide, *(left + width for left, (width, _) in zip(lefts, sizes))), high + heights[0]
    places = []
    for left, top, height, (width, own_height) in zip(lefts, tops, heights, sizes):
        places.append(Place(left + width / 2, high + top + height / 2, width, own_height))
    gap = diagram.inches("ranksep")
    routes = [_route(places[number[e.source]], places[number[e.target]], gap) for e in diagram.edges]
    return Positions(size, tuple(places), tuple(routes))


def _columns(diagram, sizes, parents):
    """Return the left end of each node: the left end of its level."""
    levels = [0] * len(sizes)
    for k, parent in sorted(parents.items()):
        levels[k] = levels[parent] + 1
    widths = [max(size[0] for size, n in zip(sizes, levels) if n == level) for level in range(max(levels) + 1)]
    return [fsum(widths[:level]) + diagram.inches("ranksep") * level for level in levels]


def _rows(diagram, sizes, parents):
    """Return for each node the top and the height of its subtree."""
    gap, count = diagram.inches("nodesep"), len(sizes)
    heights, below = [0.0] * count, [-gap] * count  # below: the height of all children
    for k in range(count - 1, -1, -1):
        tab = TAB_HEIGHT if diagram.nodes[k].look["shape"] == "folder" else 0.0
        heights[k] = max(sizes[k][1] + 2 * tab, below[k])
        if k in parents:
            below[parents[k]] += heights[k] + gap
    tops, used = [0.0] * count, [0.0] * count
    for k, parent in sorted(parents.items()):
        tops[k] = tops[parent] + (heights[parent] - below[parent]) / 2 + used[parent]
        used[parent] += heights[k] + gap
    return tops, heights


def _route(source, target, gap):
    """Return an edge with two corners, in the middle between the columns; each part is straight."""
    end = target.edges[0]
    x, points = end - gap / 2, [(source.edges[2], source.y)]
    for corner in ((x, source.y), (x, target.y), (end, target.y)):
        points += [points[-1], corner, corner]
    return Route(tuple(points))
