"""Positions of a tree, from left to right: the children of a node are stacked beside it."""

from dark.draw.diagram.diagram import Diagram
from dark.draw.diagram.node_shapes import TAB_HEIGHT
from dark.draw.diagram.positions import Place, Positions, Route, heading_room, node_size


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
    """Return the left end of each node: that of its level."""
    levels = [0] * len(sizes)
    for k, parent in sorted(parents.items()):
        levels[k] = levels[parent] + 1
    widths = [max(size[0] for size, n in zip(sizes, levels) if n == level) for level in range(max(levels) + 1)]
    return [sum(widths[:level]) + diagram.inches("ranksep") * level for level in levels]


def _rows(diagram, sizes, parents):
    """Return for each node the top and the height of what it takes with its children."""
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
