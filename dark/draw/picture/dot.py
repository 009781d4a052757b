"""Boxes as DOT: parameters, constants and results differ in shape and border, not only in color.

A parameter is a rounded record with a thick border, a constant an ellipse with a dashed border, a result
a square record with a thin border. A constant array is a note with a dashed border, a group of nodes a
folder. The label of an array has several lines, and space below them for the heat maps of value and
gradient. No label is HTML-like: the layout engine of this package would draw it as plain text.
"""

from math import ceil

from graphviz import Digraph, nohtml

from dark.draw.arrays.array_summary import Summary
from dark.draw.arrays.heat_map import height_in_lines, width
from dark.draw.color_themes import BOXES, EDGE_COLOR, TEXT_COLOR
from dark.draw.graph.box_fields import fields_of, heat_map_summaries, index_of_value
from dark.draw.graph.boxes import visible_edges
from dark.draw.graph.descriptions import title_of
from dark.draw.labels import one_line

FONT = "Arial"
SPACE_WIDTH = 3.5  # points, at the font size of a box
FITS, INCHES = 12, 0.0075  # characters in an ordinary margin, and the margin of each further one
SHAPES = {
    "parameter": {"shape": "Mrecord", "style": "filled", "penwidth": "2.8"},
    "constant": {"shape": "ellipse", "style": "filled,dashed", "penwidth": "1.2", "margin": "0.06,0.02"},
    "input": {"shape": "record", "style": "filled,dotted", "penwidth": "2"},
    "result": {"shape": "record", "style": "filled", "penwidth": "1.3"},
    "group": {"shape": "folder", "style": "filled", "penwidth": "1.6"},
}
COLORS = {kind: {"color": border, "fillcolor": fill} for kind, (fill, border) in BOXES.items()}
STYLES = {kind: shape | COLORS[kind] for kind, shape in SHAPES.items()}
STYLES["folded"] = {"shape": "plaintext", "color": TEXT_COLOR}
WRONG = {"style": "filled,dashed", "penwidth": "4.5"} | COLORS["wrong"]
NOTE = {"shape": "note", "margin": "0.14,0.07"}  # an ellipse around many lines would be much larger than they are


def to_dot(boxes, title=None, gradients=True, note=""):
    """Convert boxes to DOT.

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
    str
        Box number i is node i with `id="node-i"`; the edge from its k-th input has `id="edge-i-k"`, except
        for the parallel edges that `visible_edges` merges.

    Examples
    --------
    >>> from dark.draw.graph.boxes import Box
    >>> dot = to_dot((Box("parameter", None, 10.0, 40.0, "x"),))
    >>> 'label="x = 10|.|grad 40"' in dot and 'id="node-0"' in dot
    True
    """
    graph = empty_graph(title, note)
    for i, box in enumerate(boxes):
        style = style_of(box) | (WRONG if box.mark == "wrong" else {})
        if style["shape"] != "ellipse":
            style |= margin_for(line for lines in fields_of(box, gradients) for line in lines)
        graph.node(str(i), label_of(box, gradients), id=f"node-{i}", **style)
    for i, box in enumerate(boxes):
        for k, source, count in visible_edges(box):
            words = {} if count == 1 else {"label": f"  {count} times", "fontsize": "11"}
            graph.edge(str(source), str(i), id=f"edge-{i}-{k}", **words)
    return graph.source


def empty_graph(title=None, note=""):
    """Return an empty graph with the attributes that all pictures of the package share."""
    graph = Digraph(name="graph", graph_attr={"rankdir": "TB", "bgcolor": "white", "pad": "0.2"})
    # `ordering` keeps the left input of a subtraction or a power on the left.
    graph.attr(ordering="in", nodesep="0.3", ranksep="0.4", fontname=FONT, fontcolor=TEXT_COLOR)
    graph.attr("node", fontname=FONT, fontsize="13", fontcolor=TEXT_COLOR, margin="0.14,0.07")
    graph.attr("edge", fontname=FONT, fontcolor=TEXT_COLOR, color=EDGE_COLOR, arrowsize="0.7", penwidth="1.3")
    if title or note:
        lines = [escaped(one_line(line, 120)) for line in (title, note) if line]
        graph.attr(label=nohtml("\\n".join([*lines, " "])), labelloc="t", fontsize="15" if title else "12")
    return graph


def style_of(box):
    """Return the DOT attributes for the shape and border of a box."""
    return STYLES[box.kind] | (NOTE if box.kind == "constant" and isinstance(box.value, Summary) else {})


def label_of(box, gradients=True):
    """Return the label of a box: its fields, with space for heat maps below value and gradient.

    Examples
    --------
    >>> from dark.draw.graph.boxes import Box
    >>> label_of(Box("result", "|", 2.0, None, "a<b"))
    'a\\\\<b = 2|\\\\||grad –'
    """
    if box.kind == "folded":
        return literal(title_of(box))
    escape = record_field if "ecord" in style_of(box)["shape"] else escaped
    fields = fields_of(box, gradients)
    texts = [r"\n".join(map(escape, lines)) for lines in fields]
    space = r"\ " if escape is record_field else " "  # a record merges plain spaces
    for k, (lines, wide) in heat_map_spaces(box, fields, gradients).items():
        texts[k] += r"\n" * (lines + 1) + space * ceil(wide / SPACE_WIDTH) + r"\n"
    return nohtml("|".join(texts))


def heat_map_spaces(box, fields, gradients=True):
    """Return the space each field needs for its heat map: {index of the field: (free lines, width in points)}.

    The heat maps of value and gradient are on the same level.
    """
    pairs = zip((index_of_value(box), len(fields) - 1), heat_map_summaries(box, gradients))
    maps = {k: summary for k, summary in pairs if summary}
    longest = max((len(fields[k]) for k in maps), default=0)
    lines = max(map(height_in_lines, maps.values()), default=0)
    return {k: (longest - len(fields[k]) + lines - 1, width(summary)) for k, summary in maps.items()}


def margin_for(lines, fits=FITS):
    """Return the attributes of a box with long lines: a wider margin, for fonts that are wider than that of the layout.

    Examples
    --------
    >>> margin_for(["x = 10", "grad 40"]), margin_for(["x" * 40])
    ({}, {'margin': '0.35,0.07'})
    """
    longest = max(map(len, lines), default=0)
    return {} if longest <= fits else {"margin": f"{0.14 + INCHES * (longest - fits):.3g},0.07"}


def literal(text):
    """Escape a string that is a complete label."""
    return nohtml(escaped(text))


def escaped(text):
    """Escape a string that becomes part of a label."""
    return text.replace("\\", "\\\\").replace("&", "&amp;")


def record_field(text):
    """Escape a string that becomes part of a record's field."""
    text = escaped(text)
    for sign in "|{}<>":
        text = text.replace(sign, "\\" + sign)
    return text
