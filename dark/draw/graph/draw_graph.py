"""`draw` and `draw_boxes`: from a graph, or from plain data, to its `Drawing`."""

from collections.abc import Iterable

from dark.draw.graph.box_fields import WORDS
from dark.draw.graph.boxes import Box, box_of, boxes_from, outline_of
from dark.draw.graph.descriptions import alt_of, title_of
from dark.draw.graph.dot import LOOKS, to_dot
from dark.draw.graph.drawing import Drawing
from dark.draw.graph.grouping import grouped
from dark.draw.graph.near_root import near_root
from dark.draw.graph.node_table import table_of
from dark.draw.graph.traverse import field_of, order_of
from dark.draw.labels import plain
from dark.errors import DrawingError

MOST_NODES = 300
MOST_FOLDED = 100_000
NEAR = 5  # so many edges from the root is drawn of a graph that is too large even to fold
MORE = "draw(node, depth=5), or --depth 5 in the shell, shows the part near the root"


def draw(node, *, gradients=True, title=None, depth=None):
    """Draw the graph below a node.

    Parameters
    ----------
    node : Node
        The root. Anything with `inputs`, `value`, `op` and `grad` can be drawn.
    gradients : bool
        Whether each node shows its gradient too, beside its value and its operation.
    title : str, optional
        Stands above the picture.
    depth : int, optional
        How many edges to go down from the root, 1 or more; what is further away becomes one box.

    Returns
    -------
    Drawing

    Raises
    ------
    DrawingError
        If `node` is no node, `gradients` is neither True nor False, `depth` is no positive whole number,
        a field of a node cannot be read, or the graph runs in a circle.

    Notes
    -----
    A node that holds an array shows shape, type, minimum, mean and maximum of value and gradient; one of
    at most six numbers shows the numbers. A value of one or two axes has a heat map, and so has its
    gradient beside it: at most 16 x 16 cells, each the mean of what it stands for. The darker, the larger
    the magnitude, from the smallest (white) to the largest, or from 0 where both signs occur; each heat
    map has its own scale. Negative cells carry a minus sign, cells with NaN are crossed out, and cells
    with infinite numbers carry ∞.

    More than 300 nodes are folded: into one box for each part that the names of the parameters tell,
    `layer1` for `layer1.weight`, else into bands of equal depth. Of more than 100000 nodes the part near
    the root is drawn.

    The picture shows the graph as it is now, whatever happens to it later.

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
    _refuse_no_switch(gradients)
    read = order_of(node, MOST_FOLDED) if depth is None else None
    if read and len(read[0]) > MOST_NODES:
        return _drawing(*_parts_of(*read), gradients, title)
    if read:
        return _drawing(boxes_from(*read), "", gradients, title, tuple(read[0]))
    boxes, nodes = near_root(node, NEAR if depth is None else depth)
    boxes, note = _few(boxes)
    if depth is None and not note:
        note = f"the part near the root; the graph has more than {MOST_FOLDED} nodes"
    return _drawing(boxes, note, gradients, title, () if note else nodes)


def draw_boxes(boxes, *, gradients=True, title=None):
    """Draw plain data, as `boxes_of` gives it, or as it came from elsewhere.

    Parameters
    ----------
    boxes : sequence of Box
        In topological order, the root last. A `mark` makes a box stand out.
    gradients, title
        As in `draw`.

    Returns
    -------
    Drawing

    Raises
    ------
    DrawingError
        If there is no box, or a box cannot be what it says.

    Examples
    --------
    >>> from dark.draw import Box
    >>> draw_boxes([Box("parameter", None, 10.0, 40.0, "x", mark="wrong")]).alt
    'Graph of x, 1 node. First wrong: node 0, x. x: parameter, value 10, gradient 40.'
    """
    _refuse_no_switch(gradients)
    boxes = _checked(boxes)
    return _drawing(*_few(boxes), gradients, title)


def _few(boxes):
    """Fold boxes into parts where they are many; return them with a note that says so."""
    if len(boxes) <= MOST_NODES:
        return boxes, ""
    parts = grouped(boxes)
    return parts, _note(len(boxes), len(parts))


def _parts_of(nodes, links):
    """Fold nodes into parts; only those that stay alone are read with their values."""
    passed = field_of(nodes[-1], "grad") is not None
    outlines = tuple(map(outline_of, nodes, links))
    parts = grouped(outlines, lambda i: box_of(nodes[i], links[i], passed))
    return parts, _note(len(nodes), len(parts))


def _note(count, parts):
    return f"{count} nodes, folded into {parts} boxes; {MORE}"


def _drawing(boxes, note, gradients, title, nodes=()):
    title = str(title) if title is not None and plain(title) else None
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


def _refuse_no_switch(gradients):
    if not isinstance(gradients, (bool, int)):
        raise DrawingError(
            f"draw: gradients is {plain(repr(gradients))}.", "True or False.", "draw(node, gradients=False)"
        )


def _checked(boxes):
    """Return boxes as a tuple, if each of them can be drawn."""
    boxes = tuple(boxes) if isinstance(boxes, Iterable) and not isinstance(boxes, str) else (boxes,)
    if not boxes:
        raise DrawingError("draw: there is no box to draw.", "one box or more.", "boxes_of(node)")
    for i, box in enumerate(boxes):
        if not isinstance(box, Box):
            raise DrawingError(
                f"draw: what stands at place {i} is of type {type(box).__name__}, not a Box.",
                "a list of boxes.",
                "draw_boxes(boxes_of(node)), or draw(node)",
            )
        if box.kind not in tuple(LOOKS) or box.mark not in (None, *WORDS):
            raise DrawingError(
                f"draw: box {i} is of kind {box.kind!r} with mark {box.mark!r}.",
                f"a kind of {', '.join(LOOKS)}, and a mark of {', '.join(WORDS)} or None.",
                'Box("result", "+", 3.0)',
            )
        if not isinstance(box.inputs, (tuple, list)) or not all(isinstance(k, int) and 0 <= k < i for k in box.inputs):
            raise DrawingError(
                f"draw: box {i} has the inputs {box.inputs!r}, which do not stand before it.",
                "the places of boxes that come earlier, such as (0, 1).",
                "boxes_of(node), which puts them in order",
            )
    return boxes
