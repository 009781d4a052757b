"""The contents of the boxes of a graph, with their sizes, in the nested frames of its modules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import ceil, fsum
from typing import Any

from dark.draw.arrays.array_summary import Summary, shape_text, short, summary_lines
from dark.draw.arrays.heat_map import side
from dark.draw.arrays.heat_map import width as map_width
from dark.draw.graph.boxes import MARK_LABELS, Box
from dark.draw.graph.numbered_calls import plain_path
from dark.draw.graph.quotient import users_of
from dark.draw.labels import dotted_name, one_line, operation_text, value_text
from dark.draw.layered.frames import Frame, Placed, frames_of, place
from dark.draw.layered.level import GAP_Y
from dark.draw.text_width import text_width

SIZE, SMALL = 12.0, 11.0  # font sizes in points
LINE = 15.0
PAD_X, PAD_Y, GAP = 12.0, 7.0, 8.0
MAP_GAP = 5.0
LEAF_GAP, LEAF_SIDE = 4.0, 7.0  # between leaves, and beside them
BAR, LEAST_BAR = 7.0, 110.0  # the height of the bar of a cost, and the smallest width of its box
LONGEST, LONGEST_LABEL = 44, 28  # characters of a line, and of the text of an edge
ORDERED = ("-", "/", "**", "@", "%")  # operations that tell their inputs apart
MOST_LEAVES = 6  # drawn in the box of the operation that uses them


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
        maps = fsum(map(map_width, self.maps)) + GAP * max(len(self.maps) - 1, 0)
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
        return wide, fsum(leaf.size[1] for leaf in self.leaves) + LEAF_GAP * max(len(self.leaves) - 1, 0)

    def _size(self) -> tuple[float, float]:
        wide, high = self.own_size
        if not self.leaves:
            return wide, high
        column = self.leaves_size
        return wide + column[0] + LEAF_SIDE, max(high, column[1] + 2 * LEAF_SIDE)


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
    name, operation = dotted_name(box.name or ""), operation_text(box.operation) if box.operation else ""
    mark = (Line(MARK_LABELS[box.mark], "grad"),) if box.mark else ()
    settings = (Line(one_line(box.settings, 60)),) * bool(box.settings)
    if box.results:
        title = (Line("  ".join(filter(None, (operation, name))), "title"), *settings)
        return mark + title + tuple(Line(one_line(line, 60)) for line in box.results)
    if isinstance(box.value, Summary):
        words = "  ".join(filter(None, (operation, name))) or ("input" if box.kind == "input" else "")
        lines = (Line(words, "title"),) * bool(words) + settings
        lines += (Line(shape_text(box.value)), *_statistics(box.value))
    elif operation:
        lines = (Line("  ".join(filter(None, (operation, name))), "title"), *settings)
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


@dataclass(frozen=True)
class Parts:
    """The items placed in a picture."""

    contents: dict[int, Content]  # what stands in each box that is drawn by itself
    links: dict[int, list[int]]  # the inputs of each of them, without the leaves that stand in it
    labels: dict[tuple[int, int | None], str]  # the texts of edges, by source and target
    frame: Frame  # the modules, nested
    ordered: set[int]  # the boxes that tell their inputs apart

    @property
    def has_frames(self) -> bool:
        """Whether a module is open."""
        return any(isinstance(item, Frame) for item in self.frame.items)

    def placed(self, is_swapped: bool = False, gap: float = GAP_Y) -> Placed:
        """Return the positions of all boxes, frames and edges; with the axes exchanged, if they will be."""
        sizes = {i: content.size[::-1] if is_swapped else content.size for i, content in self.contents.items()}
        return place(self.frame, sizes, self.links, self.ordered, is_swapped, gap)


def parts_of(boxes: tuple[Box, ...], titles: dict[tuple[str, ...], str], gradients: bool = True) -> Parts:
    """Return the parts of a picture of boxes in topological order; `titles` are of modules, by their paths."""
    holders = leaf_holders(boxes)
    drawn = [i for i in range(len(boxes)) if i not in holders]
    links = {i: [k for k in boxes[i].inputs if k not in holders] for i in drawn}
    frame = frames_of({i: boxes[i].path for i in drawn}, links, titles)
    around = dict(_with_short_titles(frame))
    single = _single_results(boxes, drawn)
    leaves: dict[int, list[Any]] = {}
    for i, holder in holders.items():
        name = _short_name(boxes[i], single.get(holder, around[holder]))
        leaves.setdefault(holder, []).append(content_of(replace(boxes[i], name=name), i, (), gradients))
    contents = {}
    for i in drawn:
        box = replace(boxes[i], name=_short_name(boxes[i], single.get(i, around[i])))
        module = within(titles.get(single[i], ".".join(single[i])), around[i]) if i in single else ""
        contents[i] = content_of(box, i, leaves.get(i, ()), gradients, module)
    ordered = {i for i in drawn if boxes[i].operation in ORDERED}
    labels: dict[tuple[int, int | None], str]
    labels = {(k, i): label for i in drawn for k in links[i] if (label := _label(boxes[i], k))}
    return Parts(contents, links, labels, frame, ordered)


def within(name, path):
    """Return a dotted name as it is known in a module: `weight` for `0.weight` in ``("0",)``."""
    return name.removeprefix(".".join(path) + ".").removeprefix(".".join(plain_path(path)) + ".")


def _short_name(box, path):
    return within(box.name, path) if box.name and (not box.operation or box.kind == "group") else box.name


def _with_short_titles(frame):
    """Shorten the titles of frames in frames, and yield for each box the path of the innermost frame around it."""
    for item in frame.items:
        if isinstance(item, Frame):
            item.title = within(item.title, frame.path)
            yield from _with_short_titles(item)
        else:
            yield item, frame.path


def _label(box, source):
    """Return the texts of the edges from a source to a box, and how many there are of several."""
    many = box.inputs.count(source)
    words = [word for word, k in zip(box.labels, box.inputs) if k == source and word]
    return "  ".join([f"{many} times"] * (many > 1) + [one_line(", ".join(words), LONGEST_LABEL)] * bool(words))


def leaf_holders(boxes):
    """Return for each leaf that is drawn in the box of the operation that uses it the index of that box.

    A parameter or a constant that a single operation uses is drawn in its box. If the operation has leaves only, an
    array among them that is not a parameter, its input, is drawn above it.
    """
    users = users_of([box.inputs for box in boxes])
    held: dict[int, list[int]] = {}
    for k, box in enumerate(boxes):
        if not box.inputs and box.kind in ("parameter", "constant") and len(users[k]) == 1:
            (user,) = users[k]
            if boxes[user].kind in ("result", "detached"):
                held.setdefault(user, []).append(k)
    holders = {}
    for user, leaves in held.items():
        if set(boxes[user].inputs) <= set(leaves):
            data = [k for k in leaves if boxes[k].kind == "constant" and isinstance(boxes[k].value, Summary)]
            leaves = [k for k in leaves if k not in data[:1]]
        if len(leaves) <= MOST_LEAVES:
            holders.update(dict.fromkeys(leaves, user))
    return holders


def _single_results(boxes, drawn):
    """Return the path of the innermost module that has one box, for that box."""
    inside: dict[tuple[str, ...], list[int]] = {}
    for i in drawn:
        for k in range(1, len(boxes[i].path) + 1):
            inside.setdefault(boxes[i].path[:k], []).append(i)
    return {
        i: path
        for path, (i, *others) in sorted(inside.items(), key=lambda item: len(item[0]))
        if not others and boxes[i].kind in ("result", "detached")
    }
