"""The graph as a table: the content of the picture as text."""

from dark.draw.arrays.array_summary import Summary, shape_text, summary_lines
from dark.draw.graph.descriptions import listed_inputs, title_of
from dark.draw.labels import one_line, operation_text, value_text
from dark.draw.text_table import Table


def table_of(boxes):
    """Return boxes as a table, one row per box; with columns for shapes and summaries if there are arrays."""
    values, grads = (_aligned([getattr(box, field) for box in boxes]) for field in ("value", "grad"))
    if not any(isinstance(thing, Summary) for box in boxes for thing in (box.value, box.grad)):
        heading = ("#", "name", "kind", "operation", "value", "gradient", "inputs")
        return Table(heading, tuple(_row(*row) for row in zip(range(len(boxes)), boxes, values, grads)))
    heading = ("#", "name", "kind", "operation", "array")
    heading += ("value, or min mean max", "gradient, or min mean max", "inputs")
    shapes = [shape_text(box.value) if isinstance(box.value, Summary) else "" for box in boxes]
    return Table(heading, tuple(_row(*row) for row in zip(range(len(boxes)), boxes, shapes, values, grads)))


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
