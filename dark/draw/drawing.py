"""`draw`: the picture of a graph, which shows itself in a notebook and can be saved."""

from dataclasses import dataclass
from functools import cached_property

from dark.draw import layout, svg
from dark.draw.boxes import Box, boxes_from, nodes_in_order
from dark.draw.dot import LOOKS, WORDS, to_dot
from dark.draw.files import save
from dark.draw.film import film_of
from dark.draw.fold import fold
from dark.draw.labels import title_of
from dark.draw.table import Table, alt_of, description, table_of
from dark.draw.widget import stepper
from dark.errors import DrawingError

MOST_NODES = 300


@dataclass(frozen=True)
class Drawing:
    """A picture of a graph.

    Made by `draw`, `draw_boxes` and `hierarchy`. In a notebook it shows itself, with a text for
    those who do not see it; in a terminal it prints as a table.

    Parameters
    ----------
    source : str
        The graph in the DOT language.
    title : str
        The name of the picture.
    alt : str
        What the picture shows, in sentences.
    contents : Table
        What the picture shows, as a table.
    boxes : tuple of Box
        What is drawn, in topological order; empty where no graph of values is drawn.
    nodes : tuple of object
        The nodes behind the boxes, where there are any.
    """

    source: str
    title: str
    alt: str
    contents: Table
    boxes: tuple[Box, ...] = ()
    nodes: tuple[object, ...] = ()

    @cached_property
    def svg(self):
        """The picture as SVG text; the same graph always gives the same text."""
        tips = [description(box) for box in self.boxes]
        return svg.finish(layout.to_svg(self.source), self.title, self.alt, tips)

    @property
    def text(self):
        """The table as text."""
        return repr(self.contents)

    def table(self):
        """Return the table, which shows itself in a notebook."""
        return self.contents

    def save(self, path):
        """Write the picture to a file.

        Parameters
        ----------
        path : str or Path
            Ends in .svg or .dot; or in .png or .pdf, for which the program `dot` is needed.

        Returns
        -------
        Path

        Raises
        ------
        DrawingError
            If the ending is another one, `dot` is missing, or the file cannot be written.
        """
        return save(
            path,
            {
                ".svg": lambda: self.svg + "\n",
                ".png": lambda: layout.run_dot(self.source, "png"),
                ".pdf": lambda: layout.run_dot(self.source, "pdf"),
                ".dot": lambda: self.source,
            },
        )

    def steps(self):
        """Return the backward pass as pictures, one after another.

        Returns
        -------
        FilmStrip

        Raises
        ------
        DrawingError
            If no gradient has come back yet, or the film would be too long.
        """
        return film_of(self)

    def widget(self):
        """Return the backward pass with a slider; the arrow keys step too.

        Returns
        -------
        anywidget.AnyWidget

        Raises
        ------
        MissingExtraError
            If anywidget is not installed.
        DrawingError
            If no gradient has come back yet.
        """
        return stepper(self)

    def __repr__(self):
        return self.text

    def _repr_svg_(self):
        return self.svg

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {
            "text/html": svg.as_image(self.svg, self.alt),
            "image/svg+xml": self.svg,
            "text/plain": self.text,
        }


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
