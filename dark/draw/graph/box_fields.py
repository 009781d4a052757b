"""What stands in a box, field by field and line by line: value, operation, gradient."""

from dataclasses import dataclass

from dark.draw.arrays.array_summary import Summary, condensed
from dark.draw.arrays.array_text import shape_text, summary_lines
from dark.draw.labels import operation_text, plain, value_text


@dataclass(frozen=True)
class Reserved:
    """Room for every gradient that will stand in a box, one after another.

    Parameters
    ----------
    text : str
        The longest of their texts, line by line.
    map : Summary or None
        One of them, if they have heat maps.
    """

    text: str
    map: Summary | None = None


WORDS = {"wrong": "first wrong", "now": "now"}


def fields_of(box, gradients=True):
    """Write the fields of a box, each as a tuple of lines.

    A constant has a single field, and a group the lines that say what it stands for.

    Examples
    --------
    >>> from dark.draw.graph.boxes import Box
    >>> fields_of(Box("parameter", None, 10.0, 40.0, "x")), fields_of(Box("constant", None, 2.0))
    ([('x = 10',), ('.',), ('grad 40',)], [('2   .   grad –',)])
    """
    if box.kind == "group":
        return [tuple(plain(str(text), 60) for text in (box.name, box.value, box.operation) if text)]
    fields = [value_lines(box, gradients), (operation_text(box.operation),)]
    if gradients:
        fields.append(gradient_lines(box))
    if box.mark:
        fields.insert(0, (WORDS[box.mark],))
    return [_as_one(fields, place_of_value(box, True))] if box.kind == "constant" else fields


def place_of_value(box, apart=None):
    """Return which field is the value; behind a mark it is the second, where the fields stand `apart`."""
    apart = box.kind != "constant" if apart is None else apart
    return 1 if box.mark and apart else 0


def value_lines(box, gradients=True):
    """Write the lines of the value: with its name, or name, shape and summary of an array.

    Beside the gradient of an array the summary has as many lines as that has.

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
        return ((f"{plain(box.name)} = " if box.name else "") + value_text(box.value),)
    lines = summary_lines(box.value)
    if lines and not box.value.numbers and not (gradients and len(gradient_lines(box)) > 1):
        lines = tuple(", ".join(part) for part in (lines[:3], lines[3:]) if part)
    return ((plain(box.name),) if box.name else ()) + (shape_text(box.value), *lines)


def gradient_lines(box):
    """Write the lines of the gradient."""
    lines = gradient_text(box.grad).split("\n")
    return (f"grad {plain(lines[0])}", *map(plain, lines[1:]))


def gradient_text(grad):
    """Write a gradient as it stands below the word `grad`; that of an array in several lines.

    Examples
    --------
    >>> import numpy as np
    >>> gradient_text(np.arange(9.0)), gradient_text(np.zeros(3)), gradient_text(None)
    ('(9,)\\nmin 0\\nmean 4\\nmax 8', '(3,)\\n[0 0 0]', '–')
    """
    grad = condensed(grad)
    if isinstance(grad, Reserved):
        return grad.text
    if isinstance(grad, Summary):
        return "\n".join((str(grad.shape), *summary_lines(grad)))
    return grad if isinstance(grad, str) else value_text(grad)


def maps_of(box, gradients=True):
    """Return what has a heat map in a box: the summary of the value, and that of the gradient; or None.

    Examples
    --------
    >>> import numpy as np
    >>> from dark.draw.graph.boxes import Box
    >>> box = Box("parameter", None, np.ones(9), np.ones(9))
    >>> maps_of(box) == (box.value, box.grad), maps_of(box, gradients=False) == (box.value, None)
    (True, True)
    """
    shown = gradients and box.kind in ("parameter", "result")
    grad = getattr(box.grad, "map", box.grad) if shown else None
    value, grad = (thing if isinstance(thing, Summary) and thing.cells else None for thing in (box.value, grad))
    return value, grad


def _as_one(fields, value):
    """Put all fields in one: the first line of the value among the others, its further lines below."""
    first = "   ".join(lines[0] if k == value else " ".join(lines) for k, lines in enumerate(fields))
    return (first, *fields[value][1:])
