"""Pictures of graphs, arrays and training runs: `draw(node)`, the backward pass step by step, and more.

The package can be called: it is the function `draw`, with the signature
``dark.draw(node, *inputs, model=None, gradients=True, title=None, depth=None, open=None, grad_fn=False,
arguments=None, **keywords)``. It returns a `Drawing`, which displays itself in a notebook, and has `.save("x.svg")`,
`.steps()` and `.widget()`. Any object with `inputs`, `value`, `op` and `grad` can be drawn: the nodes of `dark`, and a
student's own; a `GraphRecord`; and a network as it runs, with its inputs.

Reading order: `labels`, `color_themes`, `svg`, `text_width`, `saving`, `png`, `pdf`, `displayed` and
`text_table`, which all subpackages use; `arrays` (summaries, heat maps, broadcasting); `graph` (computational graphs as
plain data), `adapters` (how the graphs of each framework are read), `layered` (pictures in layers), `diagram` (boxes
and edges, laid out by Graphviz or in layers) and `picture` (graphs and their backward pass); `explore` (a page on which
a graph is explored); `findings` (what people look for in a graph); `training` (networks, learning curves, confusion
matrices, loss landscapes, timelines); `sketch` (a pad to draw on); `draw_boxes` and `draw_graph` (the function `draw`).
"""

import sys
from inspect import signature
from types import ModuleType
from typing import TYPE_CHECKING

from dark.draw.text_table import Table
from dark.draw.arrays.broadcast import BroadcastPicture, broadcasting
from dark.draw.graph.graph_record import GraphNode, GraphRecord
from dark.draw.graph.boxes import Box, boxes_of
from dark.draw.picture.film_strip import FilmStrip
from dark.draw.picture.one_step import Step
from dark.draw.picture.drawing import Drawing
from dark.draw.draw_boxes import draw_boxes
from dark.draw.draw_graph import draw
from dark.draw.picture.class_diagram import hierarchy
from dark.draw.adapters.registry import ADAPTERS, Adapter, graph_record
from dark.draw.findings.comparison import Comparison, compare
from dark.draw.findings.cost_report import CostReport
from dark.draw.findings.found_places import FoundPlaces
from dark.draw.findings.where import where
from dark.draw.training.figure_picture import FigurePicture
from dark.draw.training.training_curves import curves
from dark.draw.training.confusion_matrix import confusion
from dark.draw.training.path_on_curve import CurvePicture, path_on_curve
from dark.draw.training.loss_landscape import landscape
from dark.draw.training.timeline import TimelinePicture, timeline
from dark.draw.training.module_tree import module_tree
from dark.draw.training.formula import formula
from dark.draw.sketch.sketch_pad import sketch_pad

__all__ = [
    "ADAPTERS",
    "Adapter",
    "Box",
    "BroadcastPicture",
    "Comparison",
    "CostReport",
    "CurvePicture",
    "Drawing",
    "FigurePicture",
    "FilmStrip",
    "FoundPlaces",
    "GraphNode",
    "GraphRecord",
    "Step",
    "Table",
    "TimelinePicture",
    "boxes_of",
    "broadcasting",
    "compare",
    "confusion",
    "curves",
    "draw",
    "draw_boxes",
    "formula",
    "graph_record",
    "hierarchy",
    "landscape",
    "module_tree",
    "path_on_curve",
    "sketch_pad",
    "timeline",
    "where",
]


class DrawPackage(ModuleType):
    """The class of this package: a module that can be called, like the function `draw`."""

    if TYPE_CHECKING:  # the functions of the package, to complete and check ``dark.draw.confusion(…)``
        boxes_of = staticmethod(boxes_of)
        broadcasting = staticmethod(broadcasting)
        compare = staticmethod(compare)
        confusion = staticmethod(confusion)
        curves = staticmethod(curves)
        draw = staticmethod(draw)
        draw_boxes = staticmethod(draw_boxes)
        formula = staticmethod(formula)
        graph_record = staticmethod(graph_record)
        hierarchy = staticmethod(hierarchy)
        landscape = staticmethod(landscape)
        module_tree = staticmethod(module_tree)
        path_on_curve = staticmethod(path_on_curve)
        sketch_pad = staticmethod(sketch_pad)
        timeline = staticmethod(timeline)
        where = staticmethod(where)

    __call__ = staticmethod(draw)
    __signature__ = signature(draw)


# Python looks up `__call__` in the class, so a module with ``dark.draw(node)`` and ``dark.draw.confusion(…)`` needs
# a class of its own. Assigning `__class__` is the way the Python reference gives for that.
sys.modules[__name__].__class__ = DrawPackage
