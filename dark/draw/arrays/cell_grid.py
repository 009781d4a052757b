"""Grids of labeled cells as SVG, for the picture of broadcasting."""

from xml.etree.ElementTree import SubElement

from dark.draw import svg
from dark.draw.color_themes import BOXES, EDGE_COLOR, GRADIENT_COLOR, TEXT_COLOR

CELL = 46.0  # points
LINE_HEIGHT = 15.0
STYLES = {  # fill and border of a cell, and the color of its label
    "own": ({"fill": BOXES["parameter"][0], "stroke": BOXES["parameter"][1], "stroke-width": "2"}, TEXT_COLOR),
    "repeated": ({"fill": "white", "stroke": EDGE_COLOR, "stroke-dasharray": "3,3"}, EDGE_COLOR),
    "result": ({"fill": "white", "stroke": TEXT_COLOR, "stroke-width": "1.2"}, TEXT_COLOR),
    "gradient": ({"fill": BOXES["gradient"][0], "stroke": "#d9a57f"}, GRADIENT_COLOR),
    "sum": ({"fill": BOXES["gradient"][0], "stroke": GRADIENT_COLOR, "stroke-width": "2"}, GRADIENT_COLOR),
}


def page(width, height, title, alt):
    """Return an empty picture with its title, its description and a white background."""
    root = svg.empty_page(width, height, title, alt)
    SubElement(root, "rect", {"width": "100%", "height": "100%", "fill": "white"})
    return root


def grid(root, x, y, cells):
    """Draw rows of cells, each a pair of style and label, from the upper left corner (x, y)."""
    # Solid borders last, so that dashed ones do not cover them.
    every = [(*cell, r, c) for r, row in enumerate(cells) for c, cell in enumerate(row)]
    for style, text, r, c in sorted(every, key=lambda cell: cell[0] in ("own", "sum")):
        box, color = STYLES[style]
        left, top = x + c * CELL, y + r * CELL
        size = {"x": f"{left:g}", "y": f"{top:g}", "width": f"{CELL:g}", "height": f"{CELL:g}"}
        SubElement(root, "rect", size | box)
        font_size = "11" if len(text) < 7 else "10"
        write(root, left + CELL / 2, top + CELL / 2 + 4, text, {"fill": color, "font-size": font_size})


def outline(root, x, y, rows, columns):
    """Draw a frame around cells that are summed."""
    size = {"width": f"{columns * CELL - 6:g}", "height": f"{rows * CELL - 6:g}", "rx": "7"}
    style = {"fill": "none", "stroke": GRADIENT_COLOR, "stroke-width": "2"}
    SubElement(root, "rect", {"x": f"{x + 3:g}", "y": f"{y + 3:g}"} | size | style)


def arrow(root, x, y, dx, dy):
    """Draw an arrow from (x, y); one of `dx` and `dy` is 0."""
    line = {"d": f"M{x:g},{y:g}l{dx:g},{dy:g}", "stroke": GRADIENT_COLOR, "stroke-width": "1.6", "fill": "none"}
    SubElement(root, "path", line)
    head = "l-7,-4v8z" if dx else "l-4,-7h8z"
    SubElement(root, "path", {"d": f"M{x + dx:g},{y + dy:g}{head}", "fill": GRADIENT_COLOR})


def write(root, x, y, text, style=None):
    """Draw a line of text, centered at x, with its baseline at y."""
    position = {"x": f"{x:g}", "y": f"{y:g}", "text-anchor": "middle", "font-size": "12", "fill": TEXT_COLOR}
    SubElement(root, "text", position | (style or {})).text = text


def write_lines(root, x, y, lines):
    """Draw several lines of text, each below the one before."""
    for k, line in enumerate(lines):
        write(root, x, y + k * LINE_HEIGHT, line)
