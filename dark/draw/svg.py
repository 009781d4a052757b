"""SVG for a web page: accessible, never wider than its column, and reproducible; with texts and shapes."""

from base64 import b64encode
from html import escape
from xml.etree import ElementTree

from dark.draw import color_themes
from dark.draw.color_themes import BOXES, EDGE_COLOR, GRADIENT_COLOR, TEXT_COLOR
from dark.draw.labels import one_line

NAMESPACE = "http://www.w3.org/2000/svg"
FONTS = "Arial, 'Liberation Sans', Helvetica, 'DejaVu Sans', sans-serif"
TEXTS = {
    "text": TEXT_COLOR, "muted": EDGE_COLOR,
    "structure": BOXES["structure"][1], "value": BOXES["wrong"][1], "gradient": GRADIENT_COLOR,
}  # fmt: skip
SHAPES = {  # fill and border
    "result": BOXES["result"], "leaf": BOXES["parameter"], "structure": BOXES["structure"], "value": BOXES["wrong"],
    "gradient": BOXES["gradient"],
}  # fmt: skip


def add_alternative_text(raw: str, title: str, alt: str) -> str:
    """Add title, alternative text and size rule to the SVG of another program; remove dates, versions and comments."""
    root = parse(raw)
    root.set("role", "img")
    root.set("aria-label", one_line(alt, len(alt)))
    themed(root)
    for element in root.iter():
        for child in element.findall("title"):
            element.remove(child)
        if element.tag == "text":
            element.set("font-family", FONTS)
    root.insert(0, _element("title", title))
    root.insert(1, _element("desc", alt))
    return write(root)


def empty_page(width: float, height: float, title: str, alt: str) -> ElementTree.Element:
    """Return an empty picture of this size in points, with its title and its description."""
    size = {"width": f"{width:g}pt", "height": f"{height:g}pt", "viewBox": f"0 0 {width:g} {height:g}"}
    about = {"role": "img", "aria-label": one_line(alt, len(alt)), "font-family": FONTS}
    root = ElementTree.Element("svg", size | about)
    root.extend([_element("title", title), _element("desc", alt)])
    themed(root)
    return root


def themed(root):
    """Make a picture as wide as its column at most, in the colors of the page."""
    root.set("class", f"{root.get('class', '')} dark-picture".strip())
    root.set("style", "max-width:100%;height:auto")
    root.insert(0, _element("style", color_themes.STYLE_SHEET))


def parse(text):
    """Parse SVG into elements with tag names without a namespace; comments are dropped."""
    root = ElementTree.fromstring(text)
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
    return root


def write(root):
    """Serialize elements with tag names without a namespace as an SVG document."""
    root.set("xmlns", NAMESPACE)
    return ElementTree.tostring(root, encoding="unicode")


def as_image(svg, alt, is_themed=True):
    """Embed SVG in an HTML image.

    Untrusted notebooks and web books keep an image and its alternative text, but remove bare SVG. The class
    `dark-light` tells the theme of a book that the image has colors for a dark page (`is_themed`).
    """
    head, name = (color_themes.IN_NOTEBOOK, ' class="dark-light"') if is_themed else ("", "")
    data = b64encode(svg.encode("utf-8")).decode("ascii")
    return f'{head}<img alt="{escape(alt)}"{name} style="max-width:100%" src="data:image/svg+xml;base64,{data}">'


def node_of(root, i):
    """Return the SVG group of box number i."""
    return root.find(f".//g[@id='node-{i}']")


def _element(tag, text):
    element = ElementTree.Element(tag)
    element.text = one_line(text, len(text))
    return element


def page(width, height, title, alt, parts):
    """Return a picture as SVG, with its title, its description and the style sheet."""
    name, alt = (escape(one_line(words, len(words))) for words in (title, alt))
    return (
        f'<svg xmlns="{NAMESPACE}" width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}" role="img"'
        f' aria-label="{alt}" font-family="{FONTS}" class="dark-picture" style="max-width:100%;height:auto">'
        f"<style>{color_themes.STYLE_SHEET}</style><title>{name}</title><desc>{alt}</desc>{''.join(parts)}</svg>"
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
    """Return an edge: the paths of its line and of its arrowhead."""
    return (
        f'<path fill="none" stroke="{EDGE_COLOR}" stroke-width="1.2" d="{line}"/><path fill="{EDGE_COLOR}" d="{head}"/>'
    )
