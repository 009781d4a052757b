"""`formula`: a loss made of several terms as a tree, with the weights and values of the last step."""

from typing import Any

from dark.draw.diagram.diagram import STYLES, Diagram, DiagramEdge, DiagramNode
from dark.draw.labels import one_line, value_text
from dark.draw.picture.drawing import DiagramDrawing, Drawing
from dark.draw.text_table import Table
from dark.errors import DrawingError

HEADING = ("term", "weight", "value", "weight * value")
LONGEST = 60  # characters of a line in a box
SPARE_INCHES = 0.006  # for each character, since a font of the reader may be wider than the layout's


def formula(executor: Any, *, title: str | None = None) -> Drawing:
    """Draw a loss as a tree: a box for each sum and each term, with its weight and its value in the last call.

    Parameters
    ----------
    executor : Executor
        Any object whose `tree()` returns the terms: objects with `name`, `weight` and `value` (None before the first
        call), `weight_text`, and `parts`, which are terms again.
    title : str, optional
        The title above the picture; by default the formula.

    Returns
    -------
    Drawing
        A sum is a box with square corners and a thin border, a term one with rounded corners and a thick border.
        Before the first call, values are a dash. Its `text` is the tree as a table.

    Examples
    --------
    >>> import numpy as np
    >>> from dark.executors import GeneratorL1, linear
    >>> loss = 100 * GeneratorL1() + GeneratorL1().named("faded") * linear(1, 0, steps=10)
    >>> formula(loss)
    term           weight                    value  weight * value
    sum            1                         –      –
      GeneratorL1  100                       –      –
      faded        linear(1, 0, steps=10)    –      –
    """
    if isinstance(executor, type) or not callable(getattr(executor, "tree", None)):
        raise DrawingError(
            f"formula: {one_line(repr(executor), LONGEST)} is not a loss made of terms.",
            "an executor of dark.executors.",
            "formula(100 * GeneratorL1() + GeneratorBCE())",
        )
    rows = list(_rows(executor.tree()))
    name = one_line(repr(executor), 120)
    nodes, edges = [], []
    for k, (term, _, parent) in enumerate(rows):
        fields = _fields(term)
        margin = f"{0.1 + SPARE_INCHES * max(map(len, fields)):.3f},0.07"
        look = {"margin": margin} | STYLES["result" if term.parts else "parameter"]
        nodes.append(DiagramNode(str(k), tuple((field,) for field in fields), look, is_stacked=True))
        if parent is not None:
            edges.append(DiagramEdge(str(parent), str(k), look={"arrowhead": "none"}))
    diagram = Diagram(tuple(nodes), tuple(edges), one_line(title or name, 120), look={"ordering": "out"})
    contents = []
    for term, level, _ in rows:
        numbers = map(value_text, (term.value, _weighted(term)))
        contents.append(("  " * level + _name(term), _weight(term), *numbers))
    alt = _alt(name, rows, title)
    return DiagramDrawing(diagram, title or f"Formula {name}", alt, Table(HEADING, tuple(contents)))


def _rows(root):
    """Yield each term before its parts, with its level and the index of the sum it belongs to."""
    stack: list[tuple[Any, int, int | None]] = [(root, 0, None)]
    k = 0
    while stack:
        term, level, parent = stack.pop()
        yield term, level, parent
        stack += [(part, level + 1, k) for part in reversed(term.parts)]
        k += 1


def _fields(term):
    """Return the lines of a box: the name, the value, and the contribution of a term that has a weight."""
    fields = [_name(term), f"value {value_text(term.value)}"]
    if term.weight_text != "1":
        fields += [f"weight {_weight(term)}", f"weight * value {value_text(_weighted(term))}"]
    return [one_line(field, LONGEST) for field in fields]


def _name(term):
    """Return the name of a term; a sum without a name of its own is called so."""
    return "sum" if term.parts and term.name == "SumExecutor" else one_line(term.name)


def _weight(term):
    """Return the weight as a formula, and its value if that depends on the step and is known."""
    text = one_line(term.weight_text, LONGEST)
    if term.weight is None or text == value_text(term.weight):
        return text
    return f"{text} = {value_text(term.weight)}"


def _weighted(term):
    """Return the contribution of the term; None if its weight or its value is not known."""
    return None if term.weight is None or term.value is None else term.weight * term.value


def _alt(name, rows, title):
    head = f"{title}. " if title else ""
    sentences = [f"{head}Formula of a loss as a tree: {name}."]
    for term, _, _ in rows:
        weight = (
            "" if term.weight_text == "1" else f", weight {_weight(term)}, weight * value {value_text(_weighted(term))}"
        )
        kind = f", the sum of {len(term.parts)} terms" if term.parts else ""
        sentences.append(f"{_name(term)}{kind}: value {value_text(term.value)}{weight}.")
    return " ".join(sentences)
