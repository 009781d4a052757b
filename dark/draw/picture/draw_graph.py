"""`draw` and `draw_boxes`: draw a graph of nodes, or a graph given as plain data."""

from __future__ import annotations

from collections.abc import Iterable

from dark.checks import boolean
from dark.draw.graph.box_fields import MARK_LABELS
from dark.draw.graph.boxes import Box, box_of, boxes_from, outline_of
from dark.draw.graph.descriptions import alt_of, title_of
from dark.draw.graph.grouping import fold_groups
from dark.draw.graph.near_root import near_root
from dark.draw.graph.node_table import table_of
from dark.draw.graph.traverse import field_of, topological_order
from dark.draw.labels import one_line
from dark.draw.picture.dot import STYLES, to_dot
from dark.draw.picture.drawing import Drawing
from dark.errors import DrawingError

MOST_NODES = 300
MOST_FOLDED = 100_000
DEFAULT_DEPTH = 5  # the depth at which a graph is drawn that is too large to fold
DEPTH_HINT = "draw(node, depth=5), or --depth 5 in the shell, shows the part near the root"


def draw(node: object, *, gradients: bool = True, title: str | None = None, depth: int | None = None) -> Drawing:
    """Draw the computational graph of a node.

    Parameters
    ----------
    node : Node
        The root. Any object with `inputs`, `value`, `op` and `grad` can be drawn.
    gradients : bool, default True
        Whether to show the gradient of each node, next to its value and operation.
    title : str, optional
        The title above the picture.
    depth : int, optional
        The largest distance from the root in edges, 1 or more; the nodes further away become one box.

    Returns
    -------
    Drawing

    Raises
    ------
    ValueTypeError, UsageError
        If `depth` is not an integer, 1 or more, or `gradients` is not a bool.
    DrawingError
        If `node` is not a node, a field of a node cannot be read, or the graph has a cycle.

    Notes
    -----
    For an array, value and gradient show shape, dtype, minimum, mean and maximum, or all elements if there
    are at most six. An array of one or two axes has a heat map, and so has its gradient: at most 16 x 16
    cells, each the mean of a block. The darker the cell, the larger its magnitude, from the smallest (white)
    to the largest, or from 0 if both signs occur; each heat map has its own scale. Negative cells carry a
    minus sign, cells with NaN are crossed out, and cells with infinite numbers carry ∞.

    A graph of more than 300 nodes is folded into groups: by the names of the parameters, such as `layer1`
    for `layer1.weight`, else by depth. Of a graph of more than 100000 nodes the part near the root is drawn.

    The picture is a snapshot: later changes of the graph do not affect it.

    Examples
    --------
    >>> import dark
    >>> x = dark.Parameter(10, name="x")
    >>> fx = dark.add(dark.mul(2, dark.pow(x, 2)), 5)
    >>> fx.backward()
    >>> draw(fx)
    #  name  kind       operation  value  gradient  inputs
    0        constant   .          2      –
    1  x     parameter  .          10     40
    2        constant   .          2      –
    3        result     **         100    2         1 2
    4        result     *          200    1         0 3
    5        constant   .          5      –
    6        result     +          205    1         4 5
    """
    gradients = boolean(gradients, "draw", "gradients")
    read = topological_order(node, MOST_FOLDED) if depth is None else None
    if read and len(read[0]) > MOST_NODES:
        groups, note = _groups_of(*read)
        return _drawing(groups, note, gradients, title)
    if read:
        return _drawing(boxes_from(*read), "", gradients, title, tuple(read[0]))
    boxes, nodes = near_root(node, DEFAULT_DEPTH if depth is None else depth)
    boxes, note = _few(boxes)
    if depth is None and not note:
        note = f"the part near the root; the graph has more than {MOST_FOLDED} nodes"
    return _drawing(boxes, note, gradients, title, () if note else nodes)


def draw_boxes(boxes: Iterable[Box] | Box, *, gradients: bool = True, title: str | None = None) -> Drawing:
    """Draw a graph given as plain data, such as the result of `boxes_of`.

    Parameters
    ----------
    boxes : sequence of Box
        In topological order, the root last. A `mark` highlights a box.
    gradients, title
        As in `draw`.

    Returns
    -------
    Drawing

    Raises
    ------
    ValueTypeError
        If `gradients` is not a bool.
    DrawingError
        If `boxes` is empty, or a box is invalid.

    Examples
    --------
    >>> from dark.draw import Box
    >>> draw_boxes([Box("parameter", None, 10.0, 40.0, "x", mark="wrong")]).alt
    'Graph of x, 1 node. First wrong: node 0, x. x: parameter, value 10, gradient 40.'
    """
    gradients = boolean(gradients, "draw", "gradients")
    shown, note = _few(_checked(boxes))
    return _drawing(shown, note, gradients, title)


def _few(boxes):
    """Fold boxes into groups if there are more than 300; return them with a note about it."""
    if len(boxes) <= MOST_NODES:
        return boxes, ""
    groups = fold_groups(boxes)
    return groups, _note(len(boxes), len(groups))


def _groups_of(nodes, links):
    """Fold nodes into groups; only the values of nodes that are not folded are read."""
    passed = field_of(nodes[-1], "grad") is not None
    outlines = tuple(map(outline_of, nodes, links))
    groups = fold_groups(outlines, lambda i: box_of(nodes[i], links[i], passed))
    return groups, _note(len(nodes), len(groups))


def _note(count, groups):
    return f"{count} nodes, folded into {groups} boxes; {DEPTH_HINT}"


def _drawing(boxes, note, gradients, title, nodes=()):
    title = str(title) if title is not None and one_line(title) else None
    return Drawing(
        source=to_dot(boxes, title, gradients, note),
        title=title or f"Graph of {title_of(boxes[-1])}",
        alt=" ".join(filter(None, (alt_of(boxes, title), note and note + "."))),
        contents=table_of(boxes),
        boxes=boxes,
        nodes=nodes,
        grads=tuple(field_of(node, "grad") for node in nodes),
        note=note,
        gradients=gradients,
    )


def _checked(boxes):
    """Return boxes as a tuple, if each of them can be drawn."""
    boxes = tuple(boxes) if isinstance(boxes, Iterable) and not isinstance(boxes, str) else (boxes,)
    if not boxes:
        raise DrawingError("draw: boxes is empty.", "at least one box.", "boxes_of(node)")
    for i, box in enumerate(boxes):
        if not isinstance(box, Box):
            raise DrawingError(
                f"draw: element {i} of boxes is of type {type(box).__name__}, not a Box.",
                "a list of boxes.",
                "draw_boxes(boxes_of(node)), or draw(node)",
            )
        if box.kind not in tuple(STYLES) or box.mark not in (None, *MARK_LABELS):
            raise DrawingError(
                f"draw: box {i} has the kind {box.kind!r} and the mark {box.mark!r}.",
                f"one of the kinds {', '.join(STYLES)}, and one of the marks {', '.join(MARK_LABELS)} or None.",
                'Box("result", "+", 3.0)',
            )
        if not isinstance(box.inputs, (tuple, list)) or not all(isinstance(k, int) and 0 <= k < i for k in box.inputs):
            raise DrawingError(
                f"draw: box {i} has the inputs {box.inputs!r}, which do not precede it.",
                "the indices of earlier boxes, such as (0, 1).",
                "boxes_of(node), which returns them in topological order",
            )
    return boxes
