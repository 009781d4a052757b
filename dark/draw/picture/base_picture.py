"""The base picture of a film strip: one layout for all frames, in which only gradients and marks change."""

from copy import deepcopy
from dataclasses import replace
from xml.etree.ElementTree import SubElement

from dark.draw import svg
from dark.draw.color_themes import GRADIENT_COLOR, TEXT_COLOR, both
from dark.draw.diagram import diagram_svg
from dark.draw.diagram.box_diagram import diagram_of
from dark.draw.diagram.layout import positions_of
from dark.draw.graph.box_fields import MARK_LABELS, Reserved
from dark.draw.graph.descriptions import description
from dark.draw.picture.heat_map_placement import add_gradient_heat_map, add_heat_maps

STYLE = (
    ".dark-tag{visibility:hidden}"
    ".dark-now .dark-tag{visibility:visible}"
    ".dark-now>polygon,.dark-now>path,.dark-now>ellipse{stroke-width:4}"
    ".dark-sends polygon{visibility:hidden}"
    f".dark-picture .dark-sends path{{stroke:{GRADIENT_COLOR};stroke:{both(GRADIENT_COLOR)};stroke-width:2.6;"
    "marker-start:url(#dark-back)}"
)
# A gradient is sent against the direction of the edge, so the arrowhead moves to its other end.
ARROW = {
    "id": "dark-back", "viewBox": "0 0 10 10", "refX": "9", "refY": "5", "markerWidth": "11",
    "markerHeight": "11", "markerUnits": "userSpaceOnUse", "orient": "auto-start-reverse",
}  # fmt: skip


def base_picture_of(boxes, frames, title, alt, layout=None):
    """Lay out the boxes once, with space for the gradients of all frames.

    Parameters
    ----------
    boxes : tuple of Box
    frames : tuple of Frame
    title, alt : str
    layout : {"graphviz", "layered"}, optional

    Returns
    -------
    str
        SVG in which each node that sends contributions has a hidden tag "now". `picture_of` and the widget show
        a frame by adding the class `dark-now` to one node and `dark-sends` to edges, and heat maps to nodes.
    """
    reserved = tuple(replace(box, grad=_reserved(frames, i)) for i, box in enumerate(boxes))
    tips = [description(box) for box in boxes]
    diagram = diagram_of(reserved)
    drawn = diagram_svg.to_svg(diagram, positions_of(diagram, layout))
    picture = svg.add_alternative_text(drawn, title, alt, tips)
    root = svg.parse(add_heat_maps(picture, reserved))
    style = SubElement(root, "style")
    style.text = STYLE
    marker = SubElement(SubElement(root, "defs"), "marker", ARROW)
    SubElement(marker, "path", {"d": "M0,0L10,5L0,10z", "fill": GRADIENT_COLOR})
    for i in {frame.now for frame in frames}:
        _add_tag(svg.node_of(root, i))
    return svg.write(root)


def picture_of(base_picture, frame, alt, prefix):
    """Return the picture of one frame.

    Parameters
    ----------
    base_picture : str
        SVG from `base_picture_of`.
    frame : Frame
    alt : str
    prefix : str
        The prefix of each id, so that a page can hold several pictures.

    Returns
    -------
    str
        SVG.
    """
    root = deepcopy(svg.parse(base_picture))
    root.set("aria-label", alt)
    root.find("desc").text = alt
    for i, text in enumerate(frame.grads):
        if text is not None:
            lines = f"grad {text}".split("\n")
            for element, line in zip(svg.node_of(root, i).findall("text")[-len(lines) :], lines, strict=True):
                element.text = line
        if frame.maps[i]:
            add_gradient_heat_map(svg.node_of(root, i), frame.maps[i])
    _add_class(svg.node_of(root, frame.now), "dark-now")
    for edge in frame.edges:
        _add_class(root.find(f".//g[@id='{edge}']"), "dark-sends")
    for element in root.iter("g"):
        element.set("id", prefix + element.get("id", ""))
    return svg.write(root)


def _reserved(frames, i):
    """Return the space box number i needs for the texts of all frames, and for their heat maps if any."""
    texts = [frame.grads[i] for frame in frames]
    if texts[0] is None:
        return None
    return Reserved(_widest(texts), next((frame.maps[i] for frame in frames if frame.maps[i]), None))


def _widest(texts):
    """Return line by line the longest of several texts."""
    return "\n".join(max(lines, key=len) for lines in zip(*(text.split("\n") for text in texts), strict=True))


def _add_class(element, name):
    element.set("class", f"{element.get('class')} {name}")


def _add_tag(node):
    left, bottom = svg.corner(node)
    tag = SubElement(node, "g", {"class": "dark-tag"})
    outline = {"x": f"{left:g}", "y": f"{bottom:g}", "width": "32", "height": "14"}
    SubElement(tag, "rect", outline | {"fill": TEXT_COLOR})
    position = {"x": f"{left + 16:g}", "y": f"{bottom + 10:g}", "text-anchor": "middle"}
    style = {"font-family": svg.FONTS, "font-size": "11", "fill": "white"}
    text = SubElement(tag, "text", position | style)
    text.text = MARK_LABELS["now"]
