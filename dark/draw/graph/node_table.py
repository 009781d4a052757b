"""The graph as a table: the content of the picture as text."""

from dark.draw.arrays.array_summary import Summary
from dark.draw.arrays.array_text import shape_text, summary_lines
from dark.draw.graph.descriptions import listed_inputs, title_of
from dark.draw.labels import one_line, operation_text, value_text
from dark.draw.text_table import Table


def table_of(boxes):
    """Return boxes as a table, one row per box; with columns for shapes and summaries if there are arrays.

    Examples
    --------
    >>> import numpy as np
    >>> from dark.draw.graph.boxes import Box
    >>> x = Box("parameter", None, 3.0, 2.0, "x")
    >>> table_of((x, Box("result", "+", 6.0, 1.0, None, (0, 0))))
    #  name  kind       operation  value  gradient  inputs
    0  x     parameter  .          3      2
    1        result     +          6      1         0 0
    >>> table_of((x, Box("constant", None, np.arange(8.0), None, "a")))
    #  name  kind       operation  array         value, or min mean max  gradient, or min mean max  inputs
    0  x     parameter  .                        3                       2
    1  a     constant   .          float64 (8,)  0  3.5  7               –
    """
    values, grads = (_aligned([getattr(box, field) for box in boxes]) for field in ("value", "grad"))
    if not any(_arrays_of(box) for box in boxes):
        heading = ("#", "name", "kind", "operation", "value", "gradient", "inputs")
        return Table(heading, tuple(_row(*row) for row in zip(range(len(boxes)), boxes, values, grads)))
    heading = ("#", "name", "kind", "operation", "array")
    heading += ("value, or min mean max", "gradient, or min mean max", "inputs")
    rows = (_row(i, box, _array_of(box), value, grad) for i, (box, value, grad) in enumerate(zip(boxes, values, grads)))
    return Table(heading, tuple(rows))


def _row(i, box, *texts):
    if box.kind == "folded":
        return (str(i), title_of(box), "not drawn", "", *("" for _ in texts), "")
    if box.kind == "group":
        texts = (*("" for _ in texts[:-2]), box.value, "")
        return (str(i), one_line(box.name or ""), "folded", box.operation or "", *texts, " ".join(listed_inputs(box)))
    return (
        str(i),
        one_line(box.name) if box.name else "",
        box.kind + (f" ({box.mark})" if box.mark else ""),
        operation_text(box.operation),
        *texts,
        " ".join(listed_inputs(box)),
    )


def _arrays_of(box):
    return [thing for thing in (box.value, box.grad) if isinstance(thing, Summary)]


def _array_of(box):
    """Return dtype and shape of an array value, else an empty string."""
    return shape_text(box.value) if isinstance(box.value, Summary) else ""


def _aligned(things):
    """Format values for one column, with minimum, mean and maximum of all arrays aligned."""
    lines = [_statistics(thing) if isinstance(thing, Summary) else (value_text(thing),) for thing in things]
    widths = [max((len(line[k]) for line in lines if len(line) > 2), default=0) for k in range(3)]
    return [
        "  ".join([*map(str.ljust, line[:3], widths), *line[3:]]).rstrip() if len(line) > 2 else line[0]
        for line in lines
    ]


def _statistics(summary):
    """Return minimum, mean, maximum and the count of NaN of a summary; otherwise all its lines as one string."""
    words = summary_lines(summary)
    if summary.numbers or summary.low is None:
        return (" ".join(words) or "–",)
    of = ("of |z|",) if "|z|" in words[0] else ()
    return (*(word.split()[-1] for word in words[:3]), *of, *words[3:])
