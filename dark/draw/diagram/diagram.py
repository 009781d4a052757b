"""A picture of boxes and edges before it is laid out, as plain data; looks are attributes of DOT.

A parameter is a rounded record with a thick border, a constant an ellipse with a dashed border, a result a square
record with a thin border. A constant array is a note with a dashed border, a group of nodes a folder. So they differ in
shape and border, not only in color.
"""

from dataclasses import dataclass, field

from dark.draw.arrays.array_summary import Summary
from dark.draw.arrays.heat_map import height_in_lines, width
from dark.draw.color_themes import BOXES, EDGE_COLOR, GRADIENT_COLOR, TEXT_COLOR
from dark.draw.graph.boxes import LEGEND, Box, Reserved, fields_of, heat_map_summaries, index_of_value, visible_edges
from dark.draw.graph.descriptions import description, title_of
from dark.draw.labels import one_line
from dark.draw.layered.contents import Content, Parts

FONT = "Arial"
FONT_SIZE, LABEL_SIZE = 13.0, 11.0  # points, of the texts in a node and beside an edge
TITLE_SIZE, NOTE_SIZE = 15.0, 12.0
LINE = 1.2  # the distance of two lines, in font sizes
# `ordering` keeps the left input of a subtraction or a power on the left.
GRAPH = {"nodesep": "0.3", "ordering": "in", "ranksep": "0.4"}
NODE = {"fontcolor": TEXT_COLOR, "fontname": FONT, "fontsize": f"{FONT_SIZE:g}", "margin": "0.14,0.07"}
EDGE = {"arrowsize": "0.7", "color": EDGE_COLOR, "fontcolor": TEXT_COLOR, "fontname": FONT, "penwidth": "1.3"}
FITS, INCHES = 12, 0.0075  # characters in an ordinary margin, and the margin of each further one
SHAPES = {
    "parameter": {"shape": "Mrecord", "style": "filled", "penwidth": "2.8"},
    "constant": {"shape": "ellipse", "style": "filled,dashed", "penwidth": "1.2", "margin": "0.06,0.02"},
    "input": {"shape": "record", "style": "filled,dotted", "penwidth": "2"},
    "result": {"shape": "record", "style": "filled", "penwidth": "1.3"},
    "detached": {"shape": "record", "style": "filled,dashed", "penwidth": "1.3"},
    "group": {"shape": "folder", "style": "filled", "penwidth": "1.6"},
}
COLORS = {kind: {"color": border, "fillcolor": fill} for kind, (fill, border) in BOXES.items()}
STYLES = {kind: shape | COLORS[kind] for kind, shape in SHAPES.items()}
STYLES["folded"] = {"shape": "plaintext", "color": TEXT_COLOR}
WRONG = {"style": "filled,dashed", "penwidth": "4.5"} | COLORS["wrong"]
NOTE = {"shape": "note", "margin": "0.14,0.07"}  # an ellipse around many lines would be much larger than they are
MARKED_RED = ("wrong", "failed")
FRAME = {"shape": "Mrecord", "penwidth": "1.2"} | COLORS["frame"]


@dataclass(frozen=True)
class DiagramNode:
    """A node of a diagram; only a record has several fields."""

    name: str
    fields: tuple[tuple[str, ...], ...]  # the lines of each
    look: dict[str, str]  # shape, border, colors, margin and least height, as attributes of DOT
    id: str = ""  # of its group in SVG, if it has one
    is_stacked: bool = False  # fields below each other instead of beside
    maps: dict[int, Summary] = field(default_factory=dict)  # heat maps below the lines of fields, by their index
    inks: dict[int, str] = field(default_factory=dict)  # the color of the lines of a field, by its index
    is_reserved: bool = False  # the heat map of the last field is only a place, for one of several
    is_titled: bool = False  # the first line is bold
    tip: str = ""  # shown under the pointer
    card: Content | None = None  # texts and heat maps below each other, instead of fields
    leaves: tuple["DiagramNode", ...] = ()  # at the left, in a card

    @property
    def is_record(self) -> bool:
        """Whether lines separate its fields."""
        return self.look["shape"] in ("record", "Mrecord")

    @property
    def spaces(self) -> dict[int, tuple[int, float]]:
        """The room, on one level, for the heat map of each field with one: a number of lines, and a width in points."""
        longest = max((len(self.fields[k]) for k in self.maps), default=0)
        lines = max(map(height_in_lines, self.maps.values()), default=0)
        return {k: (longest - len(self.fields[k]) + lines - 1, width(summary)) for k, summary in self.maps.items()}


@dataclass(frozen=True)
class DiagramEdge:
    """An edge from one node to another, by their names."""

    source: str
    target: str
    label: str = ""  # a text beside it
    id: str = ""  # of its group in SVG, if it has one
    look: dict[str, str] = field(default_factory=dict)  # arrowhead and line, as attributes of DOT


@dataclass(frozen=True)
class Diagram:
    """A picture of nodes and edges; title and note are the lines above it."""

    nodes: tuple[DiagramNode, ...]  # in topological order
    edges: tuple[DiagramEdge, ...]
    title: str = ""
    note: str = ""
    look: dict[str, str] = field(default_factory=dict)  # attributes of DOT of the whole, where they differ from `GRAPH`
    margin: str = NODE["margin"]  # of a node in inches, where it does not have its own
    # The names of all nodes, in rows of at most two, if the layout does not choose them.
    rows: tuple[tuple[str, ...], ...] = ()
    legend: dict[str, tuple[dict[str, str], str]] = field(default_factory=dict)  # look and word of each kind of node
    parts: Parts | None = None  # cards in frames, between which the layout chooses the ways of edges

    @property
    def heading(self) -> tuple[str, ...]:
        """The lines above the picture, and an empty one below them."""
        lines = tuple(line for line in (self.title, self.note) if line)
        return (*lines, " ") if lines else ()

    @property
    def heading_size(self) -> float:
        """The font size of the heading."""
        return TITLE_SIZE if self.title else NOTE_SIZE

    @property
    def is_tree(self) -> bool:
        """Whether it is a tree from left to right, each node before its children."""
        return self.is_sideways and self.look.get("ordering") == "out"

    @property
    def is_sideways(self) -> bool:
        """Whether it leads from left to right, not downward."""
        return self.look.get("rankdir") == "LR"

    def inches(self, name: str) -> float:
        """Return a distance of the picture, such as `ranksep`, in points."""
        return 72.0 * float(self.look.get(name) or GRAPH[name])


def margin_for(lines):
    """Return the attributes of a box with long lines: a wider margin, for fonts that are wider than the layout's."""
    longest = max(map(len, lines), default=0)
    return {} if longest <= FITS else {"margin": f"{0.14 + INCHES * (longest - FITS):.3g},0.07"}


def diagram_of(
    boxes: tuple[Box, ...],
    title: str | None = None,
    gradients: bool = True,
    note: str = "",
    titles: dict[tuple[str, ...], str] | None = None,
) -> Diagram:
    """Convert boxes, in topological order, to a diagram; the note is a line below the title.

    Box number i is the node with ``id="node-i"``; the edge from its k-th input has ``id="edge-i-k"``, except for the
    parallel edges that `visible_edges` merges. `titles`, if any, are of the modules, by their paths.
    """
    edges = []
    for i, box in enumerate(boxes):
        for k, source, count in visible_edges(box):
            label = "".join(f"  {word}" for word in (f"{count} times" * (count > 1), *box.labels[k : k + 1]) if word)
            look = edge_look(boxes[source].kind, box.kind)
            edges.append(DiagramEdge(str(source), str(i), label, f"edge-{i}-{k}", look))
    nodes = tuple([_node(i, box, gradients) for i, box in enumerate(boxes)])
    legend = legend_of([(box.kind, _look(box)) for box in boxes], bool(titles))
    return Diagram(nodes, tuple(edges), *headings(title, note), legend=legend)


def edge_look(*kinds):
    """Return the look of an edge between two kinds of nodes: dashed where no gradient flows."""
    return {"style": "dashed"} if "detached" in kinds else {}


def _look(box):
    is_note = box.kind == "constant" and isinstance(box.value, Summary)
    return STYLES[box.kind] | (NOTE if is_note else {})


def headings(title: str | None, note: str) -> tuple[str, str]:
    """Return the title and the note of a diagram, each as one line."""
    return one_line(title, 120) if title else "", one_line(note, 120) if note else ""


def legend_of(looks, has_modules):
    """Return the look of the first node of each kind, with its words, in the order of `LEGEND`; `looks` are pairs."""
    first: dict[str, dict[str, str]] = {}
    for kind, look in looks:
        first.setdefault(kind, look)
    words = LEGEND if has_modules else LEGEND | {"group": "folded nodes"}
    return {kind: (first[kind], word) for kind, word in words.items() if kind in first}


def _node(i, box, gradients):
    name, tip = f"node-{i}", description(box)
    if box.kind == "folded":
        return DiagramNode(str(i), ((title_of(box),),), STYLES["folded"], name, tip=tip)
    fields = tuple(fields_of(box, gradients))
    look = _look(box) | (WRONG if box.mark in MARKED_RED else {})
    if look["shape"] != "ellipse":
        look |= margin_for(line for lines in fields for line in lines)
    last = len(fields) - 1
    pairs = zip((index_of_value(box), last), heat_map_summaries(box, gradients))
    maps = {k: summary for k, summary in pairs if summary}
    inks = {last: GRADIENT_COLOR} if gradients and box.kind in ("parameter", "result") else {}
    return DiagramNode(str(i), fields, look, name, False, maps, inks, isinstance(box.grad, Reserved), tip=tip)
