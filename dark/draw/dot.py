"""Boxes written as DOT: parameter, constant and result differ in shape and border, not only in colour.

A parameter is a rounded record with a thick border, a constant an ellipse with a dashed one, a
result a square record with a thin one. The layout engine of this package draws HTML-like labels
as plain text, so there are none.
"""

from graphviz import Digraph, nohtml

from dark.draw.labels import operation_text, plain, title_of, value_text

FONT = "Arial"
INK = "#1f2933"
WORDS = {"wrong": "first wrong", "now": "now"}
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
}  # fmt: skip
WRONG = {"style": "filled,dashed", "penwidth": "4.5", "color": "#b3261e", "fillcolor": "#fdecea"}


def to_dot(boxes, title=None, gradients=True):
    """Write boxes as DOT.

    Parameters
    ----------
    boxes : tuple of Box
        In topological order.
    title : str, optional
        Stands above the picture.
    gradients : bool
        Whether the third field, the gradient, is shown.

    Returns
    -------
    str
        Box number i is the node i with `id="node-i"`; its k-th input comes by `id="edge-i-k"`.

    Examples
    --------
    >>> from dark.draw.boxes import Box
    >>> dot = to_dot((Box("parameter", None, 10.0, 40.0, "x"),))
    >>> 'label="x = 10|.|grad 40"' in dot and 'id="node-0"' in dot
    True
    """
    graph = empty_graph(title)
    for i, box in enumerate(boxes):
        look = LOOKS[box.kind] | (WRONG if box.mark == "wrong" else {})
        graph.node(str(i), label_of(box, gradients), id=f"node-{i}", **look)
    for i, box in enumerate(boxes):
        for k, source in enumerate(box.inputs):
            graph.edge(str(source), str(i), id=f"edge-{i}-{k}")
    return graph.source


def empty_graph(title=None):
    """Make a graph with the settings that every picture of the package shares."""
    graph = Digraph(name="graph", graph_attr={"rankdir": "TB", "bgcolor": "white", "pad": "0.2"})
    # `ordering` keeps the left input of a subtraction or a power on the left.
    graph.attr(ordering="in", nodesep="0.3", ranksep="0.4", fontname=FONT, fontcolor=INK)
    graph.attr("node", fontname=FONT, fontsize="13", fontcolor=INK, margin="0.14,0.07")
    graph.attr("edge", color="#52606d", arrowsize="0.7", penwidth="1.3")
    if title:
        graph.attr(label=nohtml(escaped(plain(title, 120)) + "\\n "), labelloc="t", fontsize="15")
    return graph


def label_of(box, gradients=True):
    """Write the fields of a box: value, operation, gradient.

    Examples
    --------
    >>> from dark.draw.boxes import Box
    >>> label_of(Box("result", "|", 2.0, None, "a<b"))
    'a\\\\<b = 2|\\\\||grad –'
    """
    if box.kind == "folded":
        return literal(title_of(box))
    name = f"{plain(box.name)} = " if box.name else ""
    fields = [name + value_text(box.value), operation_text(box.operation)]
    if gradients:
        fields.append(f"grad {value_text(box.grad)}")
    if box.mark:
        fields.insert(0, WORDS[box.mark])
    if "ecord" in LOOKS[box.kind]["shape"]:
        return nohtml("|".join(map(record_field, fields)))
    return literal("   ".join(fields))


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
