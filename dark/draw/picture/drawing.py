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
from dark.draw.explore.explorer_page import page_of_graph
from dark.draw.explore.explorer_widget import explorer_of
from dark.draw.graph.boxes import Box
from dark.draw.graph.descriptions import description
from dark.draw.layered.scene import Scene, scene_of
from dark.draw.layered.scene_svg import to_svg
from dark.draw.picture.explored import data_of
from dark.draw.picture.film_strip import FilmStrip, film_strip_of
from dark.draw.picture.heat_map_placement import add_heat_maps
from dark.draw.picture.widget import step_widget
from dark.draw.text_table import Table

if TYPE_CHECKING:
    from collections.abc import Callable

    from anywidget import AnyWidget

    from dark.draw.diagram.diagram import Diagram
    from dark.draw.graph.graph_record import GraphRecord
    from dark.pages.page_file import Page

SUFFIXES = (".svg", ".png", ".pdf", ".dot", ".html")


@dataclass(frozen=True, repr=False)
class Drawing(Displayed):
    """A picture of a graph.

    Returned by `draw`, `draw_boxes`, `formula`, `hierarchy` and `module_tree`. It displays itself in a notebook, with
    an alternative text, and prints as a table in a terminal.

    Parameters
    ----------
    diagram : Diagram
        The nodes and edges of the picture, of which DOT is written.
    title : str
        The title of the picture.
    alt : str
        The alternative text.
    contents : Table
        The content of the picture as a table.
    boxes : tuple of Box
        The boxes in topological order; empty if the picture does not show a computational graph.
    nodes : tuple of object
        The node of each box, if known.
    grads : tuple of object
        The gradients of these nodes when they were drawn.
    note : str
        A line below the title: what is folded, and how to see it.
    gradients : bool
        Whether the boxes show gradients.
    titles : dict of tuple of str to str or None
        The title of each open module, by its path, of a picture with modules as frames; None for a diagram.
    heading : tuple of str
        The lines above a picture with frames.
    record : GraphRecord or None
        The graph, of which the boxes may show a part.
    drawn : str
        The picture as SVG, of one that is neither a scene of frames nor a diagram.
    layout : {"graphviz", "layered"} or None
        Who places the nodes of the diagram; None for Graphviz where it is installed.
    """

    diagram: Diagram
    title: str
    alt: str
    contents: Table
    boxes: tuple[Box, ...] = ()
    nodes: tuple[object, ...] = ()
    grads: tuple[object, ...] = ()
    note: str = ""
    gradients: bool = True
    titles: dict[tuple[str, ...], str] | None = None
    heading: tuple[str, ...] = ()
    record: GraphRecord | None = None
    drawn: str = ""
    layout: str | None = None

    @cached_property
    def source(self) -> str:
        """The graph in the DOT language."""
        return dot_of(self.diagram)

    @cached_property
    def scene(self) -> Scene:
        """The boxes, frames and edges with their positions, in layers."""
        return scene_of(self.boxes, self.titles, self.gradients)

    @cached_property
    def svg(self) -> str:
        """The picture as SVG; the same graph gives the same string, with the same layout."""
        if self.drawn and self.layout != "graphviz":
            return self.drawn
        if self.titles is not None and self.layout != "graphviz":
            return to_svg(self.scene, self.title, self.alt, self.heading)
        tips = [description(box) for box in self.boxes]
        drawn = diagram_svg.to_svg(self.diagram, positions_of(self.diagram, self.layout))
        picture = svg.add_alternative_text(drawn, self.title, self.alt, tips)
        return add_heat_maps(picture, self.boxes, self.gradients)

    @property
    def text(self) -> str:
        """The table as a string, for a terminal."""
        return repr(self.contents) + (f"\n{self.note}" if self.note else "")

    def table(self) -> Table:
        """Return the content of the picture as a table, which displays itself in a notebook."""
        return self.contents

    def with_layout(self, layout: str | None) -> Drawing:
        """Return the same picture, with its boxes placed by another layout.

        Parameters
        ----------
        layout : {"graphviz", "layered"} or None
            Graphviz, or the layout of this package in layers. By default, None, Graphviz places the boxes of a small
            graph where it is installed, and this package those of any other.

        Returns
        -------
        Drawing

        Raises
        ------
        UsageError
            If it is not one of these.
        DrawingError
            If it is Graphviz, which is not installed.

        Examples
        --------
        >>> import dark
        >>> dark.draw(dark.Parameter(2.0, name="x")).with_layout("layered").title
        'Graph of x'
        """
        return replace(self, layout=checked_layout(layout))

    def _writers(self) -> dict[str, Callable[[], str | bytes]]:
        writers = {**super()._writers(), ".dot": lambda: self.source, ".html": lambda: self.page().html}
        return {suffix: writers[suffix] for suffix in SUFFIXES}

    def steps(self) -> FilmStrip:
        """Return the backward pass as a sequence of pictures.

        Returns
        -------
        FilmStrip

        Raises
        ------
        DrawingError
            If no backward pass has been run, a value was changed since it was used, or there would be more
            than 40 pictures.
        """
        return film_strip_of(self)

    def widget(self) -> AnyWidget:
        """Return a widget that steps through the backward pass with a slider or the arrow keys.

        Returns
        -------
        anywidget.AnyWidget

        Raises
        ------
        MissingExtraError
            If anywidget is not installed.
        DrawingError
            If no backward pass has been run, or a value was changed since it was used.
        """
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

        Returns
        -------
        Page

        Raises
        ------
        DrawingError
            If the picture does not show a graph, or the graph has more than 50000 nodes.

        Examples
        --------
        >>> import dark
        >>> from dark.draw import draw
        >>> draw(dark.exp(dark.Parameter(2.0, name="x")), title="exp").page().title
        'exp'
        """
        return page_of_graph(data_of(self, limit_mb))

    def explore(self, limit_mb: float = 20) -> AnyWidget | Page:
        """Return the page as a widget of a notebook; where anywidget is not installed, as a frame of it.

        Parameters
        ----------
        limit_mb : float, default 20
            As for `page`.

        Returns
        -------
        anywidget.AnyWidget or Page

        Raises
        ------
        DrawingError
            As for `page`.
        """
        return explorer_of(data_of(self, limit_mb))
