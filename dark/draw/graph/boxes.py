"""The graph as plain data: one box a node, in topological order, inputs before what uses them."""

from collections import Counter
from dataclasses import dataclass, replace
from math import prod
from types import NoneType

from dark.draw.arrays.array_summary import Summary, condensed
from dark.draw.graph.traverse import field_of, inputs_of, is_node, order_of, unreadable
from dark.draw.labels import operation_text, plain, value_text
from dark.nodes.sending import SHOWN

NOT_KEPT = "not kept"
MOST_PARALLEL = 10  # edges side by side from one box to another


@dataclass(frozen=True)
class Box:
    """One node of a picture.

    Parameters
    ----------
    kind : {"parameter", "constant", "result", "folded", "group"}
        What the node is; "folded" and "group" stand for nodes that are not drawn.
    operation : str or None
        The sign or name of the operation that made the value.
    value, grad : object
        Numbers; None where there is no gradient. Of an array its `Summary` is kept.
    name : str or None
        The name the user gave; a blank one is none.
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

    def __post_init__(self):
        for field in ("value", "grad"):
            object.__setattr__(self, field, condensed(getattr(self, field)))
        object.__setattr__(self, "name", None if self.name is None else str(self.name) if plain(self.name) else None)


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
        If `node` is no node, if the graph runs in a circle, or if a field cannot be read.

    Examples
    --------
    >>> from types import SimpleNamespace as Thing
    >>> x = Thing(op=None, inputs=(), value=3.0, grad=2.0, name="x")
    >>> y = Thing(op="add", inputs=(x, x), value=6.0, grad=1.0, name=None)
    >>> [(box.kind, box.operation, box.inputs) for box in boxes_of(y)]
    [('parameter', None, ()), ('result', '+', (0, 0))]
    """
    return boxes_from(*order_of(node))


def drawn_edges(box):
    """List the edges that are drawn to a box, each as (place among the inputs, source, how many inputs it is for).

    A box that another uses very often has one edge for all of them.

    Examples
    --------
    >>> drawn_edges(Box("result", "*", 4.0, inputs=(0, 0)))
    [(0, 0, 1), (1, 0, 1)]
    >>> drawn_edges(Box("result", "stack", 4.0, inputs=(0,) * 100))
    [(0, 0, 100)]
    """
    counts, edges, seen = Counter(box.inputs), [], set()
    for k, source in enumerate(box.inputs):
        many = counts[source] > MOST_PARALLEL
        if not many or source not in seen:
            edges.append((k, source, counts[source] if many else 1))
        seen.add(source)
    return edges


def boxes_from(nodes, links):
    """Make one box for each of `nodes`, which are in topological order; `links` are their inputs."""
    passed = field_of(nodes[-1], "grad") is not None
    return tuple(box_of(node, inputs, passed) for node, inputs in zip(nodes, links, strict=True))


def box_of(node, inputs, passed):
    """Make the box of one node; `passed` says whether a gradient has started at the root."""
    box = replace(
        outline_of(node, inputs),
        value=_written(node, "value", node),
        grad=_written(node, "grad", None),
    )
    return replace(box, grad=NOT_KEPT) if passed and _let_go(box) else box


def outline_of(node, inputs):
    """Make the box of a node without value and gradient, which take time where they are large arrays."""
    op, name = field_of(node, "op"), field_of(node, "name")
    try:
        operation = None if op is None else operation_text(op)
    except Exception as error:
        raise unreadable(node, "op", error) from None
    try:
        name = None if name is None or callable(name) else str(name)
    except Exception as error:
        raise unreadable(node, "name", error) from None
    return Box(kind_of(node), operation, None, None, name, inputs)


def kind_of(node):
    """Return "parameter", "constant" or "result", by class name and inputs.

    A student's own `class Constant(Node)` counts as well as ours; a leaf of another class is
    something one may train, so it is drawn as a parameter.
    """
    names = {cls.__name__ for cls in type(node).__mro__}
    if "Constant" in names or not is_node(node):
        return "constant"
    if "Parameter" in names or (field_of(node, "op") is None and not inputs_of(node)):
        return "parameter"
    return "result"


def _written(node, field, default):
    """Return a field that can be written as text."""
    found = field_of(node, field, default)
    if type(found) in (float, int, NoneType):
        return found
    try:
        value_text(condensed(found))
    except Exception as error:
        raise unreadable(node, field, error) from None
    return found


def _let_go(box):
    """Say whether a gradient came by here and was let go, to save memory; see `dark.nodes.sending`."""
    large = isinstance(box.value, Summary) and prod(box.value.shape) > SHOWN
    return large and box.kind == "result" and box.grad is None and not box.name
