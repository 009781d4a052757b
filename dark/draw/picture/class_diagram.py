"""`hierarchy`: a class diagram of the nodes and operations of a graph."""

from __future__ import annotations

from dark.draw.picture.dot import STYLES, empty_graph, record_field
from dark.draw.picture.drawing import Drawing
from dark.draw.text_table import Table

TITLE = "Classes of a graph"
HEADING = ("class", "is a", "holds", "does")
ROWS = (
    ("Node", "", "op, inputs, value, grad", "backward(), zero_grad()"),
    ("Constant", "Node", "value, no gradient", "does not change"),
    ("Parameter", "Node", "value, grad", "is trained, accumulates gradients"),
    ("Operation", "", "function and derivative: Add, Mul, …", "_f forward, _df backward"),
)
STYLE_OF = {"Node": "result", "Constant": "constant", "Parameter": "parameter", "Operation": "result"}
ALT = (
    "Node is the base class of Constant and Parameter. A Node holds op, inputs, value and grad, and"
    " has backward and zero_grad. A Constant has a value and no gradient. A Parameter has a value"
    " and a gradient, is trained, and accumulates gradients. A Node that is a result refers to the"
    " Operation that computed it, which has _f for the forward pass and _df for the backward pass."
)


def hierarchy() -> Drawing:
    """Draw the classes of a graph: `Node`, its subclasses `Constant` and `Parameter`, and `Operation`.

    Returns
    -------
    Drawing

    Examples
    --------
    >>> hierarchy()
    class      is a  holds                                 does
    Node             op, inputs, value, grad               backward(), zero_grad()
    Constant   Node  value, no gradient                    does not change
    Parameter  Node  value, grad                           is trained, accumulates gradients
    Operation        function and derivative: Add, Mul, …  _f forward, _df backward
    """
    graph = empty_graph()
    graph.attr(ordering="", nodesep="0.4")
    graph.attr("node", margin="0.25,0.07")
    for name, _, holds, does in ROWS:
        style = STYLES[STYLE_OF[name]]
        if name == "Constant":
            graph.node(name, f"{name}\n{holds}\n{does}", **style)
        else:
            graph.node(name, "{" + "|".join(map(record_field, (name, holds, does))) + "}", **style)
    # The base class is above, so the arrow points up, from the subclass to its base.
    for name in ("Constant", "Parameter"):
        graph.edge("Node", name, dir="back", arrowtail="empty", label="  is a", fontsize="11")
    # One level down, not next to it: the layout engine in Python loses level edges between records.
    graph.edge("Node", "Operation", style="dashed", label="  op", fontsize="11")
    return Drawing(graph.source, TITLE, ALT, Table(HEADING, ROWS))
