"""The page, the texts, the shapes and the file formats of the pictures of this package."""

from html import escape

from dark.draw.color_themes import EDGE_COLOR, GRADIENT_COLOR, PAPER, STYLE_SHEET, TEXT_COLOR
from dark.draw.labels import one_line
from dark.draw.pdf import to_pdf
from dark.draw.png import to_png
from dark.draw.svg import FONTS, NAMESPACE

VALUE_COLOR, STRUCTURE_COLOR = "#b3261e", "#5b3fa0"
TEXTS = {
    "text": TEXT_COLOR, "muted": EDGE_COLOR,
    "structure": STRUCTURE_COLOR, "value": VALUE_COLOR, "gradient": GRADIENT_COLOR,
}  # fmt: skip
SHAPES = {  # fill and border
    "result": (PAPER, TEXT_COLOR), "leaf": ("#e6f1fb", "#0b4f8a"),
    "structure": ("#f1edfb", STRUCTURE_COLOR), "value": ("#fdecea", VALUE_COLOR),
    "gradient": ("#fdf3ea", GRADIENT_COLOR),
}  # fmt: skip


def page(width, height, title, alt, parts):
    """Return a picture as SVG, with its title, its description and the style sheet.

    Examples
    --------
    >>> "<title>Empty</title><desc>Nothing.</desc>" in page(10, 10, "Empty", "Nothing.", [])
    True
    """
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


def picture_writers(picture):
    """Return the functions that write a picture with `svg` and `title`, by the suffix of the file."""
    return {
        ".svg": lambda: picture.svg + "\n",
        ".png": lambda: to_png(picture.svg),
        ".pdf": lambda: to_pdf(picture.svg, picture.title),
    }
