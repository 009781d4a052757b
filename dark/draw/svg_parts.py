"""The page, the texts and the shapes of the pictures of this package."""

from html import escape

from dark.draw.color_themes import BOXES, EDGE_COLOR, GRADIENT_COLOR, STYLE_SHEET, TEXT_COLOR
from dark.draw.labels import one_line
from dark.draw.svg import FONTS, NAMESPACE

TEXTS = {
    "text": TEXT_COLOR, "muted": EDGE_COLOR,
    "structure": BOXES["structure"][1], "value": BOXES["wrong"][1], "gradient": GRADIENT_COLOR,
}  # fmt: skip
SHAPES = {  # fill and border
    "result": BOXES["result"], "leaf": BOXES["parameter"], "structure": BOXES["structure"], "value": BOXES["wrong"],
    "gradient": BOXES["gradient"],
}  # fmt: skip


def page(width, height, title, alt, parts):
    """Return a picture as SVG, with its title, its description and the style sheet."""
    name, alt = (escape(one_line(words, len(words))) for words in (title, alt))
    return (
        f'<svg xmlns="{NAMESPACE}" width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}" role="img"'
        f' aria-label="{alt}" font-family="{FONTS}" class="dark-picture" style="max-width:100%;height:auto">'
        f"<style>{STYLE_SHEET}</style><title>{name}</title><desc>{alt}</desc>{''.join(parts)}</svg>"
    )


def text(words, x, y, kind="text", size=12, anchor="middle", bold=False):
    """Return a line of text with its baseline at y; `kind` is one of `TEXTS`, or a color."""
    weight = ' font-weight="bold"' if bold else ""
    position = f'x="{x:g}" y="{y:g}" font-size="{size:g}" text-anchor="{anchor}"'
    return f'<text fill="{TEXTS.get(kind, kind)}" {position}{weight}>{escape(words)}</text>'


def rect(x, y, width, height, kind, extra="", tip=""):
    """Return a rectangle in the colors of a kind of `SHAPES`, with a tooltip."""
    fill, border = SHAPES[kind]
    place = f'x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"'
    shape = f'fill="{fill}" stroke="{border}" {place} {extra}'
    return f"<rect {shape}>{f'<title>{escape(tip)}</title>' if tip else ''}</rect>"


def edge(line, head):
    """Return an edge: the path of its line, and that of its arrowhead."""
    return (
        f'<path fill="none" stroke="{EDGE_COLOR}" stroke-width="1.2" d="{line}"/><path fill="{EDGE_COLOR}" d="{head}"/>'
    )
