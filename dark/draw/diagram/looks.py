"""The looks of boxes: parameters, constants and results differ in shape and border, not only in color.

A parameter is a rounded record with a thick border, a constant an ellipse with a dashed border, a result
a square record with a thin border. A constant array is a note with a dashed border, a group of nodes a
folder.
"""

from dark.draw.color_themes import BOXES, TEXT_COLOR

FITS, INCHES = 12, 0.0075  # characters in an ordinary margin, and the margin of each further one
SHAPES = {
    "parameter": {"shape": "Mrecord", "style": "filled", "penwidth": "2.8"},
    "constant": {"shape": "ellipse", "style": "filled,dashed", "penwidth": "1.2", "margin": "0.06,0.02"},
    "input": {"shape": "record", "style": "filled,dotted", "penwidth": "2"},
    "result": {"shape": "record", "style": "filled", "penwidth": "1.3"},
    "group": {"shape": "folder", "style": "filled", "penwidth": "1.6"},
}
COLORS = {kind: {"color": border, "fillcolor": fill} for kind, (fill, border) in BOXES.items()}
STYLES = {kind: shape | COLORS[kind] for kind, shape in SHAPES.items()}
STYLES["folded"] = {"shape": "plaintext", "color": TEXT_COLOR}
WRONG = {"style": "filled,dashed", "penwidth": "4.5"} | COLORS["wrong"]
NOTE = {"shape": "note", "margin": "0.14,0.07"}  # an ellipse around many lines would be much larger than they are


def margin_for(lines, fits=FITS):
    """Return the attributes of a box with long lines: a wider margin, for fonts that are wider than that of the layout.

    Examples
    --------
    >>> margin_for(["x = 10", "grad 40"]), margin_for(["x" * 40])
    ({}, {'margin': '0.35,0.07'})
    """
    longest = max(map(len, lines), default=0)
    return {} if longest <= fits else {"margin": f"{0.14 + INCHES * (longest - fits):.3g},0.07"}
