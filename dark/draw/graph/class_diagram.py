"""The kinds of nodes as a picture: what inherits from what, and what each one holds."""

from dark.draw.graph.dot import LOOKS, empty_graph, record_field
from dark.draw.graph.drawing import Drawing
from dark.draw.text_table import Table

TITLE = "Kinds of nodes"
HEADING = ("class", "is a", "holds", "does")
ROWS = (
    ("Node", "", "op, inputs, value, grad", "backward(), zero_grad()"),
    ("Constant", "Node", "value, no gradient", "stays as it is"),
    ("Parameter", "Node", "value, grad", "is trained; gradients add up"),
    ("Operation", "", "the rule of a result: Add, Mul, …", "_f forward, _df backward"),
)
LOOK_OF = {"Node": "result", "Constant": "constant", "Parameter": "parameter", "Operation": "result"}
ALT = (
    "Node is the base class of Constant and Parameter. A Node holds op, inputs, value and grad, and"
    " has backward and zero_grad. A Constant has a value and no gradient. A Parameter has a value"
    " and a gradient, is trained, and adds up its gradients. A Node that is a result points to the"
    " Operation that made it, which has _f for the way forward and _df for the way back."
)


def hierarchy():
    """Draw the kinds of nodes: `Node`, its two kinds of leaf, and `Operation` beside it.

    Returns
    -------
    Drawing

    Examples
    --------
    >>> hierarchy()
    class      is a  holds                              does
    Node             op, inputs, value, grad            backward(), zero_grad()
    Constant   Node  value, no gradient                 stays as it is
    Parameter  Node  value, grad                        is trained; gradients add up
    Operation        the rule of a result: Add, Mul, …  _f forward, _df backward
    """
    graph = empty_graph()
    graph.attr(ordering="", nodesep="0.4")
    graph.attr("node", margin="0.25,0.07")
    for name, _, holds, does in ROWS:
        look = LOOKS[LOOK_OF[name]]
        if name == "Constant":
            graph.node(name, f"{name}\n{holds}\n{does}", **look)
        else:
            graph.node(name, "{" + "|".join(map(record_field, (name, holds, does))) + "}", **look)
    # The base class stands above, so the arrow runs up: from the derived class to its base.
    for name in ("Constant", "Parameter"):
        graph.edge("Node", name, dir="back", arrowtail="empty", label="  is a", fontsize="11")
    # One level down, not beside: the engine in Python loses level edges between records.
    graph.edge("Node", "Operation", style="dashed", label="  op", fontsize="11")
    return Drawing(graph.source, TITLE, ALT, Table(HEADING, ROWS))
