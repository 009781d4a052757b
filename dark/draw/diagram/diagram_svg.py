"""A diagram with its positions as SVG: the same drawing, whatever laid it out."""

import re
from xml.etree.ElementTree import Element, SubElement

from dark.draw import svg
from dark.draw.arrays.heat_map import heat_map
from dark.draw.color_themes import PAPER, TEXT_COLOR
from dark.draw.diagram.card_svg import add_card, add_frame_title, add_legend, leaf_places, legend_width
from dark.draw.diagram.diagram import EDGE, FONT_SIZE, FRAME, LABEL_SIZE, LINE, Diagram
from dark.draw.diagram.node_shapes import add_arrowhead, add_separators, add_shape, pen_of, short
from dark.draw.diagram.positions import BASELINE, Positions, baselines, field_places, heading_room
from dark.draw.labels import one_line
from dark.draw.text_width import NO_BREAK

PAD = 14.4  # points around the picture
LEGEND_ROOM, ABOVE_LEGEND = 26.0, 12.0  # points below the picture, and of them above the legend
BELOW_LINE = 8.0  # points from the baseline of the last line to the heat map below it
INK = {"fill": TEXT_COLOR}
HALO = INK | {"stroke": PAPER, "stroke-width": "3", "paint-order": "stroke"}  # of texts beside edges
RESERVED = "dark-gradient"  # the class of the place of a heat map


def picture_of(diagram: Diagram, positions: Positions, title: str, alt: str) -> Element:
    """Draw a diagram as SVG in which each node and each edge is a group, with its id if it has one."""
    size, legend = positions.size, legend_width(diagram.legend)
    wide, high = round(max(size[0], legend) + 2 * PAD), round(size[1] + LEGEND_ROOM * bool(legend) + 2 * PAD)
    root = svg.empty_page(wide, high, title, alt)
    x = PAD + max(0.0, legend - size[0]) / 2
    whole = SubElement(root, "g", {"class": "graph", "transform": f"translate({x:g} {PAD:g})"})
    left, top, right, bottom = (short(end) for end in (-x, -PAD, wide - x, high - PAD))
    corners = f"{left},{bottom} {left},{top} {right},{top} {right},{bottom} {left},{bottom}"
    SubElement(whole, "polygon", {"fill": "white", "stroke": "none", "points": corners})
    _add_heading(whole, diagram, size[0] / 2)
    for frame, place in positions.frames:
        group = SubElement(whole, "g", {"class": "dark-module", "data-module": ".".join(frame.path)})
        add_shape(group, FRAME, place)
    for node, place in zip(diagram.nodes, positions.nodes, strict=True):
        _add_node(whole, node, place, diagram)
    edges = zip(positions.pieces or diagram.edges, positions.edges, strict=True)
    for edge, route in sorted(edges, key=lambda each: bool(each[1].label)):  # no edge crosses the text of another
        _add_edge(whole, edge, route)
    for frame, place in positions.frames:  # titles above the edges that cross them
        add_frame_title(whole, frame.title, place)
    if legend:
        add_legend(whole, diagram.legend, (size[0] - legend) / 2, size[1] + ABOVE_LEGEND)
    return root


def _add_node(parent, node, place, diagram):
    """Add a node as a group: its outline, and its fields or its card."""
    group = SubElement(parent, "g", _named(node.id, "node"))
    if node.tip:
        SubElement(group, "title").text = one_line(node.tip, len(node.tip))
    add_shape(group, node.look, place)
    if node.card is None:
        _add_fields(group, node, place, diagram)
        return
    for leaf, where in zip(node.leaves, leaf_places(node.card, place), strict=True):
        _add_node(group, leaf, where, diagram)
    add_card(group, node.card, place)


def _add_fields(group, node, place, diagram):
    places = field_places(node, place, diagram)
    for k, (x, y, *_) in enumerate(places):
        _add_lines(group, node.fields[k], x, baselines(node, k, y), FONT_SIZE, {"fill": node.inks.get(k, TEXT_COLOR)})
    if node.is_titled:
        group.find("text").set("font-weight", "bold")
    add_separators(group, node, places)
    top = max((baselines(node, k, places[k].y)[-1] for k in node.maps), default=0.0) + BELOW_LINE
    for k, summary in node.maps.items():
        if node.is_reserved and k == len(places) - 1:
            SubElement(group, "g", {"class": RESERVED, "data-place": f"{places[k].x:g} {top:g}"})
        else:
            group.append(heat_map(summary, places[k].x, top))


def _named(name, kind):
    return {"id": name, "class": kind} if name else {"class": kind}


def _add_heading(whole, diagram, x):
    size, lines = diagram.heading_size, diagram.heading
    top = heading_room(diagram)[1] / 2 - len(lines) / 2 * LINE * size
    _add_lines(whole, lines, x, [top + (n + 0.5) * LINE * size + BASELINE * size for n in range(len(lines))], size)


def _add_lines(group, lines, x, heights, size, look=INK):
    """Add lines of text at their baselines; those that are blank are left out."""
    for line, y in zip(lines, heights, strict=True):
        if line.strip():
            where = {"x": short(x), "y": short(y), "text-anchor": "middle"}
            style = {"font-size": f"{size:.2f}"} | look | {"xml:space": "preserve"}
            SubElement(group, "text", where | style).text = re.sub("(?<= ) ", NO_BREAK, line)


def _add_edge(whole, edge, route):
    group, color = SubElement(whole, "g", _named(edge.id, "edge")), EDGE["color"]
    pen = pen_of({"penwidth": EDGE["penwidth"]} | edge.look, color)
    start, *rest = [f"{short(x)},{short(y)}" for x, y in route.points]
    SubElement(group, "path", {"fill": "none"} | pen | {"d": f"M{start}C{' '.join(rest)}"})
    plain = pen_of({"penwidth": EDGE["penwidth"]}, color)
    if route.head:
        add_arrowhead(group, route.points[-1], route.head, {"fill": color} | plain)
    if route.tail:  # the empty head of an arrow to a base class
        add_arrowhead(group, route.points[0], route.tail, {"fill": "none"} | plain)
    if route.label:
        x, y = route.label
        _add_lines(group, (edge.label,), x, [y + BASELINE * LABEL_SIZE], LABEL_SIZE, HALO)
