"""The graph as plain data: one box a node, in topological order, inputs before what uses them."""

from dataclasses import dataclass

from dark.draw.labels import operation_text
from dark.errors import DrawingError

UNFINISHED, FINISHED = 0, 1


@dataclass(frozen=True)
class Box:
    """One node of a picture.

    Parameters
    ----------
    kind : {"parameter", "constant", "result", "folded"}
        What the node is; "folded" stands for nodes that are not drawn.
    operation : str or None
        The sign or name of the operation that made the value.
    value, grad : object
        Numbers; None where there is no gradient.
    name : str or None
        The name the user gave.
    inputs : tuple of int
        Positions of the inputs among the boxes.
    mark : {"wrong", "now"} or None
        A box to look at.

    Examples
    --------
    >>> Box("parameter", None, 10.0, 40.0, "x")
    Box(kind='parameter', operation=None, value=10.0, grad=40.0, name='x', inputs=(), mark=None)
    """

    kind: str
    operation: str | None
    value: object
    grad: object = None
    name: str | None = None
    inputs: tuple[int, ...] = ()
    mark: str | None = None


def boxes_of(node):
    """Read a graph into boxes.

    Parameters
    ----------
    node : object
        The root: anything with `inputs` and `value`; `op`, `grad` and `name` are read where
        they are.

    Returns
    -------
    tuple of Box
        In topological order, the root last.

    Raises
    ------
    DrawingError
        If `node` is no node, or if the graph runs in a circle.

    Examples
    --------
    >>> from types import SimpleNamespace as Thing
    >>> x = Thing(op=None, inputs=(), value=3.0, grad=2.0, name="x")
    >>> y = Thing(op="add", inputs=(x, x), value=6.0, grad=1.0, name=None)
    >>> [(box.kind, box.operation, box.inputs) for box in boxes_of(y)]
    [('parameter', None, ()), ('result', '+', (0, 0))]
    """
    return boxes_from(nodes_in_order(node))


def boxes_from(nodes):
    """Make one box for each of `nodes`, which are in topological order."""
    place = {id(node): i for i, node in enumerate(nodes)}
    return tuple(_box(node, tuple(place[id(n)] for n in inputs_of(node) if id(n) in place)) for node in nodes)


def nodes_in_order(root):
    """List the nodes below `root` in topological order, without recursion.

    Parameters
    ----------
    root : object
        The node that comes last.

    Returns
    -------
    list of object
        Each node once. A number that stands where a node should be counts as a node.
    """
    if not is_node(root):
        raise DrawingError(
            f"draw: {type(root).__name__} is no node of a graph.",
            "an object with `inputs` and `value`, such as the result of dark.add(x, 2).",
            "draw the node itself, not its value",
        )
    order, state, stack = [], {id(root): UNFINISHED}, [(root, iter(inputs_of(root)))]
    while stack:
        node, rest = stack[-1]
        below = next(rest, None)
        if below is None:
            stack.pop()
            state[id(node)] = FINISHED
            order.append(node)
        elif id(below) not in state:
            state[id(below)] = UNFINISHED
            stack.append((below, iter(inputs_of(below))))
        elif state[id(below)] is UNFINISHED:
            raise _circle(below)
    return order


def is_node(thing):
    """Say whether a thing can be drawn: it has inputs and a value.

    Examples
    --------
    >>> is_node(3.0)
    False
    """
    return not isinstance(thing, type) and hasattr(thing, "inputs") and hasattr(thing, "value")


def inputs_of(node):
    """Return the inputs of a node; a bare number has none."""
    inputs = getattr(node, "inputs", None)
    return () if inputs is None else tuple(n for n in inputs if n is not None)


def kind_of(node):
    """Return "parameter", "constant" or "result", by class name and inputs.

    A student's own `class Constant(Node)` counts as well as ours; a leaf of another class is
    something one may train, so it is drawn as a parameter.
    """
    names = {cls.__name__ for cls in type(node).__mro__}
    if "Constant" in names or not is_node(node):
        return "constant"
    if "Parameter" in names or (getattr(node, "op", None) is None and not inputs_of(node)):
        return "parameter"
    return "result"


def _box(node, inputs):
    op = getattr(node, "op", None)
    return Box(
        kind=kind_of(node),
        operation=None if op is None else operation_text(op),
        value=getattr(node, "value", node),
        grad=getattr(node, "grad", None),
        name=getattr(node, "name", None),
        inputs=inputs,
    )


def _circle(node):
    return DrawingError(
        f"draw: the graph runs in a circle through a node with value {node.value!r}.",
        "a graph in which no node is an input of itself.",
        "look where `inputs` is set; apply() makes a new node for each result",
    )
