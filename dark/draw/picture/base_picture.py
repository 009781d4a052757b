"""The base picture of a film strip: one layout for all frames, in which only gradients and marks change."""

from copy import deepcopy
from dataclasses import replace
from xml.etree.ElementTree import Element, SubElement

from dark.draw import svg
from dark.draw.arrays.array_summary import Summary
from dark.draw.arrays.heat_map import heat_map
from dark.draw.color_themes import GRADIENT_COLOR, TEXT_COLOR, both
from dark.draw.diagram import diagram_svg
from dark.draw.diagram.diagram import diagram_of
from dark.draw.diagram.diagram_svg import RESERVED
from dark.draw.diagram.layout import positions_of
from dark.draw.graph.backward_steps import Frame
from dark.draw.graph.boxes import MARK_LABELS, Box, Reserved
from dark.draw.graph.descriptions import description

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


def base_picture_of(
    boxes: tuple[Box, ...], frames: tuple[Frame, ...], title: str, alt: str, layout: str | None = None
) -> str:
    """Lay out the boxes once, with space for the gradients of all frames.

    In the SVG each node that sends contributions has a hidden tag "now". `picture_of` and the widget show a frame by
    adding the class `dark-now` to one node and `dark-sends` to edges, and heat maps to nodes.
    """
    diagram = diagram_of(tuple(replace(box, grad=_reserved(frames, i)) for i, box in enumerate(boxes)))
    nodes = tuple([replace(node, tip=description(box)) for node, box in zip(diagram.nodes, boxes)])
    positions = positions_of(diagram, layout)
    root = diagram_svg.picture_of(replace(diagram, nodes=nodes), positions, title, alt)
    SubElement(root, "style").text = STYLE
    marker = SubElement(SubElement(root, "defs"), "marker", ARROW)
    SubElement(marker, "path", {"d": "M0,0L10,5L0,10z", "fill": GRADIENT_COLOR})
    for i in {frame.now for frame in frames}:
        left, _, _, bottom = positions.nodes[i].edges
        _add_tag(svg.node_of(root, i), left, bottom)
    return svg.write(root)


def picture_of(base_picture: str, frame: Frame, alt: str, prefix: str) -> str:
    """Return the picture of a frame; the prefix of each id lets a page hold several pictures."""
    root = deepcopy(svg.parse(base_picture))
    root.set("aria-label", alt)
    root.find("desc").text = alt
    for i, text in enumerate(frame.grads):
        if text is not None:
            lines = f"grad {text}".split("\n")
            for element, line in zip(svg.node_of(root, i).findall("text")[-len(lines) :], lines, strict=True):
                element.text = line
        summary = frame.maps[i]
        if summary:
            place = place_of(root, i)
            place.append(gradient_heat_map(place, summary))
    _add_class(svg.node_of(root, frame.now), "dark-now")
    for edge in frame.edges:
        _add_class(root.find(f".//g[@id='{edge}']"), "dark-sends")
    for element in root.iter("g"):
        element.set("id", prefix + element.get("id", ""))
    return svg.write(root)


def place_of(root: Element, i: int) -> Element:
    """Return the place that is reserved for the heat map of the gradient of box number i."""
    return svg.node_of(root, i).find(f"g[@class='{RESERVED}']")


def gradient_heat_map(place: Element, summary: Summary) -> Element:
    """Draw the heat map of a gradient at its place."""
    return heat_map(summary, *map(float, place.get("data-place", "").split()))


def _reserved(frames, i):
    """Return the space box number i needs for the texts of all frames, and for their heat maps if any."""
    texts = [frame.grads[i] for frame in frames]
    if texts[0] is None:
        return None
    longest = [max(lines, key=len) for lines in zip(*(text.split("\n") for text in texts), strict=True)]
    return Reserved("\n".join(longest), next((frame.maps[i] for frame in frames if frame.maps[i]), None))


def _add_class(element, name):
    element.set("class", f"{element.get('class')} {name}")


def _add_tag(node, left, bottom):
    tag = SubElement(node, "g", {"class": "dark-tag"})
    outline = {"x": f"{left:g}", "y": f"{bottom:g}", "width": "32", "height": "14"}
    SubElement(tag, "rect", outline | {"fill": TEXT_COLOR})
    position = {"x": f"{left + 16:g}", "y": f"{bottom + 10:g}", "text-anchor": "middle"}
    SubElement(tag, "text", position | {"font-size": "11", "fill": "white"}).text = MARK_LABELS["now"]
