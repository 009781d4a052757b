"""A picture of boxes and edges before it is laid out, as plain data; looks are attributes of DOT."""

from __future__ import annotations

from dataclasses import dataclass, field

from dark.draw.color_themes import EDGE_COLOR, TEXT_COLOR

FONT = "Arial"
FONT_SIZE, LABEL_SIZE = 13.0, 11.0  # points, of the texts in a node and beside an edge
TITLE_SIZE, NOTE_SIZE = 15.0, 12.0
LINE = 1.2  # the distance of two lines, in font sizes
# `ordering` keeps the left input of a subtraction or a power on the left.
GRAPH = {"nodesep": "0.3", "ordering": "in", "ranksep": "0.4"}
NODE = {"fontcolor": TEXT_COLOR, "fontname": FONT, "fontsize": f"{FONT_SIZE:g}", "margin": "0.14,0.07"}
EDGE = {"arrowsize": "0.7", "color": EDGE_COLOR, "fontcolor": TEXT_COLOR, "fontname": FONT, "penwidth": "1.3"}


@dataclass(frozen=True)
class DiagramNode:
    """A node of a diagram.

    Parameters
    ----------
    name : str
    fields : tuple of tuple of str
        The lines of each field; only a record has several.
    look : dict of str to str
        Shape, border, colors, margin and least height, as attributes of DOT.
    id : str
        The id of its group in SVG, if it has one.
    is_stacked : bool
        Whether the fields are below each other instead of beside.
    spaces : dict of int to (int, float)
        The room below the lines of a field, by its index: a number of lines, and a width in points.
    """

    name: str
    fields: tuple[tuple[str, ...], ...]
    look: dict[str, str]
    id: str = ""
    is_stacked: bool = False
    spaces: dict[int, tuple[int, float]] = field(default_factory=dict)

    @property
    def is_record(self) -> bool:
        """Whether lines separate its fields."""
        return self.look["shape"] in ("record", "Mrecord")


@dataclass(frozen=True)
class DiagramEdge:
    """An edge from one node to another, by their names.

    Parameters
    ----------
    source, target : str
    label : str
        A text beside it.
    id : str
        The id of its group in SVG, if it has one.
    look : dict of str to str
        Arrowhead and line, as attributes of DOT.
    """

    source: str
    target: str
    label: str = ""
    id: str = ""
    look: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Diagram:
    """A picture of nodes and edges.

    Parameters
    ----------
    nodes : tuple of DiagramNode
        In topological order.
    edges : tuple of DiagramEdge
    title, note : str
        The lines above the picture.
    look : dict of str to str
        Attributes of DOT of the whole, where they differ from `GRAPH`.
    margin : str
        The margin of a node in inches, where it does not have its own.
    rows : tuple of tuple of str
        The names of all nodes, in rows of at most two, if it is not the layout that chooses them.
    """

    nodes: tuple[DiagramNode, ...]
    edges: tuple[DiagramEdge, ...]
    title: str = ""
    note: str = ""
    look: dict[str, str] = field(default_factory=dict)
    margin: str = NODE["margin"]
    rows: tuple[tuple[str, ...], ...] = ()

    @property
    def heading(self) -> tuple[str, ...]:
        """The lines above the picture, and an empty one below them."""
        lines = tuple(line for line in (self.title, self.note) if line)
        return (*lines, " ") if lines else ()

    @property
    def heading_size(self) -> float:
        """The font size of the heading."""
        return TITLE_SIZE if self.title else NOTE_SIZE

    def inches(self, name: str) -> float:
        """Return a distance of the picture, such as `ranksep`, in points."""
        return 72.0 * float(self.look.get(name) or GRAPH[name])
