"""`Drawing`: the picture of a graph, which shows itself in a notebook and can be saved."""

from dataclasses import dataclass
from functools import cached_property

from dark.draw import svg
from dark.draw.graph import layout
from dark.draw.graph.boxes import Box
from dark.draw.graph.descriptions import description
from dark.draw.graph.film_strip import film_of
from dark.draw.graph.heat_map_placement import add_insets
from dark.draw.graph.png_pdf import to_paper
from dark.draw.graph.widget import stepper
from dark.draw.saving import save
from dark.draw.text_table import Table

SUFFIXES = (".svg", ".png", ".pdf", ".dot")


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
    grads : tuple of object
        The gradients of these nodes when they were drawn.
    note : str
        A line below the title: what is folded, and how to see it.
    gradients : bool
        Whether the boxes show their gradients.
    """

    source: str
    title: str
    alt: str
    contents: Table
    boxes: tuple[Box, ...] = ()
    nodes: tuple[object, ...] = ()
    grads: tuple[object, ...] = ()
    note: str = ""
    gradients: bool = True

    @cached_property
    def svg(self):
        """The picture as SVG text; the same graph always gives the same text."""
        tips = [description(box) for box in self.boxes]
        picture = svg.finish(layout.to_svg(self.source), self.title, self.alt, tips)
        return add_insets(picture, self.boxes, self.gradients)

    @property
    def text(self):
        """The table as text, for a terminal."""
        return repr(self.contents) + (f"\n{self.note}" if self.note else "")

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
        svg, dot = lambda: self.svg + "\n", lambda: self.source
        png, pdf = (
            lambda kind=kind: to_paper(self.source, self.boxes, kind, self.gradients) for kind in ("png", "pdf")
        )
        return save(path, dict(zip(SUFFIXES, (svg, png, pdf, dot), strict=True)))

    def steps(self):
        """Return the backward pass as pictures, one after another.

        Returns
        -------
        FilmStrip

        Raises
        ------
        DrawingError
            If no gradient has come back yet, a value was changed since it was used, or the film would be
            too long.
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
            If no gradient has come back yet, or a value was changed since it was used.
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
