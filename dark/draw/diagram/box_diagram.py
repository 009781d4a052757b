"""Boxes as a diagram: a node for each, with its fields and the space for its heat maps, and an edge for each input."""

from dark.draw.arrays.array_summary import Summary
from dark.draw.arrays.heat_map import height_in_lines, width
from dark.draw.diagram.diagram import Diagram, DiagramEdge, DiagramNode
from dark.draw.diagram.dot import dot_of
from dark.draw.diagram.looks import NOTE, STYLES, WRONG, margin_for
from dark.draw.graph.box_fields import fields_of, heat_map_summaries, index_of_value
from dark.draw.graph.boxes import visible_edges
from dark.draw.graph.descriptions import title_of
from dark.draw.labels import one_line


def diagram_of(boxes, title=None, gradients=True, note=""):
    """Convert boxes to a diagram.

    Parameters
    ----------
    boxes : tuple of Box
        In topological order.
    title : str, optional
        The title above the picture.
    gradients : bool
        Whether to show gradients.
    note : str
        A line below the title.

    Returns
    -------
    Diagram
        Box number i is the node with ``id="node-i"``; the edge from its k-th input has ``id="edge-i-k"``, except
        for the parallel edges that `visible_edges` merges.
    """
    edges = []
    for i, box in enumerate(boxes):
        for k, source, count in visible_edges(box):
            edges.append(DiagramEdge(str(source), str(i), "" if count == 1 else f"  {count} times", f"edge-{i}-{k}"))
    nodes = tuple([_node(i, box, gradients) for i, box in enumerate(boxes)])
    title, note = [one_line(line, 120) if line else "" for line in (title, note)]
    return Diagram(nodes, tuple(edges), title, note)


def to_dot(boxes, title=None, gradients=True, note=""):
    """Convert boxes to DOT; see `diagram_of`.

    Examples
    --------
    >>> from dark.draw.graph.boxes import Box
    >>> dot = to_dot((Box("parameter", None, 10.0, 40.0, "x"),))
    >>> 'label="x = 10|.|grad 40"' in dot and 'id="node-0"' in dot
    True
    """
    return dot_of(diagram_of(boxes, title, gradients, note))


def _node(i, box, gradients):
    if box.kind == "folded":
        return DiagramNode(str(i), ((title_of(box),),), STYLES["folded"], f"node-{i}")
    fields = tuple(fields_of(box, gradients))
    look = STYLES[box.kind] | (NOTE if box.kind == "constant" and isinstance(box.value, Summary) else {})
    look |= WRONG if box.mark == "wrong" else {}
    if look["shape"] != "ellipse":
        look |= margin_for(line for lines in fields for line in lines)
    return DiagramNode(str(i), fields, look, f"node-{i}", spaces=heat_map_spaces(box, fields, gradients))


def heat_map_spaces(box, fields, gradients=True):
    """Return the space each field needs for its heat map: {index of the field: (free lines, width in points)}.

    The heat maps of value and gradient are on the same level.
    """
    pairs = zip((index_of_value(box), len(fields) - 1), heat_map_summaries(box, gradients))
    maps = {k: summary for k, summary in pairs if summary}
    longest = max((len(fields[k]) for k in maps), default=0)
    lines = max(map(height_in_lines, maps.values()), default=0)
    return {k: (longest - len(fields[k]) + lines - 1, width(summary)) for k, summary in maps.items()}
