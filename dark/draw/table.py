"""The graph as a table: what the picture says, for those who read rather than look."""

from dataclasses import dataclass
from html import escape
from unicodedata import combining, east_asian_width

from dark.draw.boxes import drawn_edges
from dark.draw.labels import operation_text, plain, title_of, value_text
from dark.draw.summary import Summary
from dark.draw.wording import shape_text, spoken, summary_lines

MOST_LISTED = 12


@dataclass(frozen=True)
class Table:
    """Rows of text under a heading; shows itself aligned, and as HTML in a notebook.

    Parameters
    ----------
    heading : tuple of str
    rows : tuple of tuple of str

    Examples
    --------
    >>> Table(("node", "value"), (("x", "10"), ("fx", "205")))
    node  value
    x     10
    fx    205
    """

    heading: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def __repr__(self):
        lines = (self.heading, *self.rows)
        widths = [max(columns_of(line[k]) for line in lines) for k in range(len(self.heading))]
        padded = ([f + " " * (w - columns_of(f)) for f, w in zip(line, widths, strict=True)] for line in lines)
        return "\n".join("  ".join(fields).rstrip() for fields in padded)

    def _repr_html_(self):
        head = "".join(f"<th>{escape(field)}</th>" for field in self.heading)
        body = "".join("<tr>" + "".join(f"<td>{escape(field)}</td>" for field in row) + "</tr>" for row in self.rows)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def columns_of(text):
    """Return how many columns a text takes in a terminal: signs of East Asia and emoji take two, accents none.

    Examples
    --------
    >>> columns_of("loss"), columns_of("日本"), columns_of("e\u0301")
    (4, 4, 1)
    """
    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)


def table_of(boxes):
    """Write boxes as a table, one row a box; where there are arrays, with shapes and summaries.

    Examples
    --------
    >>> import numpy as np
    >>> from dark.draw.boxes import Box
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


def alt_of(boxes, title=None):
    """Describe a whole graph in sentences.

    Up to twelve nodes are described one by one, a larger graph by its counts and its root.

    Examples
    --------
    >>> from dark.draw.boxes import Box
    >>> alt_of((Box("parameter", None, 10.0, 40.0, "x"),))
    'Graph of x, 1 node. x: parameter, value 10, gradient 40.'
    """
    head = f"{plain(title, 120)}. " if title else ""
    count = "1 node" if len(boxes) == 1 else f"{len(boxes)} nodes"
    sentences = [f"{head}Graph of {title_of(boxes[-1])}, {count}."]
    sentences += [f"First wrong: node {i}, {title_of(b)}." for i, b in enumerate(boxes) if b.mark == "wrong"]
    if len(boxes) <= 12:
        sentences += [_sentence(box, boxes) for box in boxes]
    else:
        sentences.append(_counts(boxes) + ".")
    return " ".join(sentences)


def description(box):
    """Describe one box for somebody who does not see it.

    Examples
    --------
    >>> import numpy as np
    >>> from dark.draw.boxes import Box
    >>> description(Box("parameter", None, 10.0, 40.0, "x"))
    'x: parameter, value 10, gradient 40'
    >>> description(Box("constant", None, np.arange(8.0)))
    'constant, value float64 (8,) with min 0, mean 3.5, max 7, no gradient'
    """
    if box.kind == "folded":
        return title_of(box) + " nodes, not drawn"
    if box.kind == "group":
        operations = f", with {box.operation}" if box.operation else ""
        return (f"{plain(box.name)}: " if box.name else "") + f"{box.value}, folded{operations}"
    gradient = f"gradient {spoken(box.grad)}" if box.grad is not None else "no gradient"
    operation = f" of {operation_text(box.operation)}" if box.operation is not None else ""
    head = f"{plain(box.name)}: " if box.name else ""
    return f"{head}{box.kind}{operation}, value {spoken(box.value)}, {gradient}"


def _sentence(box, boxes):
    inputs = " and ".join(_listed(box, lambda i: title_of(boxes[i])))
    return description(box) + (f", from {inputs}." if inputs else ".")


def _counts(boxes):
    kinds = ["folded part" if box.kind == "group" else box.kind for box in boxes]
    return ", ".join(
        f"{kinds.count(kind)} {kind}{'s' if kinds.count(kind) > 1 else ''}"
        for kind in ("parameter", "constant", "result", "folded part")
        if kind in kinds
    )


def _row(i, box, *texts):
    if box.kind == "folded":
        return (str(i), title_of(box), "not drawn", "", *("" for _ in texts), "")
    if box.kind == "group":
        texts = (*("" for _ in texts[:-2]), box.value, "")
        return (str(i), plain(box.name or ""), "folded", box.operation or "", *texts, " ".join(_listed(box)))
    return (
        str(i),
        plain(box.name) if box.name else "",
        box.kind + (f" ({box.mark})" if box.mark else ""),
        operation_text(box.operation),
        *texts,
        " ".join(_listed(box)),
    )


def _listed(box, name=str):
    """List the inputs of a box; one that comes very often is said once, of many only the first are."""
    edges = drawn_edges(box)
    words = [name(i) + (f" ({count} times)" if count > 1 else "") for _, i, count in edges]
    return words if len(words) <= MOST_LISTED else [*words[:MOST_LISTED], f"… {len(words) - MOST_LISTED} more"]


def _arrays_of(box):
    return [thing for thing in (box.value, box.grad) if isinstance(thing, Summary)]


def _array_of(box):
    """Write shape and type of the value; in front of them nothing, so that they stand in one column."""
    return shape_text(box.value) if isinstance(box.value, Summary) else ""


def _aligned(things):
    """Write values in one column; minimum, mean and maximum stand below those of the other arrays."""
    lines = [_figures(thing) if isinstance(thing, Summary) else (value_text(thing),) for thing in things]
    widths = [max((len(line[k]) for line in lines if len(line) > 2), default=0) for k in range(3)]
    return [
        "  ".join([*map(str.ljust, line[:3], widths), *line[3:]]).rstrip() if len(line) > 2 else line[0]
        for line in lines
    ]


def _figures(summary):
    """Return minimum, mean and maximum, and the count of NaN; or what else is to be said, in one text."""
    words = summary_lines(summary)
    if summary.numbers or summary.low is None:
        return (" ".join(words) or "–",)
    of = ("of |z|",) if "|z|" in words[0] else ()
    return (*(word.split()[-1] for word in words[:3]), *of, *words[3:])
