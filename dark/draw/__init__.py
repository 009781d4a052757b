"""Pictures of graphs: `draw(node)`, the backward pass step by step, a path on a curve.

Reading order: `boxes` (a graph as plain data), `dot` (boxes as DOT), `layout` and `svg` (DOT as a
picture), `drawing` (the picture that shows itself), `steps`, `film` and `widget` (the backward
pass); beside them `curve` and `hierarchy`. Drawn is anything that has `inputs`, `value`, `op` and
`grad`: our nodes, and a student's own.
"""

from dark.draw.boxes import Box, boxes_of
from dark.draw.curve import CurvePicture, path_on_curve
from dark.draw.drawing import Drawing, draw, draw_boxes
from dark.draw.film import FilmStrip
from dark.draw.hierarchy import hierarchy

__all__ = [
    "Box",
    "CurvePicture",
    "Drawing",
    "FilmStrip",
    "boxes_of",
    "draw",
    "draw_boxes",
    "hierarchy",
    "path_on_curve",
]
