"""Boxes as a diagram: a node for each, with its fields and the space for its heat maps, and an edge for each input."""

from dark.draw.arrays.array_summary import Summary
from dark.draw.color_themes import GRADIENT_COLOR
from dark.draw.diagram.diagram import NOTE, STYLES, WRONG, Diagram, DiagramEdge, DiagramNode, margin_for
from dark.draw.graph.boxes import Box, Reserved, fields_of, heat_map_summaries, index_of_value, visible_edges
from dark.draw.graph.descriptions import description, title_of
from dark.draw.labels import one_line


def diagram_of(boxes: tuple[Box, ...], title: str | None = None, gradients: bool = True, note: str = "") -> Diagram:
    """Convert boxes, in topological order, to a diagram; the note is a line below the title.

    Box number i is the node with ``id="node-i"``; the edge from its k-th input has ``id="edge-i-k"``, except for the
    parallel edges that `visible_edges` merges.
    """
    edges = []
    for i, box in enumerate(boxes):
        for k, source, count in visible_edges(box):
            edges.append(DiagramEdge(str(source), str(i), "" if count == 1 else f"  {count} times", f"edge-{i}-{k}"))
    nodes = tuple([_node(i, box, gradients) for i, box in enumerate(boxes)])
    title, note = [one_line(line, 120) if line else "" for line in (title, note)]
    return Diagram(nodes, tuple(edges), title, note)


def _node(i, box, gradients):
    name, tip = f"node-{i}", description(box)
    if box.kind == "folded":
        return DiagramNode(str(i), ((title_of(box),),), STYLES["folded"], name, tip=tip)
    fields = tuple(fields_of(box, gradients))
    look = STYLES[box.kind] | (NOTE if box.kind == "constant" and isinstance(box.value, Summary) else {})
    look |= WRONG if box.mark == "wrong" else {}
    if look["shape"] != "ellipse":
        look |= margin_for(line for lines in fields for line in lines)
    last = len(fields) - 1
    pairs = zip((index_of_value(box), last), heat_map_summaries(box, gradients))
    maps = {k: summary for k, summary in pairs if summary}
    inks = {last: GRADIENT_COLOR} if gradients and box.kind in ("parameter", "result") else {}
    return DiagramNode(str(i), fields, look, name, False, maps, inks, isinstance(box.grad, Reserved), tip=tip)
