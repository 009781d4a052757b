"""The graph as plain data: one `Box` per node, in topological order."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from dark.draw.arrays.array_summary import summarize
from dark.draw.graph.node_fields import kind_of, name_of, operation_of, readable_grad, readable_value
from dark.draw.graph.traverse import field_of, topological_order
from dark.draw.labels import one_line

MOST_PARALLEL = 10  # parallel edges from one box to another


@dataclass(frozen=True)
class Box:
    """One node of a picture.

    Parameters
    ----------
    kind : {"parameter", "constant", "input", "result", "folded", "group"}
        The kind of node; "folded" and "group" replace nodes that are not drawn.
    operation : str or None
        The sign or name of the operation that computed the value.
    value, grad : object
        Numbers, or the `Summary` of an array; `grad` is None without a gradient.
    name : str or None
        The name given by the user; a blank one counts as None.
    inputs : tuple of int
        The indices of the inputs among the boxes.
    mark : {"wrong", "now"} or None
        Highlights the box.
    path : tuple of str
        The open modules around it, outermost first.
    cost : (float, str) or None
        What it costs, as a part of the most costly box and in words, in a picture of costs.

    Examples
    --------
    >>> Box("parameter", None, 10.0, 40.0, "x")
    Box(kind='parameter', operation=None, value=10.0, grad=40.0, name='x', inputs=(), mark=None, path=(), cost=None)
    """

    kind: str
    operation: str | None
    value: object
    grad: object = None
    name: str | None = None
    inputs: tuple[int, ...] = ()
    mark: str | None = None
    path: tuple[str, ...] = ()
    cost: tuple[float, str] | None = None

    def __post_init__(self) -> None:
        for field in ("value", "grad"):
            object.__setattr__(self, field, summarize(getattr(self, field)))
        object.__setattr__(self, "name", None if self.name is None else str(self.name) if one_line(self.name) else None)


def boxes_of(node: object) -> tuple[Box, ...]:
    """Convert a graph to boxes in topological order, the root last.

    Parameters
    ----------
    node : object
        The root: any object with `inputs` and `value`; `op`, `grad` and `name` are optional.

    Examples
    --------
    >>> from types import SimpleNamespace as Thing
    >>> x = Thing(op=None, inputs=(), value=3.0, grad=2.0, name="x")
    >>> y = Thing(op="add", inputs=(x, x), value=6.0, grad=1.0, name=None)
    >>> [(box.kind, box.operation, box.inputs) for box in boxes_of(y)]
    [('parameter', None, ()), ('result', '+', (0, 0))]
    """
    return boxes_from(*topological_order(node))


def visible_edges(box):
    """Return the edges drawn to a box, each as (index among its inputs, source, number of inputs it represents).

    More than 10 edges from the same source are drawn as one.

    Examples
    --------
    >>> visible_edges(Box("result", "*", 4.0, inputs=(0, 0)))
    [(0, 0, 1), (1, 0, 1)]
    >>> visible_edges(Box("result", "stack", 4.0, inputs=(0,) * 100))
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
    """Return the boxes of nodes in topological order; `links` are the indices of their inputs."""
    passed = field_of(nodes[-1], "grad") is not None
    return tuple(box_of(node, inputs, passed) for node, inputs in zip(nodes, links, strict=True))


def box_of(node, inputs, passed):
    """Return the box of one node; `passed` is whether a backward pass has started at the root."""
    return replace(outline_of(node, inputs), value=readable_value(node), grad=readable_grad(node, passed))


def outline_of(node, inputs):
    """Return the box of a node without value and gradient: summarizing large arrays takes time."""
    return Box(kind_of(node), operation_of(node), None, None, name_of(node), inputs)
