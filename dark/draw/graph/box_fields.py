"""The fields of a box, each a tuple of lines: value, operation, gradient."""

from dataclasses import dataclass

from dark.draw.arrays.array_summary import Summary, summarize
from dark.draw.arrays.array_text import shape_text, summary_lines
from dark.draw.labels import one_line, operation_text, value_text


@dataclass(frozen=True)
class Reserved:
    """Space in a box for the gradients it shows in turn: line by line their longest text, and a heat map if any."""

    text: str
    map: Summary | None = None


MARK_LABELS = {"wrong": "first wrong", "now": "now"}


def fields_of(box, gradients=True):
    """Return the fields of a box, each as a tuple of lines.

    A constant has a single field, and so has a group: its name, node count and operations.
    """
    if box.kind == "group":
        return [tuple(one_line(str(text), 60) for text in (box.name, box.value, box.operation) if text)]
    fields = [value_lines(box, gradients), (operation_text(box.operation),)]
    if gradients:
        fields.append(gradient_lines(box))
    if box.mark:
        fields.insert(0, (MARK_LABELS[box.mark],))
    return [_as_one(fields, index_of_value(box, True))] if box.kind == "constant" else fields


def index_of_value(box, apart=None):
    """Return the index of the value among the fields: 1 after a mark, if the fields are separate (`apart`), else 0."""
    apart = box.kind != "constant" if apart is None else apart
    return 1 if box.mark and apart else 0


def value_lines(box, gradients=True):
    """Return the lines of the value: name and number, or name, shape and summary of an array.

    Next to the gradient of an array, the summary has one line per statistic, as the gradient has.

    Examples
    --------
    >>> import numpy as np
    >>> from dark.draw.graph.boxes import Box
    >>> value_lines(Box("constant", None, np.arange(9.0), None, "x"))
    ('x', 'float64 (9,)', 'min 0, mean 4, max 8')
    >>> value_lines(Box("parameter", None, np.arange(9.0), np.arange(9.0)))
    ('float64 (9,)', 'min 0', 'mean 4', 'max 8')
    """
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
    """Format a gradient for its box; that of an array takes several lines."""
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


def _as_one(fields, value):
    """Join the fields in one: the first line of the value with the other fields, its further lines below."""
    first = "   ".join(lines[0] if k == value else " ".join(lines) for k, lines in enumerate(fields))
    return (first, *fields[value][1:])
