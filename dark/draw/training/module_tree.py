"""`module_tree`: the modules of a network as a tree, with their classes, parameter shapes and counts."""

from collections import Counter
from textwrap import wrap

from dark.checks import integer
from dark.draw.diagram.diagram import FONT_SIZE, STYLES, Diagram, DiagramEdge, DiagramNode
from dark.draw.labels import one_line
from dark.draw.picture.drawing import DiagramDrawing, Drawing
from dark.draw.text_table import Table
from dark.draw.text_width import text_width
from dark.draw.training.module_tree_data import ModuleData, module_data_of
from dark.errors import DrawingError

MOST = 120  # boxes in a picture without an explicit depth
MOST_SIBLINGS = 24
INSIDE = 10.0  # points beside the longest line of a box
WIDEST = 34  # characters of a line of settings
MOST_DESCRIBED = 12  # modules described individually in the alternative text
HEADING = ("name", "class", "parameters", "count")
LEGEND = {"group": "with submodules", "parameter": "with parameters", "result": "without parameters"}
LEFT_TO_RIGHT = {"rankdir": "LR", "ordering": "out", "nodesep": "0.12", "ranksep": "0.35"}


def module_tree(module: object, *, depth: int | None = None, title: str | None = None) -> Drawing:
    """Draw the modules of a network as a tree, with the shapes and the number of their parameters.

    Parameters
    ----------
    module : Module
        Any object with `named_children` and `named_parameters`.
    depth : int, optional
        The number of levels below the network, 1 or more; by default as many as fit in 120 boxes.
    title : str, optional

    Returns
    -------
    Drawing
        A module with submodules is a folder with the total number of parameters; another module with parameters
        has rounded corners and a thick border, one without a thin border. Its `text` is the tree as a table.

    Examples
    --------
    >>> from dark import nn
    >>> module_tree(nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10)))
    name     class       parameters                   count
    network  Sequential                               2410
      0      Linear      weight (32, 64), bias (32,)  2080
      1      ReLU
      2      Linear      weight (10, 32), bias (10,)  330
    """
    if not all(callable(getattr(module, name, None)) for name in ("named_children", "named_parameters")):
        raise DrawingError(
            f"module_tree: {one_line(repr(module), 60)} is not a module.",
            "an object with named_children() and named_parameters().",
            "module_tree(network), with network = dark.nn.Sequential(...)",
        )
    if depth is not None:
        depth = integer(depth, "module_tree", "depth", 1, advice="module_tree(network, depth=2)")
    root = module_data_of(module)
    return _drawing(root, entries_of(root, depth or _depth_of(root)), title)


def entries_of(root: ModuleData, depth: int) -> list[tuple[ModuleData, int, int | None]]:
    """Return each module before its children (of more than 24 the first 23 and the rest), its level and its parent."""
    boxes = []
    stack: list[tuple[ModuleData, int, int | None]] = [(root, 0, None)]
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
    count, size = sum(part.count for part in rest), sum(part.size for part in rest)
    return [*shown, ModuleData("", f"… {len(rest)} more", count=count, size=size)]


def _depth_of(root):
    """Return the deepest level at which the picture stays within 120 boxes; at least 1."""
    levels = Counter(level for _, level, _ in entries_of(root, root.size))
    total, depth = 1, 0
    while levels[depth + 1] and (depth < 1 or total + levels[depth + 1] <= MOST):
        depth += 1
        total += levels[depth]
    return depth


def _drawing(root, boxes, title):
    held = {parent for *_, parent in boxes}
    closed = [k not in held and bool(part.children) for k, (part, *_) in enumerate(boxes)]
    note = "module_tree(network, depth=…) shows more levels" if any(closed) else ""
    nodes, edges, rows, kinds = [], [], [], set()
    for k, (part, level, parent) in enumerate(boxes):
        shown = _shown(part)
        lines = [line for field in shown for line in field]
        fields = (tuple(lines),) if part.children else tuple(map(tuple, shown))
        wide = max(text_width(line, FONT_SIZE, bold=line is lines[0]) for line in lines) + 2 * INSIDE
        kind = "group" if part.children else "parameter" if part.parameters else "result"
        look = STYLES[kind] | {"width": f"{wide / 72:.3f}", "height": "0.36"}
        kinds.add(kind)
        nodes.append(DiagramNode(str(k), fields, look, f"node-{k}", len(fields) > 1, is_titled=True))
        if parent is not None:
            edges.append(DiagramEdge(str(parent), str(k), look={"arrowhead": "none"}))
        words = f"{part.size - 1} submodules" if closed[k] else ", ".join(part.parameters)
        name = "  " * level + part.name.rpartition(".")[2]
        rows.append((name, part.kind, words, str(part.count or "")))
    name, alt = title or f"Tree of {one_line(root.kind)}", _alt(root, boxes, title)
    above, below = [one_line(line, 120) if line else "" for line in (title, note)]
    legend = {kind: (STYLES[kind], words) for kind, words in LEGEND.items() if kind in kinds}
    diagram = Diagram(tuple(nodes), tuple(edges), above, below, look=LEFT_TO_RIGHT, legend=legend)
    return DiagramDrawing(diagram, name, alt, Table(HEADING, tuple(rows)), note=note)


def _shown(part):
    """Return the lines of the fields that are not empty: name and class; parameters, or else settings; their number."""
    words = part.parameters or wrap(part.settings, WIDEST)
    fields = [[_head(part)], words, [f"{part.count:,} parameters" if part.count else ""]]
    fields = [[one_line(line, 60) for line in lines if line] for lines in fields]
    return [lines for lines in fields if lines]


def _head(part):
    return f"{part.name}: {part.kind}" if part.name else part.kind


def _alt(root, boxes, title):
    head = f"{title}. " if title else ""
    text = f"{head}Tree of {root.kind}: {root.size} modules, {root.count} parameters."
    parts = [part for part, *_ in boxes[1:]]
    if len(parts) > MOST_DESCRIBED:
        kinds = Counter(part.kind for part in parts)
        return f"{text} Shown: {', '.join(f'{count} {kind}' for kind, count in kinds.items())}."
    words = [[_head(part), *(part.parameters or filter(None, [part.settings]))] for part in parts]
    return " ".join([text, *(", ".join(each) + "." for each in words)])
