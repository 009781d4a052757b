"""Where everything of a diagram is; the layout, of Graphviz or of this package, yields it and nothing else."""

from __future__ import annotations

from dataclasses import dataclass

from dark.draw.diagram.diagram import LINE, Diagram
from dark.draw.diagram.node_sizes import Place, line_width

Point = tuple[float, float]
PAD = 8.0  # points on each side of the heading, and above and below it together


@dataclass(frozen=True)
class Route:
    """The way of an edge.

    Parameters
    ----------
    points : tuple of (float, float)
        A start, and three points for each cubic Bezier curve.
    head, tail : (float, float) or None
        The tip of an arrowhead at its end, and at its start.
    label : (float, float) or None
        The center of its text.
    """

    points: tuple[Point, ...]
    head: Point | None = None
    tail: Point | None = None
    label: Point | None = None


@dataclass(frozen=True)
class Positions:
    """The positions of a diagram, in points from its upper left corner.

    Parameters
    ----------
    size : (float, float)
        With the heading.
    nodes : tuple of Place
    edges : tuple of Route
    """

    size: tuple[float, float]
    nodes: tuple[Place, ...]
    edges: tuple[Route, ...]


def heading_room(diagram: Diagram) -> tuple[float, float]:
    """Return width and height of the heading; (0, 0) without one.

    Examples
    --------
    >>> heading_room(Diagram((), (), "A title"))[1], heading_room(Diagram((), ()))
    (44.0, (0.0, 0.0))
    """
    lines, size = diagram.heading, diagram.heading_size
    if not lines:
        return 0.0, 0.0
    return max(line_width(line, size) for line in lines) + 2 * PAD, len(lines) * LINE * size + PAD
