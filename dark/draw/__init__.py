"""Pictures of graphs, arrays and trainings: `draw(node)`, the backward pass step by step, and more.

The package can be called: ``dark.draw(node, *, gradients=True, title=None, depth=None)`` is the function `draw`.
It returns a `Drawing`, which displays itself in a notebook, and has `.save("x.svg")`, `.steps()` and `.widget()`.
Any object with `inputs`, `value`, `op` and `grad` can be drawn: the nodes of `dark`, and a student's own.

Reading order: `labels`, `svg`, `saving` and `text_table`, which the subpackages share; `arrays` (summaries, heat maps,
broadcasting); `graph` (computational graphs and their backward pass); `training` (networks, curves, confusion
matrices, loss landscapes, timelines). Each of them imports only those before it: `training` imports `graph` and
`arrays`, `graph` imports `arrays`, and all of them the shared files.
"""

import sys
from types import ModuleType

from dark.draw.graph.boxes import Box, boxes_of
from dark.draw.arrays.broadcast import BroadcastPicture, broadcasting
from dark.draw.training.confusion_matrix import confusion
from dark.draw.training.path_on_curve import CurvePicture, path_on_curve
from dark.draw.graph.draw_graph import draw, draw_boxes
from dark.draw.training.figure_picture import FigurePicture
from dark.draw.graph.film_strip import FilmStrip
from dark.draw.graph.class_diagram import hierarchy
from dark.draw.training.loss_landscape import landscape
from dark.draw.training.module_tree import module_tree
from dark.draw.graph.drawing import Drawing
from dark.draw.training.training_curves import curves
from dark.draw.training.timeline import timeline

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
