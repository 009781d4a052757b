"""A tree of boxes as SVG, from left to right: the children of a box are stacked beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from dark.draw.color_themes import BOXES, EDGE_COLOR
from dark.draw.svg_parts import page, text
from dark.draw.text_width import text_width

if TYPE_CHECKING:
    from collections.abc import Sequence

PAD, GAP, LEVEL_GAP = 14.0, 9.0, 26.0  # around the picture, between boxes, between levels
LINE, SIZE = 16.0, 12.0
INSIDE_X, INSIDE_Y = 14.0, 5.0
TAB = 38.0, 6.0
STYLES = {"parameter": (2.4, 9), "result": (1.3, 0), "group": (1.6, 0)}  # width of the border, radius of the corners


class TreeBox(NamedTuple):
    """A box of a tree.

    Parameters
    ----------
    kind : str
        "group" (a folder), "parameter" (rounded corners, a thick border) or "result".
    fields : sequence of sequence of str
        The lines of each field; a line separates the fields of a box that is not a folder.
    level : int
    parent : int or None
        The index of an earlier box.
    """

    kind: str
    fields: Sequence[Sequence[str]]
    level: int
    parent: int | None

    @property
    def size(self) -> tuple[float, float]:
        """The width and the height."""
        lines = [line for lines in self.fields for line in lines]
        wide = max(text_width(line, SIZE, bold=k == 0) for k, line in enumerate(lines))
        return wide + 2 * INSIDE_X, len(lines) * LINE + 2 * INSIDE_Y * len(self.fields)


def tree_svg(boxes: Sequence[TreeBox], title: str, alt: str, heading: Sequence[str] = ()) -> str:
    """Draw a tree.

    Parameters
    ----------
    boxes : sequence of TreeBox
        Each before its children.
    title, alt : str
        The accessible name and description.
    heading : sequence of str
        Lines above the picture.
    """
    sizes = [box.size for box in boxes]
    top = PAD + LINE * len(heading) + (GAP if heading else 0)
    lefts, middles, height = _places(boxes, sizes)
    wide = max(left + size[0] for left, size in zip(lefts, sizes))
    wide = max(wide, *(text_width(line, SIZE + 1) for line in heading), 0.0) + 2 * PAD
    parts = [text(line, wide / 2, PAD + LINE * (k + 0.7), size=SIZE + 1) for k, line in enumerate(heading)]
    parts.append(f'<g transform="translate({PAD:g} {top:g})">')
    for k, box in enumerate(boxes):
        if box.parent is not None:
            start = lefts[box.parent] + sizes[box.parent][0], middles[box.parent]
            parts.append(_edge(start, (lefts[k], middles[k]), lefts[k] - LEVEL_GAP / 2))
    parts += [_box(k, *place) for k, place in enumerate(zip(boxes, sizes, lefts, middles))]
    return page(round(wide, 1), round(top + height + PAD, 1), title, alt, [*parts, "</g>"])


def _places(boxes, sizes):
    """Return the left end and the middle of each box, and the height of the tree."""
    widths = [max(s[0] for s, b in zip(sizes, boxes) if b.level == n) for n in range(max(b.level for b in boxes) + 1)]
    lefts = [sum(widths[: box.level]) + LEVEL_GAP * box.level for box in boxes]
    below = [0.0] * len(boxes)  # the height of the children of a box, with a gap after each
    heights = [0.0] * len(boxes)
    for k in range(len(boxes) - 1, -1, -1):
        tab = TAB[1] if boxes[k].kind == "group" else 0
        heights[k] = max(sizes[k][1] + tab, below[k] - GAP)
        if boxes[k].parent is not None:
            below[boxes[k].parent] += heights[k] + GAP
    tops, used = [0.0] * len(boxes), [0.0] * len(boxes)
    for k, box in enumerate(boxes):
        if box.parent is not None:
            spare = (heights[box.parent] - (below[box.parent] - GAP)) / 2
            tops[k] = tops[box.parent] + spare + used[box.parent]
            used[box.parent] += heights[k] + GAP
    return lefts, [top + height / 2 for top, height in zip(tops, heights)], heights[0]


def _edge(start, end, corner):
    (x, y), (a, b) = start, end
    path = f"M{x:.1f},{y:.1f}H{corner:.1f}V{b:.1f}H{a:.1f}"
    return f'<path fill="none" stroke="{EDGE_COLOR}" stroke-width="1.2" d="{path}"/>'


def _box(k, box, size, left, middle):
    (thick, radius), (fill, border) = STYLES[box.kind], BOXES[box.kind]
    top = middle - size[1] / 2
    style = f'fill="{fill}" stroke="{border}" stroke-width="{thick:g}"'
    parts = [f'<g id="node-{k}" class="node">']
    if box.kind == "group":
        wide, high = min(TAB[0], size[0] / 2), TAB[1]
        parts.append(f'<rect {style} x="{left:.1f}" y="{top - high:.1f}" width="{wide:.1f}" height="{high:g}"/>')
    corner = f' rx="{radius}"' if radius else ""
    parts.append(f'<rect {style} x="{left:.1f}" y="{top:.1f}" width="{size[0]:.1f}" height="{size[1]:.1f}"{corner}/>')
    y = top
    for n, lines in enumerate(box.fields):
        if n and box.kind != "group":
            line = f"M{left:.1f},{y:.1f}h{size[0]:.1f}"
            parts.append(f'<path fill="none" stroke="{border}" stroke-width="1" d="{line}"/>')
        y += INSIDE_Y
        for words in lines:
            is_title = n == 0 and words is lines[0]
            parts.append(text(words, round(left + size[0] / 2, 1), round(y + 0.75 * LINE, 1), size=SIZE, bold=is_title))
            y += LINE
        y += INSIDE_Y
    return "".join([*parts, "</g>"])
