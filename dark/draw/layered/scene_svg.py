"""A scene as SVG: shapes, texts, heat maps, edges, and a legend."""

from collections.abc import Sequence
from html import escape
from xml.etree.ElementTree import tostring

from dark.draw.arrays.heat_map import heat_map
from dark.draw.arrays.heat_map import width as map_width
from dark.draw.color_themes import BOXES, EDGE_COLOR, GRADIENT_COLOR, MODULE_COLOR, PAPER, SHADES, TEXT_COLOR, shade
from dark.draw.graph.descriptions import description
from dark.draw.layered.scene import BAR, GAP, LINE, MAP_GAP, PAD_X, PAD_Y, SIZE, SMALL, Scene
from dark.draw.svg import page, text
from dark.draw.text_width import text_width

PAD = 14.0
STYLES = {  # fill, border, width of the border, dashes, radius of the corners
    "parameter": (*BOXES["parameter"], 2.4, "", 9),
    "constant": (*BOXES["constant"], 1.2, "5 3", 3),
    "input": (*BOXES["input"], 2.0, "1.5 2.5", 0),
    "result": (*BOXES["result"], 1.3, "", 0),
    "group": (*BOXES["group"], 1.6, "", 0),
    "folded": (*BOXES["folded"], 0, "", 0),
}
WRONG = (*BOXES["wrong"], 4.0, "6 3", 0)
FRAME = (*BOXES["frame"], 1.2, "", 10)
LEGEND = (
    ("parameter", "parameter"), ("constant", "constant"), ("input", "input"), ("result", "result"),
    ("group", "closed module"), ("frame", "open module"), ("cost", "from cheap to costly"),
)  # fmt: skip


def to_svg(scene: Scene, title: str, alt: str, heading: Sequence[str] = ()) -> str:
    """Draw a scene as SVG in which box number i is the group with ``id="node-i"``.

    The lines of the heading are above it, the first in a larger font, and a legend of shapes and colors below.
    """
    placed = scene.placed
    entries = _legend_entries(scene)
    legend_width = sum(_entry_width(*entry) for entry in entries)
    heads = [(line, 15.0 if k == 0 else 12.0) for k, line in enumerate(heading)]
    wide = max([placed.size[0], legend_width, *(text_width(*head) for head in heads)]) + 2 * PAD
    parts, top = [], PAD
    for line, size in heads:
        parts.append(text(line, wide / 2, top + size, size=size))
        top += size + 6
    dx, bottom = (wide - placed.size[0]) / 2, top + placed.size[1]
    parts.append(f'<g transform="translate({_n(dx)} {_n(top)})">')
    for frame, x, y, width, height in placed.frames:
        name = escape(".".join(frame.path))
        parts.append(f'<g class="dark-module" data-module="{name}">{_rect(x, y, width, height, FRAME)}</g>')
    parts += [_edge(scene, *edge) for edge in placed.edges]
    for frame, x, y, *_ in placed.frames:  # titles above the edges that cross them
        ground = (FRAME[0], "none", 0, "", 0)
        parts.append(_rect(x + 6, y + 3, text_width(frame.title, SIZE, bold=True) + 8, 16, ground))
        parts.append(text(frame.title, x + 10, y + 15, MODULE_COLOR, SIZE, "start", bold=True))
    parts += [_box(scene, content, *placed.boxes[i]) for i, content in scene.contents.items()]
    parts += ["</g>", *_legend(entries, (wide - legend_width) / 2, bottom + 12)]
    return page(round(wide, 1), round(bottom + (26 if entries else 0) + PAD, 1), title, alt, parts)


def _n(number):
    return f"{number:.1f}".removesuffix(".0")


def _rect(x, y, width, height, style):
    fill, border, thick, dashes, radius = style
    dash = f' stroke-dasharray="{dashes}"' if dashes else ""
    corner = f' rx="{radius}"' if radius else ""
    return (
        f'<rect x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" height="{_n(height)}"{corner} fill="{fill}"'
        f' stroke="{border}" stroke-width="{thick}"{dash}/>'
    )


def _edge(scene, source, target, route):
    """Draw an edge: vertical within a rank, bent between ranks; with an arrowhead, unless it ends at a frame."""
    (x, y), head, label = route[-1], "", ""
    if target is not None:
        head = f'<path d="M{_n(x)},{_n(y)}l-3.5,-7h7z" fill="{EDGE_COLOR}"/>'
        many = scene.boxes[target].inputs.count(source)
        label = text(f"{many} times", x + 6, y - 8, size=10, anchor="start") if many > 1 else ""
    path = [f"M{_n(route[0][0])},{_n(route[0][1])}"]
    for k in range(1, len(route)):
        (a, b), (x, y) = route[k - 1], route[k]
        if abs(a - x) < 0.05:
            path.append(f"V{_n(y)}" if abs(b - y) > 0.05 else "")
        else:
            middle = (b + y) / 2
            path.append(f"C{_n(a)},{_n(middle)} {_n(x)},{_n(middle)} {_n(x)},{_n(y)}")
    line = f'<path d="{"".join(path)}" fill="none" stroke="{EDGE_COLOR}" stroke-width="1.3"/>'
    return f'<g class="edge">{line}{head}{label}</g>'


def _box(scene, content, x, y):
    """Draw a box around its center."""
    box = scene.boxes[content.index]
    width, height = content.size
    left, top = x - width / 2, y - height / 2
    tip = escape(description(box) + (f", {box.cost[1]}" if box.cost else ""))
    heat = "" if content.cost is None else " dark-heat"
    parts = [f'<g id="node-{content.index}" class="node dark-{content.kind}{heat}"><title>{tip}</title>']
    style = WRONG if box.mark == "wrong" else STYLES[content.kind]
    if content.cost is not None:
        style = (shade(content.cost)[0], *style[1:])
    if content.kind == "group":
        tab = min(46.0, width / 2)
        parts.append(_rect(left, top - 6, tab, 12, style))
    parts.append(_rect(left, top, width, height, style))
    if content.leaves:
        column, column_height = content.leaves_size
        leaf_y = y - column_height / 2
        for leaf in content.leaves:
            parts.append(_box(scene, leaf, left + 7 + column / 2, leaf_y + leaf.size[1] / 2))
            leaf_y += leaf.size[1] + 4.0
        left += column + 7.0
    parts.append(_inside(content, left + content.own_size[0] / 2, y - content.own_size[1] / 2 + PAD_Y))
    return "".join(parts) + "</g>"


def _inside(content, x, top):
    """Draw the lines and the heat maps of a box below each other."""
    parts = []
    colors = {"grad": GRADIENT_COLOR, "module": MODULE_COLOR} if content.cost is None else {}
    ink = TEXT_COLOR if content.cost is None else shade(content.cost)[1]
    for line in content.lines:
        bold = line.role in ("title", "module")
        color = colors.get(line.role, ink)
        parts.append(text(line.text, x, top + LINE * 0.76, color, SIZE if bold else SMALL, bold=bold))
        top += LINE
    if content.cost is not None:
        wide = content.own_size[0] - 2 * PAD_X
        for part, style in ((1.0, (PAPER, TEXT_COLOR, 0.6, "", 0)), (content.cost, (TEXT_COLOR, TEXT_COLOR, 0, "", 0))):
            parts.append(_rect(x - wide / 2, top + 2, wide * part, BAR, style))
    wide = sum(map(map_width, content.maps)) + GAP * (len(content.maps) - 1)
    left = x - wide / 2
    for summary in content.maps:
        parts.append(tostring(heat_map(summary, left + map_width(summary) / 2, top + MAP_GAP), encoding="unicode"))
        left += map_width(summary) + GAP
    return "".join(parts)


def _legend_entries(scene):
    kinds = {box.kind for box in scene.boxes} | ({"frame"} if scene.placed.frames else set())
    if any(box.cost for box in scene.boxes):
        kinds = kinds - {"result", "group"} | {"cost"}
    named = {"group": "closed module" if scene.has_modules else "folded nodes"}
    return [(kind, named.get(kind, words)) for kind, words in LEGEND if kind in kinds]


def _entry_width(kind, words):
    return (72 if kind == "cost" else 44) + text_width(words, SMALL)


def _legend(entries, x, y):
    parts = []
    for kind, words in entries:
        if kind == "cost":
            shades = [_rect(x + 10 * k, y, 10, 14, (fill, TEXT_COLOR, 0.6, "", 0)) for k, fill in enumerate(SHADES)]
            parts.append(f'<g class="dark-heat">{"".join(shades)}</g>')
        else:
            style = FRAME if kind == "frame" else STYLES[kind]
            parts += [_rect(x, y - 3, 9, 6, style)] if kind == "group" else []
            parts.append(_rect(x, y, 22, 14, style))
        parts.append(text(words, x + (56 if kind == "cost" else 28), y + 11, size=SMALL, anchor="start"))
        x += _entry_width(kind, words)
    return [f'<g class="dark-legend">{"".join(parts)}</g>'] if parts else []
