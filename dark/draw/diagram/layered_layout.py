"""Positions without Graphviz: nodes in the layers of `dark.draw.layered`, and edges between them."""

from itertools import pairwise

from dark.draw.diagram.diagram import LABEL_SIZE, Diagram
from dark.draw.diagram.edge_routes import route_of, spread_ends
from dark.draw.diagram.positions import Place, Positions, heading_room, line_width, node_size
from dark.draw.layered.level import Edge, lay_out
from dark.draw.layered.ranks import main_path, ranks_of
from dark.draw.text_width import ROOM

ROOM_OF_LABEL = 14.0  # points more between ranks, if edges have texts


def layered_positions(diagram: Diagram) -> Positions:
    """Lay out a diagram in layers: each node below its inputs, in rows of the diagram if it has any.

    Examples
    --------
    >>> from dark.draw.diagram.diagram import Diagram, DiagramEdge, DiagramNode
    >>> nodes = tuple([DiagramNode(name, ((name,),), {"shape": "record"}) for name in "ab"])
    >>> positions = layered_positions(Diagram(nodes, (DiagramEdge("a", "b"),)))
    >>> [place.y for place in positions.nodes], positions.edges[0].points[0]
    ([18.0, 82.8], (27.0, 36.0))
    """
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
