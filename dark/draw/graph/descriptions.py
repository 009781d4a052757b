"""Descriptions of boxes and graphs in sentences: titles, tooltips and alternative texts."""

from dark.draw.arrays.array_summary import Summary, alt_text_of
from dark.draw.graph.boxes import visible_edges
from dark.draw.labels import one_line, operation_text, value_text

MOST_LISTED = 12


def title_of(box):
    """Return a short title of a box for sentences: its name, else its value and operation."""
    if box.name:
        return one_line(box.name)
    if box.kind in ("folded", "group"):
        return one_line(box.value)
    if isinstance(box.value, Summary):
        what = operation_text(box.operation) if box.kind in ("result", "detached") else box.kind
        return f"{what} of shape {box.value.shape}"
    if box.kind in ("result", "detached"):
        return f"{value_text(box.value)} ({operation_text(box.operation)})"
    return f"{box.kind} {value_text(box.value)}"


def alt_of(boxes, title=None):
    """Return the alternative text of a graph: of up to twelve nodes each, else the root and the number of each kind."""
    head = f"{one_line(title, 120)}. " if title else ""
    count = "1 node" if len(boxes) == 1 else f"{len(boxes)} nodes"
    sentences = [f"{head}Graph of {title_of(boxes[-1])}, {count}."]
    marks = {"wrong": "First wrong", "failed": "Failed"}
    sentences += [f"{marks[b.mark]}: node {i}, {title_of(b)}." for i, b in enumerate(boxes) if b.mark in marks]
    if len(boxes) <= 12:
        for box in boxes:
            inputs = " and ".join(listed_inputs(box, lambda i: title_of(boxes[i])))
            sentences.append(description(box) + (f", from {inputs}." if inputs else "."))
    else:
        sentences.append(_counts(boxes) + ".")
    return " ".join(sentences)


def description(box):
    """Return the description of a box for tooltips and alternative texts."""
    if box.kind == "folded":
        return title_of(box) + " nodes, not drawn"
    if box.kind == "group":
        operations = f", with {box.operation}" if box.operation else ""
        return (f"{one_line(box.name)}: " if box.name else "") + f"{box.value}, folded{operations}"
    gradient = f"gradient {alt_text_of(box.grad)}" if box.grad is not None else "no gradient"
    operation = f" of {operation_text(box.operation)}" if box.operation is not None else ""
    head = f"{one_line(box.name)}: " if box.name else ""
    if box.results:
        return f"{head}{box.kind}{operation}, results {', '.join(box.results)}, {gradient}"
    return f"{head}{box.kind}{operation}, value {alt_text_of(box.value)}, {gradient}"


def _counts(boxes):
    kinds = ["folded part" if box.kind == "group" else box.kind for box in boxes]
    return ", ".join(
        f"{kinds.count(kind)} {kind}{'s' if kinds.count(kind) > 1 else ''}"
        for kind in ("parameter", "constant", "input", "result", "detached", "folded part")
        if kind in kinds
    )


def listed_inputs(box, name=str):
    """Return the inputs of a box as strings; a frequent one is listed once with its count, and only the first 12."""
    edges = visible_edges(box)
    words = [name(i) + (f" ({count} times)" if count > 1 else "") for _, i, count in edges]
    return words if len(words) <= MOST_LISTED else [*words[:MOST_LISTED], f"… {len(words) - MOST_LISTED} more"]
