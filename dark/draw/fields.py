"""What stands in a box, field by field and line by line: value, operation, gradient."""

from dark.draw.heat import room
from dark.draw.labels import operation_text, plain, value_text
from dark.draw.summary import Summary, condensed
from dark.draw.wording import shape_text, summary_lines

WORDS = {"wrong": "first wrong", "now": "now"}


def fields_of(box, gradients=True):
    """Write the fields of a box, each as a tuple of lines.

    A constant has a single field, and a group the lines that say what it stands for.

    Examples
    --------
    >>> from dark.draw.boxes import Box
    >>> fields_of(Box("parameter", None, 10.0, 40.0, "x")), fields_of(Box("constant", None, 2.0))
    ([('x = 10',), ('.',), ('grad 40',)], [('2   .   grad –',)])
    """
    if box.kind == "group":
        return [tuple(plain(text, 60) for text in (box.name, box.value, box.operation) if text)]
    fields = [value_lines(box), (operation_text(box.operation),)]
    if gradients:
        fields.append(gradient_lines(box))
    if box.mark:
        fields.insert(0, (WORDS[box.mark],))
    return [_as_one(fields, place_of_value(box, True))] if box.kind == "constant" else fields


def place_of_value(box, apart=None):
    """Return which field is the value; behind a mark it is the second, where the fields stand `apart`."""
    apart = box.kind != "constant" if apart is None else apart
    return 1 if box.mark and apart else 0


def value_lines(box):
    """Write the lines of the value: with its name, or name, shape and summary of an array.

    Examples
    --------
    >>> import numpy as np
    >>> from dark.draw.boxes import Box
    >>> value_lines(Box("constant", None, np.arange(9.0), None, "x"))
    ('x', 'float64 (9,)', 'min 0, mean 4, max 8')
    """
    if not isinstance(box.value, Summary):
        return ((f"{plain(box.name)} = " if box.name else "") + value_text(box.value),)
    lines = summary_lines(box.value)
    if lines and not box.value.numbers:
        lines = (", ".join(lines),)
    return ((plain(box.name),) if box.name else ()) + (shape_text(box.value), *lines)


def gradient_lines(box):
    """Write the lines of the gradient."""
    if not isinstance(box.value, Summary):
        return (f"grad {value_text(box.grad)}",)
    return tuple(plain(line) for line in f"grad {gradient_text(box.grad)}".split("\n"))


def gradient_text(grad):
    """Write a gradient as it stands below the word `grad`; that of an array in several lines.

    Examples
    --------
    >>> import numpy as np
    >>> gradient_text(np.arange(9.0)), gradient_text(np.zeros(3)), gradient_text(None)
    ('(9,)\\nmin 0\\nmean 4\\nmax 8', '(3,)\\n[0 0 0]', '–')
    """
    grad = condensed(grad)
    if isinstance(grad, Summary):
        return "\n".join((str(grad.shape), *summary_lines(grad)))
    return grad if isinstance(grad, str) else value_text(grad)


def room_of(box):
    """Return how many lines below the value a box keeps free for its heat map."""
    return room(box.value) if isinstance(box.value, Summary) else 0


def _as_one(fields, value):
    """Put all fields in one: the first line of the value among the others, its further lines below."""
    first = "   ".join(lines[0] if k == value else " ".join(lines) for k, lines in enumerate(fields))
    return (first, *fields[value][1:])
