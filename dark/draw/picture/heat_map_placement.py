"""Add heat maps, and the color of gradients, to the boxes of a finished picture."""

from xml.etree.ElementTree import SubElement

from dark.draw import svg
from dark.draw.arrays.heat_map import heat_map
from dark.draw.color_themes import GRADIENT_COLOR
from dark.draw.graph.box_fields import Reserved, fields_of, gradient_lines, heat_map_summaries, index_of_value

BELOW_LINE = 8.0  # points from the baseline of the last line to the heat map below it
PLACEHOLDER = "dark-gradient"


def add_heat_maps(text, boxes, gradients=True):
    """Color the gradients in a finished picture, and add the heat maps of arrays below their lines.

    Parameters
    ----------
    text : str
        SVG in which box number i is the group with `id="node-i"`.
    boxes : tuple of Box
    gradients : bool
        Whether the boxes show their gradients.

    Returns
    -------
    str
        SVG. Space reserved for the heat maps of several gradients is an empty group, to which
        `add_gradient_heat_map` adds one.
    """
    root = svg.parse(text)
    for i, box in enumerate(boxes):
        node = svg.node_of(root, i)
        for line in node.findall("text"):
            if line not in texts_of(node):
                node.remove(line)
        for line in gradient_texts(node, box, gradients):
            line.set("fill", GRADIENT_COLOR)
        for summary, middle, top in heat_maps(node, box, gradients):
            if isinstance(box.grad, Reserved) and summary is box.grad.map:
                SubElement(node, "g", {"class": PLACEHOLDER, "data-place": f"{middle:g} {top:g}"})
            else:
                node.append(heat_map(summary, middle, top))
    return svg.write(root)


def gradient_heat_map(node, summary):
    """Draw the heat map of a gradient at the position of its placeholder in a box."""
    return heat_map(summary, *map(float, _placeholder(node).get("data-place").split()))


def add_gradient_heat_map(node, summary):
    """Add the heat map of a gradient to its placeholder in a box."""
    _placeholder(node).append(gradient_heat_map(node, summary))


def texts_of(node):
    """Return the lines of text in a box, except blank ones, which reserve space for a heat map."""
    return [line for line in node.findall("text") if (line.text or "").strip()]


def gradient_texts(node, box, gradients=True):
    """Return the lines of the gradient in a box; an empty list if it shares a line with other fields."""
    if not gradients or box.kind not in ("parameter", "result"):
        return []
    return texts_of(node)[-sum(map(bool, gradient_lines(box))) :]


def heat_maps(node, box, gradients=True):
    """Return the heat maps of a box, each as (summary, middle, top); all have the same top."""
    value, grad = heat_map_summaries(box, gradients)
    lines = sum(map(len, fields_of(box, gradients)[: index_of_value(box) + 1]))
    texts = texts_of(node)
    last = [(value, texts[lines - 1])] if value else []
    last += [(grad, texts[-1])] if grad else []
    top = max((float(line.get("y")) for _, line in last), default=0.0) + BELOW_LINE
    return [(summary, float(line.get("x")), top) for summary, line in last]


def _placeholder(node):
    return node.find(f"g[@class='{PLACEHOLDER}']")
