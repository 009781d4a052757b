"""Heat maps: the cells of a summary as squares, readable without color; see `dark.draw.draw`."""

from math import ceil, copysign, isinf
from xml.etree.ElementTree import Element, SubElement

from dark.draw.arrays.array_summary import Summary
from dark.draw.color_themes import EDGE_COLOR, TEXT_COLOR

LINE = 15.6  # points between the lines of a label, as the layout engines place them
WIDEST, LARGEST, GAP = 96.0, 11.0, 5.0
LEVELS = 6
DARKEST = {1: (8, 48, 107), -1: (127, 39, 4)}  # blue above 0, brown below; equally dark


def height_in_lines(summary):
    """Return the height of a heat map in lines of a label."""
    return ceil((len(summary.cells) * side(summary) + GAP) / LINE) if summary.cells else 0


def side(summary):
    """Return the side length of a cell in points."""
    return min(LARGEST, WIDEST / max(len(summary.cells), len(summary.cells[0])))


def width(summary):
    """Return the width of a heat map in points."""
    return side(summary) * len(summary.cells[0])


def heat_map(summary: Summary, middle: float, top: float) -> Element:
    """Draw the cells of a summary as SVG, with the middle of the upper edge at (middle, top), in points.

    The group holds one path for each color, as thick as a cell; then signs, crosses and a frame.
    """
    size, rows, columns = side(summary), len(summary.cells), len(summary.cells[0])
    left = middle - width(summary) / 2
    tones: dict[str, list[str]] = {}
    signs: dict[str, list[str]] = {}
    for r, row in enumerate(summary.cells):
        for c, value in enumerate(row):
            x, y = left + c * size, top + r * size
            fill, dark = cell_color(value)
            tones.setdefault(fill, []).append(f"M{_short(x)},{_short(y + size / 2)}h{_short(size)}")
            signs.setdefault("white" if dark else TEXT_COLOR, []).append(_sign(sign_of(value), x, y, size))
    group = Element("g", {"class": "dark-heat"})
    for paths, thick in ((tones, size), (signs, 1)):
        for stroke, path in sorted((stroke, "".join(path)) for stroke, path in paths.items()):
            if path:
                style = {"fill": "none", "stroke": stroke, "stroke-width": _short(thick)}
                SubElement(group, "path", {"d": path} | style)
    position = {"x": _short(left), "y": _short(top), "width": _short(size * columns), "height": _short(size * rows)}
    SubElement(group, "rect", position | {"fill": "none", "stroke": EDGE_COLOR, "stroke-width": "0.7"})
    return group


def sign_of(value):
    """Return the sign in a cell: a minus below 0, ∞ for an infinite number, a cross for NaN, else ''."""
    if value != value:
        return "×"
    return ("–" if copysign(1, value) < 0 else "") + ("∞" if isinf(value) else "")


def cell_color(value):
    """Return the color of a cell and whether it is dark; gray for NaN, the darkest for an infinite number."""
    if value != value:
        return "#d5dae0", False
    level = round(min(abs(value), 1) * LEVELS)
    parts = (round(255 + (dark - 255) * level / LEVELS) for dark in DARKEST[int(copysign(1, value))])
    return "#" + "".join(f"{part:02x}" for part in parts), level > LEVELS / 2


def _sign(sign, x, y, size):
    """Return the SVG path of the sign in a cell whose upper left corner is (x, y)."""
    a, b, middle = size * 0.2, size * 0.6, x + size / 2
    if sign == "×":
        return f"M{_short(x + a)},{_short(y + a)}l{_short(b)},{_short(b)}m{_short(-b)},0l{_short(b)},{_short(-b)}"
    rings, radius = "", size * 0.19
    if "∞" in sign:  # two circles that touch
        arc = f"a{_short(radius)},{_short(radius)} 0 1 0 "
        ways = (2 * radius, -2 * radius, -2 * radius, 2 * radius)
        rings = f"M{_short(middle)},{_short(y + size * (0.38 if '–' in sign else 0.5))}"
        rings += "".join(f"{arc}{_short(way)},0" for way in ways)
    line = y + size * (0.8 if rings else 0.5)
    return rings + (f"M{_short(x + a)},{_short(line)}h{_short(b)}" if "–" in sign else "")


def _short(number):
    """Format a coordinate in points with at most two decimals."""
    return f"{number:.2f}".rstrip("0").rstrip(".")
