"""The graph as plain data: one `Box` per node, in topological order; and the fields of a box, each a tuple of lines."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from dark.draw.arrays.array_summary import Summary, shape_text, summarize, summary_lines
from dark.draw.graph.traverse import field_of, kind_of, printable, readable_grad, text_of, topological_order
from dark.draw.labels import one_line, operation_text, value_text

LEGEND = {  # the kinds of boxes in words, in the order of a legend
    "parameter": "parameter", "constant": "constant", "input": "input", "result": "result",
    "detached": "without gradient", "group": "closed module", "frame": "open module", "cost": "from cheap to costly",
}  # fmt: skip
MOST_PARALLEL = 10  # parallel edges from one box to another


@dataclass(frozen=True)
class Box:
    """One node of a picture.

    Parameters
    ----------
    kind : {"parameter", "constant", "input", "result", "detached", "folded", "group"}
        The kind of node; no gradient flows through a detached result; "folded" and "group" replace nodes that are not
        drawn.
    operation : str or None
        The sign or name of the operation that computed the value.
    value, grad : object
        Numbers, or the `Summary` of an array; `grad` is None without a gradient.
    name : str or None
        The name given by the user; a blank one counts as None.
    inputs : tuple of int
        The indices of the inputs among the boxes.
    mark : {"wrong", "now", "failed"} or None
        Highlights the box.
    path : tuple of str
        The open modules around it, outermost first.
    cost : (float, str) or None
        What it costs, as a part of the most costly box and in words, in a picture of costs.
    labels : tuple of str
        The texts at the edges from its inputs; by default none.
    results : tuple of str
        What is known of each result of an operation with several, one line each.
    settings : str
        The settings of the operation that are short, as a line.

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
    labels: tuple[str, ...] = field(default=(), repr=False)
    results: tuple[str, ...] = field(default=(), repr=False)
    settings: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        for name in ("value", "grad"):
            object.__setattr__(self, name, summarize(getattr(self, name)))
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
    """Return the edges to a box as (index among its inputs, source, count); more than 10 from one source are one."""
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
    boxes = []
    for node, inputs in zip(nodes, links, strict=True):
        value, grad = printable(node, "value", node), readable_grad(node, passed)
        boxes.append(Box(kind_of(node), text_of(node, "op"), value, grad, text_of(node, "name"), inputs))
    return tuple(boxes)


@dataclass(frozen=True)
class Reserved:
    """Space in a box for the gradients it shows in turn: line by line their longest text, and a heat map if any."""

    text: str
    map: Summary | None = None


MARK_LABELS = {"wrong": "first wrong", "now": "now", "failed": "failed here"}


def fields_of(box, gradients=True):
    """Return the fields of a box, each as a tuple of lines; a constant has one, and so has a group."""
    if box.kind == "group":
        return [tuple(one_line(str(text), 60) for text in (box.name, box.value, box.operation) if text)]
    words = (operation_text(box.operation), *filter(None, (one_line(box.settings, 60),)))
    fields = [value_lines(box, gradients), words]
    if gradients:
        fields.append(gradient_lines(box))
    if box.mark:
        fields.insert(0, (MARK_LABELS[box.mark],))
    if box.kind != "constant":
        return fields
    value = index_of_value(box, True)  # the first line of the value with the other fields, its further lines below
    first = "   ".join(lines[0] if k == value else " ".join(lines) for k, lines in enumerate(fields))
    return [(first, *fields[value][1:])]


def index_of_value(box, apart=None):
    """Return the index of the value among the fields: 1 after a mark, if the fields are separate (`apart`), else 0."""
    apart = box.kind != "constant" if apart is None else apart
    return 1 if box.mark and apart else 0


def value_lines(box, gradients=True):
    """Return the lines of the value: name and number, or name, shape and summary of an array; or of each result.

    Next to the gradient of an array, the summary has one line per statistic, as the gradient has.
    """
    if box.results:
        return ((one_line(box.name),) if box.name else ()) + tuple(one_line(line, 60) for line in box.results)
    if not isinstance(box.value, Summary):
        return ((f"{one_line(box.name)} = " if box.name else "") + value_text(box.value),)
    lines = summary_lines(box.value)
    if lines and not box.value.numbers and not (gradients and len(gradient_lines(box)) > 1):
        lines = tuple(", ".join(part) for part in (lines[:3], lines[3:]) if part)
    return ((one_line(box.name),) if box.name else ()) + (shape_text(box.value), *lines)


def gradient_lines(box):
    """Return the lines of the gradient."""
    lines = gradient_text(box.grad).split("\n")
    return (f"grad {one_line(lines[0])}", *map(one_line, lines[1:]))


def gradient_text(grad):
    """Format a gradient for its box; an array's takes several lines."""
    grad = summarize(grad)
    if isinstance(grad, Reserved):
        return grad.text
    if isinstance(grad, Summary):
        return "\n".join((str(grad.shape), *summary_lines(grad)))
    return grad if isinstance(grad, str) else value_text(grad)


def heat_map_summaries(box, gradients=True):
    """Return the summaries of value and gradient that have a heat map in a box, each None if it has no heat map."""
    shown = gradients and box.kind in ("parameter", "result")
    grad = getattr(box.grad, "map", box.grad) if shown else None
    value, grad = (thing if isinstance(thing, Summary) and thing.cells else None for thing in (box.value, grad))
    return value, grad
