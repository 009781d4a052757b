"""The graph as a table: what the picture says, for those who read rather than look."""

from dataclasses import dataclass
from html import escape

from dark.draw.labels import operation_text, plain, title_of, value_text


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
        widths = [max(len(line[k]) for line in lines) for k in range(len(self.heading))]
        return "\n".join("  ".join(f.ljust(w) for f, w in zip(line, widths, strict=True)).rstrip() for line in lines)

    def _repr_html_(self):
        head = "".join(f"<th>{escape(field)}</th>" for field in self.heading)
        body = "".join("<tr>" + "".join(f"<td>{escape(field)}</td>" for field in row) + "</tr>" for row in self.rows)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def table_of(boxes):
    """Write boxes as a table, one row a box.

    Examples
    --------
    >>> from dark.draw.boxes import Box
    >>> x = Box("parameter", None, 3.0, 2.0, "x")
    >>> table_of((x, Box("result", "+", 6.0, 1.0, None, (0, 0))))
    #  name  kind       operation  value  gradient  inputs
    0  x     parameter  .          3      2
    1        result     +          6      1         0 0
    """
    heading = ("#", "name", "kind", "operation", "value", "gradient", "inputs")
    return Table(heading, tuple(_row(i, box) for i, box in enumerate(boxes)))


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
    >>> from dark.draw.boxes import Box
    >>> description(Box("parameter", None, 10.0, 40.0, "x"))
    'x: parameter, value 10, gradient 40'
    """
    if box.kind == "folded":
        return title_of(box) + " nodes, not drawn"
    gradient = f"gradient {value_text(box.grad)}" if box.grad is not None else "no gradient"
    operation = f" of {operation_text(box.operation)}" if box.operation is not None else ""
    head = f"{plain(box.name)}: " if box.name else ""
    return f"{head}{box.kind}{operation}, value {value_text(box.value)}, {gradient}"


def _sentence(box, boxes):
    inputs = " and ".join(title_of(boxes[i]) for i in box.inputs)
    return description(box) + (f", from {inputs}." if inputs else ".")


def _counts(boxes):
    kinds = [box.kind for box in boxes]
    return ", ".join(
        f"{kinds.count(kind)} {kind}{'s' if kinds.count(kind) > 1 else ''}"
        for kind in ("parameter", "constant", "result")
        if kind in kinds
    )


def _row(i, box):
    if box.kind == "folded":
        return (str(i), title_of(box), "not drawn", "", "", "", "")
    return (
        str(i),
        plain(box.name) if box.name else "",
        box.kind + (f" ({box.mark})" if box.mark else ""),
        operation_text(box.operation),
        value_text(box.value),
        value_text(box.grad),
        " ".join(map(str, box.inputs)),
    )
