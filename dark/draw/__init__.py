"""Pictures of graphs: `draw(node)`, the backward pass step by step, a path on a curve.

The package can be called: ``dark.draw(node, *, gradients=True, title=None, depth=None)`` is `dark.draw.draw`,
described below. It returns a `Drawing`, which shows itself in a notebook, and has `.save("x.svg")`,
`.steps()` and `.widget()`.

Reading order: `reading` and `boxes` (a graph as plain data), `summary` (an array in it), `fields` and
`dot` (boxes as DOT), `layout` and `svg` (DOT as SVG), `heat` and `insets` (heat maps in it), `paper` (PNG
and PDF), `fold` and `groups` (a large graph), `picture` (the `Drawing` that shows itself), `drawing`
(`draw`); then `shares`, `steps`, `stage`, `film` and `widget` (the backward pass); beside them `curve`,
`hierarchy` and `broadcast`. Networks: `parts` and `modules`; `records`, `confusion`, `planes` and `landscape`.
Runs of an engine: `runs`.

Drawn is anything that has `inputs`, `value`, `op` and `grad`: our nodes, and a student's own.
"""

import sys
from types import ModuleType

from dark.draw.boxes import Box, boxes_of
from dark.draw.broadcast import BroadcastPicture, broadcasting
from dark.draw.confusion import confusion
from dark.draw.curve import CurvePicture, path_on_curve
from dark.draw.drawing import draw, draw_boxes
from dark.draw.figures import FigurePicture
from dark.draw.film import FilmStrip
from dark.draw.hierarchy import hierarchy
from dark.draw.landscape import landscape
from dark.draw.modules import module_tree
from dark.draw.picture import Drawing
from dark.draw.records import curves
from dark.draw.runs import timeline

__all__ = [
    "Box",
    "BroadcastPicture",
    "CurvePicture",
    "Drawing",
    "FigurePicture",
    "FilmStrip",
    "boxes_of",
    "broadcasting",
    "confusion",
    "curves",
    "draw",
    "draw_boxes",
    "hierarchy",
    "landscape",
    "module_tree",
    "path_on_curve",
    "timeline",
]


class _CallablePackage(ModuleType):
    """Lets ``dark.draw(node)`` draw, while ``dark.draw.hierarchy`` and the rest stay in reach."""

    def __call__(self, node, *, gradients=True, title=None, depth=None):
        return draw(node, gradients=gradients, title=title, depth=depth)

    __call__.__doc__ = draw.__doc__
    __call__.__qualname__ = "draw"  # the name in the error for a wrong keyword


sys.modules[__name__].__class__ = _CallablePackage
