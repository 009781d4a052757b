"""The shapes of nodes, the lines between their fields, and arrowheads, as elements of SVG."""

from math import hypot
from xml.etree.ElementTree import SubElement

from dark.draw.diagram.diagram import EDGE

CORNER = 12.0  # points, the radius of the corners of a parameter
FOLD, TAB, TAB_HEIGHT = 6.0, 27.0, 4.0  # of a note, of a folder
DASHES = {"dashed": "5,2", "dotted": "1,5"}
LENGTH, HALF_WIDTH = 10 * float(EDGE["arrowsize"]), 3.5 * float(EDGE["arrowsize"])
# The border of an arrowhead is drawn around its tip, too: it is moved back by what the border adds.
MITER = float(EDGE["penwidth"]) / 2 * hypot(LENGTH, HALF_WIDTH) / HALF_WIDTH
ARROW_ROOM = LENGTH + MITER - 0.3


def pen_of(look, color):
    """Return the attributes of a line: color, width and dashes."""
    pen = {"stroke": color, "stroke-width": look["penwidth"]}
    for word in set(look.get("style", "").split(",")) & set(DASHES):
        pen["stroke-dasharray"] = DASHES[word]
    return pen


def add_shape(group, look, place):
    """Add the outline of a node, or of a frame, to its group."""
    draw = SHAPES.get(look["shape"])
    if draw:
        pen = pen_of(look, look["color"])
        draw(group, place, {"fill": look["fillcolor"]} | pen, {"fill": "none"} | pen)


def add_separators(group, node, places):
    """Add the lines between the fields of a record."""
    if not node.is_record:
        return
    pen = {"fill": "none"} | pen_of(node.look, node.look["color"])
    for place in places[1:]:
        left, top, right, bottom = place.edges
        SubElement(group, "polyline", pen | _points((left, top), (right, top) if node.is_stacked else (left, bottom)))


def add_arrowhead(group, end, tip, style):
    """Add the head of an arrow: from the end of its line to a tip."""
    (a, b), (x, y) = end, tip
    size = hypot(x - a, y - b) or 1.0
    across, along = (x - a) / size, (y - b) / size
    x, y = x - across * MITER, y - along * MITER
    base, wide = (x - across * LENGTH, y - along * LENGTH), (along * HALF_WIDTH, across * HALF_WIDTH)
    corners = (base[0] - wide[0], base[1] + wide[1]), (x, y), (base[0] + wide[0], base[1] - wide[1])
    SubElement(group, "polygon", style | _points(*corners, corners[0]))


def _record(group, place, look, pen):
    left, top, right, bottom = place.edges
    corners = (left, bottom), (left, top), (right, top), (right, bottom), (left, bottom)
    SubElement(group, "polygon", look | _points(*corners))


def _rounded(group, place, look, pen):
    left, top, right, bottom = place.edges
    r = min(CORNER, place.width / 2, place.height / 2)
    corners = ((right, bottom, 1, 1), (right, top, 1, -1), (left, top, -1, -1), (left, bottom, -1, 1))
    path = f"M{_pair(left + r, bottom)}"
    for k, (x, y, a, b) in enumerate(corners):
        ends = [(x - a * r, y), (x - a * r / 2, y), (x, y - b * r / 2), (x, y - b * r)][:: -1 if k % 2 else 1]
        path += f"L{_pair(*ends[0])}C{' '.join(_pair(*point) for point in ends[1:])}"
    SubElement(group, "path", look | {"d": path})


def _ellipse(group, place, look, pen):
    center = {"cx": short(place.x), "cy": short(place.y)}
    SubElement(group, "ellipse", look | center | {"rx": short(place.width / 2), "ry": short(place.height / 2)})


def _note(group, place, look, pen):
    left, top, right, bottom = place.edges
    fold, inner = (right - FOLD, top), (right - FOLD, top + FOLD)
    corners = fold, (left, top), (left, bottom), (right, bottom), (right, top + FOLD), fold
    SubElement(group, "polygon", look | _points(*corners))
    SubElement(group, "polyline", pen | _points(fold, inner))
    SubElement(group, "polyline", pen | _points((right, top + FOLD), inner))


def _folder(group, place, look, pen):
    left, top, right, bottom = place.edges
    tab = min(TAB, place.width / 2)
    corners = (right, top), (right - 3, top - TAB_HEIGHT), (right - tab + 3, top - TAB_HEIGHT), (right - tab, top)
    SubElement(group, "polygon", look | _points(*corners, (left, top), (left, bottom), (right, bottom), (right, top)))


def _points(*points):
    return {"points": " ".join(_pair(x, y) for x, y in points)}


def _pair(x, y):
    return f"{short(x)},{short(y)}"


def short(number):
    """Format a coordinate in points with at most two decimals."""
    return f"{round(number, 2) + 0.0:.2f}".rstrip("0").rstrip(".")


SHAPES = {"record": _record, "Mrecord": _rounded, "ellipse": _ellipse, "note": _note, "folder": _folder}
