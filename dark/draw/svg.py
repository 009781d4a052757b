"""The engine's SVG made fit for a page: readable aloud, never wider than its column, always the same."""

import re
from base64 import b64encode
from html import escape
from xml.etree import ElementTree

from dark.draw.fields import fields_of, place_of_value, room_of
from dark.draw.heat import heat_map
from dark.draw.labels import plain

NAMESPACE = "http://www.w3.org/2000/svg"
FONTS = "Arial, 'Liberation Sans', Helvetica, sans-serif"
GRADIENT_INK = "#9a3412"
BELOW_LINE = 8.0  # points from the foot of the last line of a value to its heat map


def finish(raw, title, alt, tips=()):
    """Give an engine's SVG its title, its alternative text and its size rule.

    Parameters
    ----------
    raw : str
        The SVG as the engine wrote it.
    title : str
        A few words: the name of the picture.
    alt : str
        What the picture shows, in sentences.
    tips : sequence of str
        One sentence for each node, in order; a pointer that rests on the node shows it.

    Returns
    -------
    str
        Without dates, versions or comments: the same graph gives the same text.
    """
    root = parse(raw)
    root.set("role", "img")
    root.set("aria-label", plain(alt, len(alt)))
    root.set("style", "max-width:100%;height:auto;background:white")
    for element in root.iter():
        for child in element.findall("title"):
            element.remove(child)
        if element.tag == "text":
            element.set("font-family", FONTS)
    for group in root.iter("g"):
        for text in gradient_texts(group.findall("text")):
            text.set("fill", GRADIENT_INK)
    for i, tip in enumerate(tips):
        node = root.find(f".//g[@id='node-{i}']")
        node.insert(0, _element("title", tip))
    root.insert(0, _element("title", title))
    root.insert(1, _element("desc", alt))
    return write(root)


def parse(text):
    """Read an SVG into elements with plain tag names; comments and the prolog fall away."""
    root = ElementTree.fromstring(text)
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
    return root


def write(root):
    """Write elements with plain tag names as one SVG document."""
    root.set("xmlns", NAMESPACE)
    return ElementTree.tostring(root, encoding="unicode")


def as_image(svg, alt):
    """Wrap an SVG as an HTML image.

    A notebook that is not trusted yet, and a web book, keep an image and its alternative text;
    a bare SVG they drop or strip.

    Examples
    --------
    >>> as_image("<svg/>", "two nodes")
    '<img alt="two nodes" style="max-width:100%" src="data:image/svg+xml;base64,PHN2Zy8+">'
    """
    data = b64encode(svg.encode("utf-8")).decode("ascii")
    return f'<img alt="{escape(alt)}" style="max-width:100%" src="data:image/svg+xml;base64,{data}">'


def add_heat_maps(text, boxes):
    """Put the heat maps of arrays into the boxes of a finished picture, below the lines of their values.

    Parameters
    ----------
    text : str
        SVG in which box number i is the group with `id="node-i"`.
    boxes : tuple of Box

    Returns
    -------
    str
    """
    with_room = [i for i, box in enumerate(boxes) if room_of(box)]
    if not with_room:
        return text
    root = parse(text)
    for i in with_room:
        middle, top = place_of_heat_map(root, i, boxes[i])
        root.find(f".//g[@id='node-{i}']").append(heat_map(boxes[i].value, middle, top))
    return write(root)


def place_of_heat_map(root, i, box):
    """Return where the heat map of box number i goes: below the last line of its value, as (middle, top)."""
    fields = fields_of(box)[: place_of_value(box) + 1]
    last = root.find(f".//g[@id='node-{i}']").findall("text")[sum(map(len, fields)) - 1]
    return float(last.get("x")), float(last.get("y")) + BELOW_LINE


def corner(node):
    """Return the bottom left corner of a node's outline, as (x, y)."""
    left, _, _, bottom = bounds(outline_of(node))
    return left, bottom


def outline_of(node):
    """Return the element that is the border of a node."""
    return next(e for e in node if e.tag in ("polygon", "path", "ellipse"))


def bounds(shape):
    """Return how far a shape reaches, as (left, top, right, bottom)."""
    if shape.tag == "ellipse":
        x, y, wide, tall = (float(shape.get(key)) for key in ("cx", "cy", "rx", "ry"))
        return x - wide, y - tall, x + wide, y + tall
    numbers = list(map(float, re.findall(r"-?\d+(?:\.\d+)?", shape.get("points") or shape.get("d"))))
    return min(numbers[::2]), min(numbers[1::2]), max(numbers[::2]), max(numbers[1::2])


def gradient_texts(texts):
    """Return what begins with the word `grad`, and below it the further lines of the gradient of an array."""
    begins = [k for k, text in enumerate(texts) if (text.text or "").startswith("grad ")]
    below = range(begins[-1] + 1, len(texts)) if begins else ()
    return [texts[k] for k in (*begins, *(k for k in below if texts[k].get("x") == texts[begins[-1]].get("x")))]


def _element(tag, text):
    element = ElementTree.Element(tag)
    element.text = plain(text, len(text))
    return element
