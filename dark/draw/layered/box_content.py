"""The content of a box: its lines of text, its heat maps, and the parameters and constants that only it uses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import ceil

from dark.draw.arrays.array_summary import Summary
from dark.draw.arrays.array_text import shape_text, short, summary_lines
from dark.draw.arrays.heat_map import side
from dark.draw.arrays.heat_map import width as map_width
from dark.draw.graph.boxes import Box
from dark.draw.labels import one_line, operation_text, value_text
from dark.draw.text_width import text_width

SIZE, SMALL = 12.0, 11.0  # font sizes in points
LINE = 15.0
PAD_X, PAD_Y, GAP = 12.0, 7.0, 8.0
MAP_GAP = 5.0
BAR, LEAST_BAR = 7.0, 110.0  # the height of the bar of a cost, and the smallest width of its box
LONGEST = 44


@dataclass(frozen=True)
class Line:
    """A line of text; its role, "title", "value", "grad" or "module", gives color and weight."""

    text: str
    role: str = "value"

    @property
    def width(self) -> float:
        """The width in points."""
        bold = self.role in ("title", "module")
        return text_width(self.text, SIZE if bold else SMALL, bold)


@dataclass(frozen=True)
class Content:
    """The content of a box, with its size in points."""

    kind: str
    lines: tuple[Line, ...]
    maps: tuple[Summary, ...] = ()  # the heat maps below the lines, in a row
    leaves: tuple[Content, ...] = ()  # the parameters and constants at its left
    index: int = -1  # of the box
    cost: float | None = None  # a part of the most costly box, drawn as a bar below the texts
    size: tuple[float, float] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "size", self._size())

    @property
    def own_size(self) -> tuple[float, float]:
        """Width and height of the texts and the heat maps, with the padding around them."""
        maps = sum(map(map_width, self.maps)) + GAP * max(len(self.maps) - 1, 0)
        wide = max([maps, *(line.width for line in self.lines)], default=0.0) + 2 * PAD_X
        high = len(self.lines) * LINE + 2 * PAD_Y
        high += (self.maps_height + MAP_GAP) * bool(self.maps) + (BAR + MAP_GAP) * (self.cost is not None)
        return ceil(max(wide, LEAST_BAR if self.cost is not None else 0.0)), ceil(high)

    @property
    def maps_height(self) -> float:
        """The height of the highest heat map."""
        return max((len(m.cells) * side(m) for m in self.maps), default=0.0)

    @property
    def leaves_size(self) -> tuple[float, float]:
        """Width and height of the column of leaves."""
        wide = max((leaf.size[0] for leaf in self.leaves), default=0.0)
        return wide, sum(leaf.size[1] for leaf in self.leaves) + 4.0 * max(len(self.leaves) - 1, 0)

    def _size(self) -> tuple[float, float]:
        wide, high = self.own_size
        if not self.leaves:
            return wide, high
        column = self.leaves_size
        return wide + column[0] + 7.0, max(high, column[1] + 14.0)


def content_of(
    box: Box, index: int, leaves: Sequence[Content] = (), gradients: bool = True, module: str = ""
) -> Content:
    """Return the content of a box; `module` is the title of the module whose only result it is."""
    lines = _lines(box, gradients and box.kind in ("parameter", "result"))
    if module:
        lines = (Line(one_line(module, LONGEST), "module"), *lines)
    things = (box.value, box.grad if gradients else None)
    maps = tuple(thing for thing in things if isinstance(thing, Summary) and thing.cells)
    share, words = box.cost or (None, "")
    return Content(box.kind, (*lines, *[Line(words)] * bool(words)), maps, tuple(leaves), index, share)


def _lines(box, gradients):
    if box.kind in ("group", "folded"):
        texts = [text for text in (box.value, box.operation) if text]
        title = (Line(one_line(box.name, LONGEST), "title"),) if box.name else ()
        return (*title, *(Line(one_line(text, 60)) for text in texts))
    name, operation = one_line(box.name or ""), operation_text(box.operation) if box.operation else ""
    mark = (Line("first wrong" if box.mark == "wrong" else box.mark, "grad"),) if box.mark else ()
    if isinstance(box.value, Summary):
        words = "  ".join(filter(None, (operation, name))) or ("input" if box.kind == "input" else "")
        lines = (Line(words, "title"),) * bool(words) + (Line(shape_text(box.value)), *_statistics(box.value))
    elif operation:
        lines = (Line("  ".join(filter(None, (operation, name))), "title"),)
        lines += (Line(value_text(box.value)),) if box.value is not None else ()
    else:
        known = value_text(box.value) if box.value is not None else ""
        join = "  " if isinstance(box.value, str) else " = "  # a string says what is known, such as the shape
        lines = (Line(join.join(filter(None, (name, known))) or box.kind, "title" if name else "value"),)
    return mark + lines + (_gradient(box.grad) if gradients else ())


def _statistics(summary, role="value", head=""):
    """Return the statistics of an array on one line: `min … mean … max`, or its few numbers."""
    words = summary_lines(summary)
    if not words:
        return ()
    if summary.numbers or summary.low is None:
        return (Line(one_line(head + " ".join(words), LONGEST), role),)
    spread = f"{short(summary.low)} … {short(summary.high)}, mean {short(summary.mean)}"
    return (Line(", ".join([head + spread, *words[3:]]), role),)


def _gradient(grad):
    if grad is None:
        return ()
    if isinstance(grad, Summary):
        return _statistics(grad, "grad", "grad ") or (Line(f"grad {grad.shape}", "grad"),)
    return (Line(f"grad {grad if isinstance(grad, str) else value_text(grad)}", "grad"),)
