"""`Drawing`: a picture of a graph, which displays itself in a notebook and can be saved."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from dark.draw import svg
from dark.draw.diagram import diagram_svg
from dark.draw.diagram.dot import dot_of
from dark.draw.diagram.layout import checked_layout, positions_of
from dark.draw.displayed import Displayed
from dark.draw.explore.explorer_page import explorer_of, page_of_graph
from dark.draw.graph.boxes import Box
from dark.draw.picture.explored import data_of
from dark.draw.picture.film_strip import FilmStrip, film_strip_of
from dark.draw.picture.widget import step_widget
from dark.draw.text_table import Table

if TYPE_CHECKING:
    from collections.abc import Callable

    from anywidget import AnyWidget

    from dark.draw.diagram.diagram import Diagram
    from dark.draw.graph.graph_record import GraphRecord
    from dark.pages.page_file import Page

SUFFIXES = (".svg", ".png", ".pdf", ".dot", ".html", ".json")


@dataclass(frozen=True, repr=False, kw_only=True)
class Drawing(Displayed):
    """A picture of a graph.

    Returned by `draw`, `draw_boxes`, `formula`, `hierarchy` and `module_tree`. It displays itself in a notebook, with
    an alternative text, and prints as a table in a terminal. `title`, `alt`, `svg`, `source` (the graph in the DOT
    language) and `text` are strings.
    """

    boxes: tuple[Box, ...] = ()  # in topological order; empty if the picture does not show a computational graph
    nodes: tuple[object, ...] = ()  # of each box, if known
    grads: tuple[object, ...] = ()  # of these nodes when they were drawn
    note: str = ""  # a line below the title: what is folded, and how to see it
    gradients: bool = True
    # Of each open module, by its path, of a picture with modules as frames; None for a diagram.
    titles: dict[tuple[str, ...], str] | None = None
    record: GraphRecord | None = None  # the graph; the boxes may show a part
    layout: str | None = None  # "graphviz" or "layered"; None for Graphviz where it is installed

    if TYPE_CHECKING:  # each class has them as fields or as properties

        @property
        def diagram(self) -> Diagram:
            """The nodes and edges of the picture."""

        @property
        def contents(self) -> Table:
            """The content of the picture as a table."""

    @cached_property
    def source(self) -> str:
        """The graph in the DOT language."""
        return dot_of(self.diagram)

    @property
    def scene(self) -> Diagram:
        """The diagram that the picture shows."""
        return self.diagram

    @cached_property
    def svg(self) -> str:
        """The picture as SVG; the same graph gives the same string, with the same layout."""
        positions = positions_of(self.scene, self.layout)
        return svg.write(diagram_svg.picture_of(self.scene, positions, self.title, self.alt))

    @property
    def text(self) -> str:
        """The table as a string, for a terminal."""
        return repr(self.contents) + (f"\n{self.note}" if self.note else "")

    def table(self) -> Table:
        """Return the content of the picture as a table, which displays itself in a notebook."""
        return self.contents

    def with_layout(self, layout: str | None) -> Drawing:
        """Return the same picture, with its boxes placed by another layout, "graphviz" or "layered".

        By default, None, Graphviz places the boxes of a small graph where it is installed, and this package those of
        any other.

        Examples
        --------
        >>> import dark
        >>> dark.draw(dark.Parameter(2.0, name="x")).with_layout("layered").title
        'Graph of x'
        """
        return replace(self, layout=checked_layout(layout))

    def _writers(self) -> dict[str, Callable[[], str | bytes]]:
        writers = {**super()._writers(), ".dot": lambda: self.source, ".html": lambda: self.page().html}
        if (record := self.record) is not None:
            writers[".json"] = record.as_json
        return {suffix: writers[suffix] for suffix in SUFFIXES if suffix in writers}

    def steps(self) -> FilmStrip:
        """Return the backward pass, which has been run, as a sequence of at most 40 pictures."""
        return film_strip_of(self)

    def widget(self) -> AnyWidget:
        """Return a widget that steps through the backward pass with a slider or the arrow keys."""
        return step_widget(self)

    def page(self, limit_mb: float = 20) -> Page:
        """Return a page on which the graph is explored: one HTML file, which needs neither a server nor a network.

        One moves and zooms, searches, opens and closes modules, follows paths back, looks at whole arrays, and plays
        the backward pass; ``?`` lists the keys. All nodes of the graph are on the page, also those that the picture
        folds, with the values and gradients that they have now.

        Parameters
        ----------
        limit_mb : float, default 20
            The size of the arrays in megabytes (10**6 bytes). Of larger ones every k-th element is kept; `left_out`
            of the page says so.

        Examples
        --------
        >>> import dark
        >>> from dark.draw import draw
        >>> draw(dark.exp(dark.Parameter(2.0, name="x")), title="exp").page().title
        'exp'
        """
        return page_of_graph(data_of(self, limit_mb))

    def explore(self, limit_mb: float = 20) -> AnyWidget | Page:
        """Return the page as a widget of a notebook; where anywidget is not installed, as a frame of it. See `page`."""
        return explorer_of(data_of(self, limit_mb))


@dataclass(frozen=True, repr=False)
class DiagramDrawing(Drawing):
    """The drawing of a diagram, with its words."""

    diagram: Diagram
    title: str
    alt: str
    contents: Table
