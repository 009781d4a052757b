"""`hierarchy`: a class diagram of the nodes and operations of a graph."""

from dark.draw.diagram.diagram import STYLES, Diagram, DiagramEdge, DiagramNode
from dark.draw.picture.drawing import DiagramDrawing, Drawing
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

    Examples
    --------
    >>> hierarchy()
    class      is a  holds                                 does
    Node             op, inputs, value, grad               backward(), zero_grad()
    Constant   Node  value, no gradient                    does not change
    Parameter  Node  value, grad                           is trained, accumulates gradients
    Operation        function and derivative: Add, Mul, …  _f forward, _df backward
    """
    nodes = []
    for name, _, *words in ROWS:
        look = STYLES[STYLE_OF[name]]
        is_record = name != "Constant"
        fields = tuple((line,) for line in (name, *words)) if is_record else ((name, *words),)
        nodes.append(DiagramNode(name, fields, look, is_stacked=is_record))
    # The base class is above, so the arrow points up, from the subclass to its base.
    up = {"dir": "back", "arrowtail": "empty"}
    edges = [DiagramEdge("Node", name, "  is a", look=up) for name in ("Constant", "Parameter")]
    # One level down, not next to it: Graphviz loses level edges between records.
    edges.append(DiagramEdge("Node", "Operation", "  op", look={"style": "dashed"}))
    look = {"ordering": "", "nodesep": "0.4"}
    diagram = Diagram(tuple(nodes), tuple(edges), look=look, margin="0.25,0.07")
    return DiagramDrawing(diagram, TITLE, ALT, Table(HEADING, ROWS))
