"""Boxes written as DOT: parameter, constant and result differ in shape and border, not only in colour.

A parameter is a rounded record with a thick border, a constant an ellipse with a dashed one, a
result a square record with a thin one. A constant array is a sheet with a folded corner, dashed too;
a folded part is a folder. A node that holds an array has several lines, and room below them for the
heat maps of value and gradient. The layout engine of this package draws HTML-like labels as plain
text, so there are none.
"""

from math import ceil

from graphviz import Digraph, nohtml

from dark.draw.arrays.array_summary import Summary
from dark.draw.arrays.heat_map import room, width
from dark.draw.graph.box_fields import fields_of, maps_of, place_of_value
from dark.draw.graph.boxes import drawn_edges
from dark.draw.graph.descriptions import title_of
from dark.draw.labels import plain

FONT = "Arial"
SPACE_WIDTH = 3.5  # points, at the size of the letters in a box
INK = "#1f2933"
LOOKS = {
    "parameter": {
        "shape": "Mrecord", "style": "filled", "penwidth": "2.8",
        "color": "#0b4f8a", "fillcolor": "#e6f1fb",
    },
    "constant": {
        "shape": "ellipse", "style": "filled,dashed", "penwidth": "1.2",
        "color": "#52606d", "fillcolor": "#f5f3ee", "margin": "0.06,0.02",
    },
    "result": {
        "shape": "record", "style": "filled", "penwidth": "1.3",
        "color": INK, "fillcolor": "#ffffff",
    },
    "folded": {"shape": "plaintext", "color": INK},
    "group": {
        "shape": "folder", "style": "filled", "penwidth": "1.6",
        "color": "#3d5a45", "fillcolor": "#edf5ee",
    },
}  # fmt: skip
WRONG = {"style": "filled,dashed", "penwidth": "4.5", "color": "#b3261e", "fillcolor": "#fdecea"}


SHEET = {"shape": "note", "margin": "0.14,0.07"}  # an ellipse round many lines would be much larger than they are


def to_dot(boxes, title=None, gradients=True, note=""):
    """Write boxes as DOT.

    Parameters
    ----------
    boxes : tuple of Box
        In topological order.
    title : str, optional
        Stands above the picture.
    gradients : bool
        Whether the third field, the gradient, is shown.
    note : str
        Stands below the title.

    Returns
    -------
    str
        Box number i is the node i with `id="node-i"`; its k-th input comes by `id="edge-i-k"`; see
        `dark.draw.graph.boxes.drawn_edges` for one that is used very often.

    Examples
    --------
    >>> from dark.draw.graph.boxes import Box
    >>> dot = to_dot((Box("parameter", None, 10.0, 40.0, "x"),))
    >>> 'label="x = 10|.|grad 40"' in dot and 'id="node-0"' in dot
    True
    """
    graph = empty_graph(title, note)
    for i, box in enumerate(boxes):
        look = look_of(box) | (WRONG if box.mark == "wrong" else {})
        graph.node(str(i), label_of(box, gradients), id=f"node-{i}", **look)
    for i, box in enumerate(boxes):
        for k, source, count in drawn_edges(box):
            words = {} if count == 1 else {"label": f"  {count} times", "fontsize": "11"}
            graph.edge(str(source), str(i), id=f"edge-{i}-{k}", **words)
    return graph.source


def empty_graph(title=None, note=""):
    """Make a graph with the settings that every picture of the package shares."""
    graph = Digraph(name="graph", graph_attr={"rankdir": "TB", "bgcolor": "white", "pad": "0.2"})
    # `ordering` keeps the left input of a subtraction or a power on the left.
    graph.attr(ordering="in", nodesep="0.3", ranksep="0.4", fontname=FONT, fontcolor=INK)
    graph.attr("node", fontname=FONT, fontsize="13", fontcolor=INK, margin="0.14,0.07")
    graph.attr("edge", fontname=FONT, fontcolor=INK, color="#52606d", arrowsize="0.7", penwidth="1.3")
    if title or note:
        lines = [escaped(plain(line, 120)) for line in (title, note) if line]
        graph.attr(label=nohtml("\\n".join([*lines, " "])), labelloc="t", fontsize="15" if title else "12")
    return graph


def look_of(box):
    """Return the shape and the border of a box."""
    return LOOKS[box.kind] | (SHEET if box.kind == "constant" and isinstance(box.value, Summary) else {})


def label_of(box, gradients=True):
    """Write the label of a box: its fields, and the room for heat maps below value and gradient.

    Examples
    --------
    >>> from dark.draw.graph.boxes import Box
    >>> label_of(Box("result", "|", 2.0, None, "a<b"))
    'a\\\\<b = 2|\\\\||grad –'
    """
    if box.kind == "folded":
        return literal(title_of(box))
    protect = record_field if "ecord" in look_of(box)["shape"] else escaped
    fields = fields_of(box, gradients)
    texts = [r"\n".join(map(protect, lines)) for lines in fields]
    space = r"\ " if protect is record_field else " "  # in a record several bare spaces are one
    for place, (lines, wide) in rooms_of(box, fields, gradients).items():
        texts[place] += r"\n" * (lines + 1) + space * ceil(wide / SPACE_WIDTH) + r"\n"
    return nohtml("|".join(texts))


def rooms_of(box, fields, gradients=True):
    """Return for each place among the fields the room below the text for a heat map: free lines, and points wide.

    Two heat maps stand side by side: the fields have equally many lines.
    """
    pairs = zip((place_of_value(box), len(fields) - 1), maps_of(box, gradients))
    places = {place: summary for place, summary in pairs if summary}
    longest = max((len(fields[place]) for place in places), default=0)
    lines = max(map(room, places.values()), default=0)
    return {place: (longest - len(fields[place]) + lines - 1, width(s)) for place, s in places.items()}


def literal(text):
    """Protect a text that is a whole label: nothing in it is read as DOT's own signs."""
    return nohtml(escaped(text))


def escaped(text):
    """Protect a text that becomes part of a label."""
    return text.replace("\\", "\\\\").replace("&", "&amp;")


def record_field(text):
    """Protect a text that goes into one field of a record."""
    text = escaped(text)
    for sign in "|{}<>":
        text = text.replace(sign, "\\" + sign)
    return text
