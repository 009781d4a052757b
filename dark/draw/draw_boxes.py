"""`draw_boxes`: draw a graph given as plain data; and the `Drawing` of boxes, folded if they are many."""

from __future__ import annotations

from collections.abc import Iterable

from dark.checks import boolean
from dark.draw.diagram.diagram import STYLES
from dark.draw.graph.boxes import MARK_LABELS, Box
from dark.draw.graph.grouping import fold_groups
from dark.draw.graph.traverse import field_of
from dark.draw.labels import one_line
from dark.draw.picture.drawing import Drawing
from dark.draw.picture.graph_drawing import GraphDrawing
from dark.errors import DrawingError

MOST_NODES = 300
MOST_IN_DOT = 60  # the largest graph without modules that is drawn as a diagram
DEPTH_HINT = "draw(node, depth=5), or --depth 5 in the shell, shows the part near the root"


def draw_boxes(boxes: Iterable[Box] | Box, *, gradients: bool = True, title: str | None = None) -> Drawing:
    """Draw a graph given as plain data, such as the result of `boxes_of`.

    Parameters
    ----------
    boxes : sequence of Box
        In topological order, the root last. A `mark` highlights a box.
    gradients, title
        As in `draw`.

    Examples
    --------
    >>> from dark.draw import Box
    >>> draw_boxes([Box("parameter", None, 10.0, 40.0, "x", mark="wrong")]).alt
    'Graph of x, 1 node. First wrong: node 0, x. x: parameter, value 10, gradient 40.'
    """
    gradients = boolean(gradients, "draw", "gradients")
    shown, note = few(_checked(boxes))
    return drawing_of(shown, note, gradients, title)


def few(boxes):
    """Fold boxes into groups if there are more than 300; return them with a note about it."""
    if len(boxes) <= MOST_NODES:
        return boxes, ""
    groups = fold_groups(boxes)
    return groups, note_of(len(boxes), len(groups))


def note_of(count, groups):
    """Return the line that says how many nodes are folded."""
    return f"{count} nodes, folded into {groups} boxes; {DEPTH_HINT}"


def drawing_of(boxes, note, gradients, title, nodes=(), titles=None, record=None):
    """Return the drawing of boxes; `nodes` are theirs, `titles` are of the modules, if they are known.

    `record` is the graph; the boxes show all or a part of it.
    """
    nodes = nodes if all(node is not None for node in nodes) else ()
    if titles is None and (len(boxes) > MOST_IN_DOT or any(box.kind == "group" for box in boxes)):
        titles = {}
    return GraphDrawing(
        str(title) if title is not None and one_line(title) else None,
        boxes=boxes,
        nodes=nodes,
        grads=tuple(field_of(node, "grad") for node in nodes),
        note=note,
        gradients=gradients,
        titles=titles,
        record=record,
    )


def _checked(boxes):
    """Return boxes as a tuple, if each of them can be drawn."""
    boxes = tuple(boxes) if isinstance(boxes, Iterable) and not isinstance(boxes, str) else (boxes,)
    if not boxes:
        raise DrawingError("draw: boxes must not be empty.", "at least one box.", "boxes_of(node)")
    for i, box in enumerate(boxes):
        if not isinstance(box, Box):
            raise DrawingError(
                f"draw: element {i} of boxes is of type {type(box).__name__}, not a Box.",
                "a list of boxes.",
                "draw_boxes(boxes_of(node)), or draw(node)",
            )
        if box.kind not in tuple(STYLES) or box.mark not in (None, *MARK_LABELS):
            raise DrawingError(
                f"draw: box {i} must have a known kind and mark, got the kind {box.kind!r} and the mark {box.mark!r}.",
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
