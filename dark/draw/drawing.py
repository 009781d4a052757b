"""`draw` and `draw_boxes`: from a graph, or from plain data, to its `Drawing`."""

from dark.draw.boxes import boxes_from, nodes_in_order
from dark.draw.dot import LOOKS, to_dot
from dark.draw.fields import WORDS
from dark.draw.fold import fold
from dark.draw.labels import title_of
from dark.draw.picture import Drawing
from dark.draw.table import alt_of, table_of
from dark.errors import DrawingError

MOST_NODES = 300


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
        How many edges to go down from the root; what is further away becomes one box.

    Returns
    -------
    Drawing

    Raises
    ------
    DrawingError
        If `node` is no node, or if the picture would hold more than 300 nodes.

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
    nodes = nodes_in_order(node)
    boxes = boxes_from(nodes)
    if depth is None:
        return draw_boxes(boxes, gradients=gradients, title=title, nodes=tuple(nodes))
    return draw_boxes(fold(boxes, depth), gradients=gradients, title=title)


def draw_boxes(boxes, *, gradients=True, title=None, nodes=()):
    """Draw plain data, as `boxes_of` gives it, or as it came from elsewhere.

    Parameters
    ----------
    boxes : sequence of Box
        In topological order, the root last. A `mark` makes a box stand out.
    gradients, title
        As in `draw`.
    nodes : tuple of object
        The nodes behind the boxes, which know what they send back.

    Returns
    -------
    Drawing

    Raises
    ------
    DrawingError
        If there is no box, there are more than 300, or a box cannot be what it says.

    Examples
    --------
    >>> from dark.draw import Box
    >>> draw_boxes([Box("parameter", None, 10.0, 40.0, "x", mark="wrong")]).alt
    'Graph of x, 1 node. First wrong: node 0, x. x: parameter, value 10, gradient 40.'
    """
    boxes = tuple(boxes)
    _refuse_impossible(boxes)
    if len(boxes) > MOST_NODES:
        raise DrawingError(
            f"draw: the picture would hold {len(boxes)} nodes, and nobody could read it.",
            f"at most {MOST_NODES}.",
            "draw(node, depth=5) for the part near the root (`--depth 5` in the shell), or draw a node further inside",
        )
    return Drawing(
        source=to_dot(boxes, title, gradients),
        title=title or f"Graph of {title_of(boxes[-1])}",
        alt=alt_of(boxes, title),
        contents=table_of(boxes),
        boxes=boxes,
        nodes=nodes,
    )


def _refuse_impossible(boxes):
    if not boxes:
        raise DrawingError("draw: there is no box to draw.", "one box or more.", "boxes_of(node)")
    for i, box in enumerate(boxes):
        if box.kind not in LOOKS or box.mark not in (None, *WORDS):
            raise DrawingError(
                f"draw: box {i} is of kind {box.kind!r} with mark {box.mark!r}.",
                f"a kind of {', '.join(LOOKS)}, and a mark of {', '.join(WORDS)} or None.",
                'Box("result", "+", 3.0)',
            )
        if not all(0 <= k < i for k in box.inputs):
            raise DrawingError(
                f"draw: box {i} has the inputs {box.inputs}, which do not stand before it.",
                "boxes in topological order, inputs before what uses them.",
                "boxes_of(node), which puts them in order",
            )
