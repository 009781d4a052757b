"""A ladder: one graph or two from top to bottom, a row for each node or pair of nodes, with the finding in words."""

from dataclasses import dataclass, replace
from textwrap import wrap
from typing import Any

from dark.draw.labels import one_line
from dark.draw.svg import edge, page, rect, text

BOX, ROW, GUTTER, WORDS, PAD = 236.0, 46.0, 34.0, 210.0, 16.0
WIDE_WORDS = 330.0  # next to a single graph
HEIGHT = 36.0  # of a box
NEAR = 2  # rows that are shown before and after one with a mark
FEWEST = 4  # rows that are folded
MOST_ROWS = 240
SMALL_ROWS = 12  # a ladder up to this length is not folded


@dataclass(frozen=True)
class Row:
    """One row of a ladder, with two lines for the box on each side; sign and words are between the sides."""

    first: tuple[str, str] | None
    second: tuple[str, str] | None
    sign: str = ""
    words: str = ""
    kind: str = ""  # "structure", "value" or "gradient", which gives the color; "" without a mark
    is_leaf: bool = False  # whether its boxes are leaves
    count: int = 1  # the number of rows that this one replaces


def ladder_svg(rows: list[Row], links: Any, names: tuple[str, ...], title: str, alt: str, summary: str) -> str:
    """Draw a ladder of one graph or two, by their names; `links` are the rows of the inputs of each, on both sides."""
    rows = [replace(row, is_leaf=not any(links[k])) for k, row in enumerate(rows)]
    rows, links = fold(rows, links)
    both = len(names) == 2
    left = PAD + GUTTER
    width = left + BOX + (WORDS + BOX + GUTTER if both else WIDE_WORDS) + PAD
    words = (left + BOX + WORDS / 2, "middle", 34) if both else (left + BOX + 18, "start", 56)
    lines = wrap(summary, int(width / 6.2))
    top = PAD + 20 + 15 * len(lines) + 26
    parts = [text(one_line(title, 100), width / 2, PAD + 12, size=15, bold=True)]
    parts += [text(line, width / 2, PAD + 30 + 15 * k, "muted") for k, line in enumerate(lines)]
    lefts = (left, width - left - BOX) if both else (left,)
    parts += [text(one_line(name), x + BOX / 2, top - 8, bold=True, size=13) for name, x in zip(names, lefts)]
    for side, x in enumerate(lefts):
        parts += _edges(rows, [link[side] for link in links], side, x, top)
    for k, row in enumerate(rows):
        parts += _row(row, top + ROW * k, lefts, *words)
    return page(width, top + ROW * len(rows) + PAD, title, alt, parts)


def fold(rows, links):
    """Replace long runs of rows without a mark by one row each, and limit the number of rows."""
    if len(rows) <= SMALL_ROWS:
        return rows, links
    marked = [k for k, row in enumerate(rows) if row.kind] + [len(rows) - 1]
    shown = {k for mark in marked[:-1] for k in range(mark - NEAR, mark + NEAR + 1)} | {marked[-1]}
    place, run = {}, []
    folded: list[Row] = []
    for k, row in enumerate([*rows, None]):
        if row is not None and k not in shown and len(folded) < MOST_ROWS:
            run.append(k)
            continue
        if len(run) >= FEWEST:
            place.update(dict.fromkeys(run, len(folded)))
            label = (f"… {len(run)} nodes", "")
            first, second = (
                label if any(getattr(rows[i], side) for i in run) else None for side in ("first", "second")
            )
            folded.append(Row(first, second, rows[run[0]].sign, count=len(run)))
        else:
            for i in run:
                place[i] = len(folded)
                folded.append(rows[i])
        run = []
        if row is not None:
            place[k] = len(folded)
            folded.append(row)
    new: list[tuple[set[int], set[int]]] = [(set(), set()) for _ in folded]
    for k, sides in enumerate(links):
        for side in (0, 1):
            new[place[k]][side].update(place[i] for i in sides[side] if place[i] != place[k])
    return folded, [tuple(tuple(sorted(side)) for side in sides) for sides in new]


def _row(row, y, lefts, x_of_words, anchor, letters):
    parts = []
    for lines, x in zip((row.first, row.second), lefts):
        if lines is None:
            continue
        kind = row.kind or ("leaf" if row.is_leaf else "result")
        shape = 'rx="9" stroke-width="1.6"' if row.is_leaf else 'stroke-width="1.3"'
        if row.count > 1:
            shape = 'stroke-dasharray="4 3" stroke-width="1.2"'
        shape = shape.replace("1.6", "2.6").replace("1.3", "2.6") if row.kind else shape
        parts.append(rect(x, y, BOX, HEIGHT, kind, shape, " ".join(lines)))
        two = bool(lines[1])
        parts.append(text(one_line(lines[0], 36), x + BOX / 2, y + (15 if two else 22), bold=row.count == 1))
        if two:
            parts.append(text(one_line(lines[1], 42), x + BOX / 2, y + 29, "text", 11))
    kind = row.kind or "muted"
    lines = wrap(row.words, letters)[:2]
    start = y + HEIGHT / 2 + 5 - 6 * len(lines)
    parts += [text(row.sign, x_of_words, start, kind, 14, anchor, bold=True)] if row.sign else []
    return parts + [text(line, x_of_words, start + 13 * (k + 1), kind, 11, anchor) for k, line in enumerate(lines)]


def _edges(rows, inputs, side, x, top):
    """Draw the edges of a side: straight to the next row, else along the outer side."""
    parts, present = [], [k for k, row in enumerate(rows) if (row.first, row.second)[side] is not None]
    before = dict(zip(present[1:], present))
    for k in present:
        for i in inputs[k]:
            start, end = top + ROW * i + HEIGHT, top + ROW * k
            if before.get(k) == i:
                center = x + BOX / 2
                path, tip = f"M{center:g},{start:g}V{end - 6:g}", f"M{center:g},{end:g}l-3.5,-7h7z"
            else:
                outer, way = (x, -1) if side == 0 else (x + BOX, 1)
                far = outer + way * min(GUTTER - 4, 10 + 3.0 * (k - i))
                start, end = top + ROW * i + HEIGHT / 2, top + ROW * k + HEIGHT / 2 + 3
                path = f"M{outer:g},{start:g}C{far:g},{start:g} {far:g},{end:g} {outer + way * 6:g},{end:g}"
                tip = f"M{outer:g},{end:g}l{way * 7:g},-3.5v7z"
            parts.append(edge(path, tip))
    return parts
