"""The positions of everything in a diagram, which a layout yields; and the sizes of nodes, by the rules of Graphviz.

So pictures of both layouts look alike.
"""

from dataclasses import dataclass
from math import ceil, fsum, sqrt
from typing import NamedTuple

from dark.draw.diagram.diagram import FONT_SIZE, LINE, Diagram, DiagramEdge, DiagramNode
from dark.draw.diagram.dot import SPACE_WIDTH
from dark.draw.layered.frames import Frame
from dark.draw.text_width import ROOM, text_width

Point = tuple[float, float]
LEAST_WIDTH, LEAST_HEIGHT = 0.75, 0.5  # inches
BASELINE = 0.3  # font sizes from the middle of a line to its baseline
BLANK = 15.0  # points, the height of an empty line
PAD = 8.0  # points on each side of the heading, and above and below it together
WIDTHS = {"–": 0.833, "…": 0.833}  # in Graphviz, in font sizes, of characters that are wider than an average one


class Place(NamedTuple):
    """A rectangle: its center, width and height in points, y downward."""

    x: float
    y: float
    width: float
    height: float

    @property
    def edges(self) -> tuple[float, float, float, float]:
        """Left, top, right, bottom."""
        wide, high = self.width / 2, self.height / 2
        return self.x - wide, self.y - high, self.x + wide, self.y + high


@dataclass(frozen=True)
class Route:
    """The way of an edge."""

    points: tuple[Point, ...]  # a start, and three points for each cubic Bezier curve
    head: Point | None = None  # the tip of an arrowhead at its end
    tail: Point | None = None  # an arrowhead at its start
    label: Point | None = None  # the center of its text


@dataclass(frozen=True)
class Positions:
    """The positions of a diagram, in points from its upper left corner."""

    size: tuple[float, float]  # with the heading
    nodes: tuple[Place, ...]
    edges: tuple[Route, ...]
    frames: tuple[tuple[Frame, Place], ...] = ()
    pieces: tuple[DiagramEdge, ...] = ()  # the edges from frame to frame; without frames, the edges of the diagram


def line_width(text: str, size: float = FONT_SIZE) -> float:
    """Return the width of a line in points, as Graphviz estimates it."""
    wide = [c for c in text if c in WIDTHS]
    known = "".join(c for c in text if c not in WIDTHS)
    return text_width(known, size) / ROOM + fsum(WIDTHS[c] * size for c in wide)


def node_size(node: DiagramNode, diagram: Diagram) -> tuple[float, float]:
    """Return width and height of a node in points."""
    margin = _margin(node, diagram)
    least_wide = 72.0 * float(node.look.get("width", LEAST_WIDTH))
    least = 72.0 * float(node.look.get("height", LEAST_HEIGHT))
    sizes = [_field_size(node, k, margin) for k in range(len(node.fields))]
    along, across = (1, 0) if node.is_stacked else (0, 1)
    length, breadth = fsum(size[along] for size in sizes), max(size[across] for size in sizes)
    wide, high = (breadth, length) if node.is_stacked else (length, breadth)
    if node.look["shape"] == "ellipse":  # around the rectangle of the text
        if least > high * sqrt(2):
            wide /= sqrt(1 - (high / least) ** 2)
        else:
            wide, high = wide * sqrt(2), high * sqrt(2)
    return max(wide, least_wide), max(high, least)


def field_places(node: DiagramNode, place: Place, diagram: Diagram) -> list[Place]:
    """Return the rectangle of each field; the space that a node has beyond its fields is spread over them."""
    margin, along = _margin(node, diagram), int(node.is_stacked)
    lengths = [_field_size(node, k, margin)[along] for k in range(len(node.fields))]
    extra = ((place.width, place.height)[along] - fsum(lengths)) / len(lengths)
    places, begin = [], place.edges[along]
    for length in lengths:
        middle = begin + (length + extra) / 2
        begin += length + extra
        if node.is_stacked:
            places.append(Place(place.x, middle, place.width, length + extra))
        else:
            places.append(Place(middle, place.y, length + extra, place.height))
    return places


def baselines(node: DiagramNode, k: int, middle: float) -> list[float]:
    """Return the baseline of each line of a field around its middle, above the space that is left free."""
    top = middle - _height(node, k) / 2
    return [top + (n + 0.5) * LINE * FONT_SIZE + BASELINE * FONT_SIZE for n in range(len(node.fields[k]))]


def _height(node, k):
    """Return the height of the lines of a field, with those that are left free below them."""
    if k not in node.spaces:
        return len(node.fields[k]) * LINE * FONT_SIZE
    return (len(node.fields[k]) + 1) * LINE * FONT_SIZE + node.spaces[k][0] * BLANK


def _margin(node, diagram):
    return [72.0 * float(side) for side in (node.look.get("margin") or diagram.margin).split(",")]


def _field_size(node, k, margin):
    space = line_width(" ") * ceil(node.spaces[k][1] / SPACE_WIDTH) if k in node.spaces else 0.0
    wide = max([space, *map(line_width, node.fields[k])])
    return wide + 2 * margin[0], _height(node, k) + 2 * margin[1]


def heading_room(diagram: Diagram) -> tuple[float, float]:
    """Return width and height of the heading; (0, 0) without one."""
    lines, size = diagram.heading, diagram.heading_size
    if not lines:
        return 0.0, 0.0
    return max(line_width(line, size) for line in lines) + 2 * PAD, len(lines) * LINE * size + PAD
