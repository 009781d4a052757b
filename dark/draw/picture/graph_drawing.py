"""`GraphDrawing`: the drawing of a computational graph, whose words, diagram and scene follow from its boxes."""

from dataclasses import dataclass, replace
from functools import cached_property

from dark.draw.diagram.cards import cards_of
from dark.draw.diagram.diagram import Diagram, diagram_of
from dark.draw.graph.descriptions import alt_of, title_of
from dark.draw.graph.node_table import table_of
from dark.draw.picture.drawing import Drawing
from dark.draw.text_table import Table

COMPACT = {"ranksep": "0.22"}


@dataclass(frozen=True, repr=False)
class GraphDrawing(Drawing):
    """The drawing of boxes under a title, if one is given."""

    given_title: str | None
    direction: str = "TB"  # or "LR": from left to right
    is_compact: bool = False  # boxes are close to each other
    told: tuple[str, Table] | None = None  # alternative text and table, in place of those of the boxes

    @cached_property
    def title(self) -> str:
        """The title of the picture."""
        return self.given_title or f"Graph of {title_of(self.boxes[-1])}"

    @cached_property
    def alt(self) -> str:
        """The alternative text."""
        words = alt_of(self.boxes, self.given_title)
        return self.told[0] if self.told else f"{words} {self.note}." if self.note else words

    @cached_property
    def contents(self) -> Table:
        """The content of the picture as a table."""
        return self.told[1] if self.told else table_of(self.boxes)

    @cached_property
    def diagram(self) -> Diagram:
        """The nodes and edges of the picture."""
        found = diagram_of(self.boxes, self.given_title, self.gradients, self.note, self.titles)
        return found if self.direction == "TB" else replace(found, look={"rankdir": self.direction})

    @cached_property
    def scene(self) -> Diagram:
        """The diagram that the picture shows: of cards in frames, if the modules are known."""
        if (self.titles is None and self.direction == "TB") or self.layout == "graphviz":
            return self.diagram
        titles, look = self.titles or {}, {"rankdir": self.direction} | (COMPACT if self.is_compact else {})
        return cards_of(self.boxes, titles, self.given_title, self.gradients, self.note, look)
