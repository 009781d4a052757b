"""The colors of the pictures of this package as a style sheet: light, and dark where the page is dark."""

from html import escape

from dark.draw.labels import one_line
from dark.draw.svg import FONTS, NAMESPACE

LIGHT = {
    "page": "#ffffff", "text": "#1f2933", "muted": "#52606d", "box": "#ffffff", "border": "#1f2933",
    "leaf": "#e6f1fb", "leaf-border": "#0b4f8a", "structure": "#5b3fa0", "structure-fill": "#f1edfb",
    "value": "#b3261e", "value-fill": "#fdecea", "gradient": "#9a3412", "gradient-fill": "#fdf3ea",
}  # fmt: skip
DARK = {
    "page": "#14181d", "text": "#e8edf2", "muted": "#a3b0bd", "box": "#1d2329", "border": "#c5d0da",
    "leaf": "#132c44", "leaf-border": "#7db8ee", "structure": "#c3b1f5", "structure-fill": "#2a2342",
    "value": "#ff9d94", "value-fill": "#471c19", "gradient": "#f5b58b", "gradient-fill": "#43281a",
}  # fmt: skip
KINDS = ("structure", "value", "gradient")


def _rules(colors):
    box = [f".f-{kind}{{fill:{colors[f'{kind}-fill']};stroke:{colors[kind]}}}" for kind in KINDS]
    text = [f".t-{kind}{{fill:{colors[kind]}}}" for kind in (*KINDS, "text", "muted")]
    other = [
        f".f-page{{fill:{colors['page']}}}",
        f".f-result{{fill:{colors['box']};stroke:{colors['border']}}}",
        f".f-leaf{{fill:{colors['leaf']};stroke:{colors['leaf-border']}}}",
        f".edge{{fill:none;stroke:{colors['muted']}}}",
        f".head{{fill:{colors['muted']}}}",
    ]
    return "".join(other + box + text)


STYLE = f"{_rules(LIGHT)}@media(prefers-color-scheme:dark){{{_rules(DARK)}}}"


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
        f' aria-label="{alt}" font-family="{FONTS}" style="max-width:100%;height:auto">'
        f"<title>{name}</title><desc>{alt}</desc><style>{STYLE}</style>"
        f'<rect class="f-page" width="100%" height="100%"/>{"".join(parts)}</svg>'
    )


def text(words, x, y, kind="text", size=12, anchor="middle", bold=False):
    """Return a line of text with its baseline at y."""
    weight = ' font-weight="bold"' if bold else ""
    position = f'x="{x:g}" y="{y:g}" font-size="{size:g}" text-anchor="{anchor}"'
    return f'<text class="t-{kind}" {position}{weight}>{escape(words)}</text>'


def rect(x, y, width, height, kind, extra="", tip=""):
    """Return a rectangle in the colors of a kind, with a tooltip."""
    place = f'x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"'
    return f'<rect class="f-{kind}" {place} {extra}>{f"<title>{escape(tip)}</title>" if tip else ""}</rect>'
