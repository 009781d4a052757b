"""`module_tree`: a network as a tree of boxes, with classes, shapes and counts."""

from collections import Counter

from graphviz import nohtml

from dark.draw.graph.dot import LOOKS, empty_graph, escaped, record_field
from dark.draw.graph.drawing import Drawing
from dark.draw.labels import plain
from dark.draw.text_table import Table
from dark.draw.training.module_tree_data import Part, parts_of
from dark.errors import DrawingError

MOST = 120  # boxes in a picture, if nobody says how deep it is to go
MOST_SIBLINGS = 24
MOST_SPOKEN = 12  # modules described one by one in the alternative text
HEADING = ("name", "class", "parameters", "numbers")


def module_tree(module, *, depth=None, title=None):
    """Draw the tree of a network: which modules it is made of, and what each of them is trained in.

    Parameters
    ----------
    module : Module
        Anything with `named_children` and `named_parameters`.
    depth : int, optional
        How many levels below the network to draw, 1 or more; if not given, as many as make 120 boxes at most.
    title : str, optional
        Stands above the picture.

    Returns
    -------
    Drawing
        A module that holds others is a folder with the count of all numbers in it; one with parameters has round
        corners and a thick border, one without a thin border. Its `text` is the tree as a table.

    Raises
    ------
    DrawingError
        If `module` is none, or `depth` no positive whole number.

    Examples
    --------
    >>> from dark import nn
    >>> module_tree(nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10)))
    name     class       parameters                   numbers
    network  Sequential                               2410
      0      Linear      weight (32, 64), bias (32,)  2080
      1      ReLU
      2      Linear      weight (10, 32), bias (10,)  330
    """
    if not all(callable(getattr(module, name, None)) for name in ("named_children", "named_parameters")):
        raise DrawingError(
            f"module_tree: {plain(repr(module), 60)} is no module.",
            "an object with named_children() and named_parameters().",
            "module_tree(network), with network = dark.nn.Sequential(...)",
        )
    if depth is not None and (isinstance(depth, bool) or not isinstance(depth, int) or depth < 1):
        raise DrawingError(
            f"module_tree: depth is {depth!r}.", "a whole number, 1 or more.", "module_tree(network, depth=2)"
        )
    root = parts_of(module)
    return _drawing(root, boxes_of(root, depth or _depth_of(root)), title)


def boxes_of(root, depth):
    """List what is drawn of a tree.

    Parameters
    ----------
    root : Part
    depth : int
        How many levels below the root.

    Returns
    -------
    list of (Part, int, int or None)
        Each part before its children, with its level and the place of the part that holds it. In a part with more
        than 24 children, one part stands for all but the first.
    """
    boxes, stack = [], [(root, 0, None)]
    while stack:
        part, level, parent = stack.pop()
        boxes.append((part, level, parent))
        if level < depth:
            here = len(boxes) - 1
            stack += [(child, level + 1, here) for child in reversed(_few(part.children))]
    return boxes


def _few(children):
    if len(children) <= MOST_SIBLINGS:
        return children
    shown, rest = children[: MOST_SIBLINGS - 1], children[MOST_SIBLINGS - 1 :]
    numbers, size = sum(part.numbers for part in rest), sum(part.size for part in rest)
    return [*shown, Part("", f"… {len(rest)} more", numbers=numbers, size=size)]


def _depth_of(root):
    """Return the deepest level that keeps the picture small; the first one at least."""
    levels = Counter(level for _, level, _ in boxes_of(root, root.size))
    total, depth = 1, 0
    while levels[depth + 1] and (depth < 1 or total + levels[depth + 1] <= MOST):
        depth += 1
        total += levels[depth]
    return depth


def _drawing(root, boxes, title):
    held = {parent for *_, parent in boxes}
    closed = [k not in held and bool(part.children) for k, (part, *_) in enumerate(boxes)]
    note = "module_tree(network, depth=…) goes deeper" if any(closed) else ""
    graph = empty_graph(title, note)
    graph.attr(rankdir="LR", ordering="out", nodesep="0.12", ranksep="0.35")
    rows = []
    for k, (part, level, parent) in enumerate(boxes):
        graph.node(str(k), _label(part), **_look(part))
        if parent is not None:
            graph.edge(str(parent), str(k), arrowhead="none")
        words = f"{part.size - 1} modules below" if closed[k] else ", ".join(part.parameters)
        name = "  " * level + part.name.rpartition(".")[2]
        rows.append((name, part.kind, words, str(part.numbers or "")))
    name = title or f"Tree of {plain(root.kind)}"
    return Drawing(graph.source, name, _alt(root, boxes, title), Table(HEADING, tuple(rows)), note=note)


def _look(part):
    if part.children:
        return LOOKS["group"]
    return LOOKS["parameter" if part.parameters else "result"]


def _label(part):
    """Write the fields of a box: name and class; parameters, or settings where there are none; how many numbers."""
    words = part.parameters or [part.settings]
    fields = [[_head(part)], words, [f"{part.numbers:,} numbers" if part.numbers else ""]]
    protect = escaped if part.children else record_field
    texts = [r"\n".join(protect(plain(line, 60)) for line in lines) for lines in fields if any(lines)]
    return nohtml((r"\n" if part.children else "|").join(texts))


def _head(part):
    return f"{part.name}: {part.kind}" if part.name else part.kind


def _alt(root, boxes, title):
    head = f"{title}. " if title else ""
    text = f"{head}Tree of {root.kind}: {root.size} modules, {root.numbers} numbers to train."
    parts = [part for part, *_ in boxes[1:]]
    if len(parts) > MOST_SPOKEN:
        kinds = Counter(part.kind for part in parts)
        return f"{text} Shown are {', '.join(f'{count} {kind}' for kind, count in kinds.items())}."
    return " ".join([text, *(_sentence(part) for part in parts)])


def _sentence(part):
    words = part.parameters or ([part.settings] if part.settings else [])
    return ", ".join([_head(part), *words]) + "."
