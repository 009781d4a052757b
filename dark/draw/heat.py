"""Heat maps: the cells of a summary as squares, readable without colour.

The darker a cell, the larger the number in it: from the smallest magnitude, white, to the largest,
or from 0 where both signs occur. A cell of negative numbers carries a minus sign, a cell with a NaN
is crossed out.
"""

from math import ceil, copysign
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
    >>> from dark.draw.summary import summary_of
    >>> room(summary_of(np.ones(3))), room(summary_of(np.ones((3, 3)))), room(summary_of(np.ones((50, 50))))
    (0, 3, 7)
    """
    return ceil((len(summary.cells) * side(summary) + GAP) / LINE) if summary.cells else 0


def side(summary):
    """Return the side of a cell in points."""
    return min(LARGEST, WIDEST / max(len(summary.cells), len(summary.cells[0])))


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
        A group: one path for each tone, then minus signs, crosses and a frame.
    """
    size, rows, columns = side(summary), len(summary.cells), len(summary.cells[0])
    left = corner_of(summary, middle, top)[0]
    paths = {}
    for r, row in enumerate(summary.cells):
        for c, value in enumerate(row):
            x, y = left + c * size, top + r * size
            for look, path in _strokes(value, x, y, size):
                paths.setdefault(look, []).append(path)
    group = Element("g", {"class": "dark-heat"})
    for fill, stroke in sorted(paths):
        look = {"fill": fill, "stroke": stroke} | ({} if stroke == "none" else {"stroke-width": "1"})
        SubElement(group, "path", {"d": "".join(paths[fill, stroke])} | look)
    place = {"x": f"{left:.2f}", "y": f"{top:.2f}", "width": f"{size * columns:.2f}", "height": f"{size * rows:.2f}"}
    SubElement(group, "rect", place | {"fill": "none", "stroke": FRAME, "stroke-width": "0.7"})
    return group


def corner_of(summary, middle, top):
    """Return the upper left corner of a heat map."""
    return middle - side(summary) * len(summary.cells[0]) / 2, top


def sign_of(value):
    """Return the sign in a cell: a minus below 0, a cross for NaN, else nothing.

    Examples
    --------
    >>> sign_of(0.5), sign_of(-0.5), sign_of(float("nan"))
    ('', '–', '×')
    """
    return "×" if value != value else "–" if copysign(1, value) < 0 else ""


def tone(value):
    """Return the colour of a cell, and whether it is dark; grey for NaN.

    Examples
    --------
    >>> tone(0.0), tone(1.0), tone(-1.0)
    (('#ffffff', False), ('#08306b', True), ('#7f2704', True))
    """
    if value != value:
        return "#d5dae0", False
    level = round(abs(value) * LEVELS)
    parts = (round(255 + (dark - 255) * level / LEVELS) for dark in DARKEST[int(copysign(1, value))])
    return "#" + "".join(f"{part:02x}" for part in parts), level > LEVELS / 2


def _strokes(value, x, y, size):
    """Say what is drawn for one cell: looks (fill, stroke), each with its path."""
    fill, dark = tone(value)
    strokes = [((fill, "none"), f"M{x:.2f},{y:.2f}h{size:.2f}v{size:.2f}h{-size:.2f}z")]
    sign, a, b = sign_of(value), size * 0.2, size * 0.6
    if sign == "×":
        cross = f"M{x + a:.2f},{y + a:.2f}l{b:.2f},{b:.2f}m{-b:.2f},0l{b:.2f},{-b:.2f}"
        strokes.append((("none", INK), cross))
    elif sign:
        strokes.append((("none", "white" if dark else INK), f"M{x + a:.2f},{y + size / 2:.2f}h{b:.2f}"))
    return strokes
