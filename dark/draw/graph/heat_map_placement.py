"""What goes into the boxes of a finished picture: heat maps, and the colour of gradients."""

from xml.etree.ElementTree import SubElement

from dark.draw import svg
from dark.draw.arrays.heat_map import heat_map
from dark.draw.graph.box_fields import Reserved, fields_of, gradient_lines, maps_of, place_of_value

BELOW_LINE = 8.0  # points from the foot of the last line to the heat map below it
PLACE = "dark-gradient"


def add_insets(text, boxes, gradients=True):
    """Colour the gradients in a finished picture, and put the heat maps of arrays below their lines.

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
        Where room is reserved for the heat maps of several gradients there is an empty group, to which
        `add_gradient_map` adds one.
    """
    root = svg.parse(text)
    for i, box in enumerate(boxes):
        node = svg.node_of(root, i)
        for line in node.findall("text"):
            if line not in texts_of(node):
                node.remove(line)
        for line in gradient_texts(node, box, gradients):
            line.set("fill", svg.GRADIENT_INK)
        for summary, middle, top in heat_maps(node, box, gradients):
            if isinstance(box.grad, Reserved) and summary is box.grad.map:
                SubElement(node, "g", {"class": PLACE, "data-place": f"{middle:g} {top:g}"})
            else:
                node.append(heat_map(summary, middle, top))
    return svg.write(root)


def gradient_map(node, summary):
    """Draw the heat map of a gradient for the empty group that waits for it in a box."""
    return heat_map(summary, *map(float, _waiting(node).get("data-place").split()))


def add_gradient_map(node, summary):
    """Put the heat map of a gradient into the empty group that waits for it in a box."""
    _waiting(node).append(gradient_map(node, summary))


def texts_of(node):
    """Return the lines in a box, without the spaces that keep room for a heat map."""
    return [line for line in node.findall("text") if (line.text or "").strip()]


def gradient_texts(node, box, gradients=True):
    """Return the lines of the gradient in a box; none where it is written among other words."""
    if not gradients or box.kind not in ("parameter", "result"):
        return []
    return texts_of(node)[-sum(map(bool, gradient_lines(box))) :]


def heat_maps(node, box, gradients=True):
    """List the heat maps of a box, each as (summary, middle, top); two stand on one level."""
    value, grad = maps_of(box, gradients)
    lines = sum(map(len, fields_of(box, gradients)[: place_of_value(box) + 1]))
    texts = texts_of(node)
    last = [(value, texts[lines - 1])] if value else []
    last += [(grad, texts[-1])] if grad else []
    top = max((float(line.get("y")) for _, line in last), default=0.0) + BELOW_LINE
    return [(summary, float(line.get("x")), top) for summary, line in last]


def _waiting(node):
    return node.find(f"g[@class='{PLACE}']")
