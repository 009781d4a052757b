"""Heat maps: the cells of a summary as squares, readable without colour.

The darker a cell, the larger the number in it: from the smallest magnitude, white, to the largest,
or from 0 where both signs occur. A cell of negative numbers carries a minus sign, a cell with a NaN
is crossed out, and one with an infinite number carries two rings, above the minus if it is negative.
"""

from math import ceil, copysign, isinf
from xml.etree.ElementTree import Element, SubElement

INK, FRAME = "#1f2933", "#52606d"
LINE = 15.6  # points from one line of a label to the next, as the engines set it
WIDEST, LARGEST, GAP = 96.0, 11.0, 5.0
LEVELS = 6
DARKEST = {1: (8, 48, 107), -1: (127, 39, 4)}  # blue above 0, brown below; equally dark


def room(summary):
    """Return how many lines of a label a heat map takes.

    Examples
    --------
    >>> import numpy as np
    >>> from dark.draw.arrays.array_summary import summary_of
    >>> room(summary_of(np.ones(3))), room(summary_of(np.ones((3, 3)))), room(summary_of(np.ones((50, 50))))
    (0, 3, 7)
    """
    return ceil((len(summary.cells) * side(summary) + GAP) / LINE) if summary.cells else 0


def side(summary):
    """Return the side of a cell in points."""
    return min(LARGEST, WIDEST / max(len(summary.cells), len(summary.cells[0])))


def width(summary):
    """Return the width of a heat map in points."""
    return side(summary) * len(summary.cells[0])


def heat_map(summary, middle, top):
    """Draw the cells of a summary.

    Parameters
    ----------
    summary : Summary
        With cells.
    middle, top : float
        Where the heat map is: the middle of its width, and its upper edge.

    Returns
    -------
    xml.etree.ElementTree.Element
        A group: one path for each tone, as thick as a cell; then signs, crosses and a frame.
    """
    size, rows, columns = side(summary), len(summary.cells), len(summary.cells[0])
    left = corner_of(summary, middle, top)[0]
    tones, signs = {}, {}
    for r, row in enumerate(summary.cells):
        for c, value in enumerate(row):
            x, y = left + c * size, top + r * size
            fill, dark = tone(value)
            tones.setdefault(fill, []).append(f"M{_short(x)},{_short(y + size / 2)}h{_short(size)}")
            signs.setdefault("white" if dark else INK, []).append(_sign(sign_of(value), x, y, size))
    group = Element("g", {"class": "dark-heat"})
    for paths, width in ((tones, size), (signs, 1)):
        for stroke, path in sorted((stroke, "".join(path)) for stroke, path in paths.items()):
            if path:
                look = {"fill": "none", "stroke": stroke, "stroke-width": _short(width)}
                SubElement(group, "path", {"d": path} | look)
    place = {"x": _short(left), "y": _short(top), "width": _short(size * columns), "height": _short(size * rows)}
    SubElement(group, "rect", place | {"fill": "none", "stroke": FRAME, "stroke-width": "0.7"})
    return group


def corner_of(summary, middle, top):
    """Return the upper left corner of a heat map."""
    return middle - width(summary) / 2, top


def sign_of(value):
    """Return the sign in a cell: a minus below 0, ∞ for an infinite number, a cross for NaN, else nothing.

    Examples
    --------
    >>> sign_of(0.5), sign_of(-0.5), sign_of(float("nan")), sign_of(float("-inf"))
    ('', '–', '×', '–∞')
    """
    if value != value:
        return "×"
    return ("–" if copysign(1, value) < 0 else "") + ("∞" if isinf(value) else "")


def tone(value):
    """Return the colour of a cell, and whether it is dark; grey for NaN, the darkest for an infinite number.

    Examples
    --------
    >>> tone(0.0), tone(1.0), tone(-1.0)
    (('#ffffff', False), ('#08306b', True), ('#7f2704', True))
    """
    if value != value:
        return "#d5dae0", False
    level = round(min(abs(value), 1) * LEVELS)
    parts = (round(255 + (dark - 255) * level / LEVELS) for dark in DARKEST[int(copysign(1, value))])
    return "#" + "".join(f"{part:02x}" for part in parts), level > LEVELS / 2


def _sign(sign, x, y, size):
    """Write the sign of a cell, whose upper left corner is (x, y), as a path."""
    a, b, middle = size * 0.2, size * 0.6, x + size / 2
    if sign == "×":
        return f"M{_short(x + a)},{_short(y + a)}l{_short(b)},{_short(b)}m{_short(-b)},0l{_short(b)},{_short(-b)}"
    rings = _rings(middle, y + size * (0.38 if "–" in sign else 0.5), size * 0.19) if "∞" in sign else ""
    line = y + size * (0.8 if rings else 0.5)
    return rings + (f"M{_short(x + a)},{_short(line)}h{_short(b)}" if "–" in sign else "")


def _rings(x, y, radius):
    """Write two rings that touch at (x, y)."""
    arc = f"a{_short(radius)},{_short(radius)} 0 1 0 "
    ways = (2 * radius, -2 * radius, -2 * radius, 2 * radius)
    return f"M{_short(x)},{_short(y)}" + "".join(f"{arc}{_short(way)},0" for way in ways)


def _short(number):
    """Write a place in points, in as few characters as it takes."""
    return f"{number:.2f}".rstrip("0").rstrip(".")
