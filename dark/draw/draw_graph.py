"""`draw`: draw a graph of nodes, or a network."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from typing import Any

import numpy as np

from dark.checks import boolean
from dark.draw.adapters.dark_nodes import nodes as nodes_of_dark
from dark.draw.adapters.network_calls import input_names
from dark.draw.adapters.registry import adapter_of, graph_record
from dark.draw.draw_boxes import MOST_IN_DOT, MOST_NODES, drawing_of, few, note_of
from dark.draw.graph.graph_record import GraphRecord
from dark.draw.graph.grouping import fold_groups
from dark.draw.graph.module_folding import box_of_record, checked_open, fold_modules
from dark.draw.graph.near_root import near_root
from dark.draw.graph.traverse import is_node
from dark.draw.picture.drawing import Drawing
from dark.draw.training.module_tree import module_tree
from dark.errors import DrawingError
from dark.nodes import Constant

MOST_OPEN = 5_000  # boxes in a picture in which all modules were asked to be open
MOST_FOLDED = 100_000
DEFAULT_DEPTH = 5  # the depth at which a graph is drawn that is too large to fold
OPEN_HINT = "draw(node, open=…) opens modules"


def draw(
    node: Any,
    *inputs: Any,
    model: Any = None,
    gradients: bool = True,
    title: str | None = None,
    depth: int | None = None,
    open: bool | int | str | Sequence[str] | None = None,
) -> Drawing:
    """Draw the computational graph of a node, or a network.

    Parameters
    ----------
    node : Node or Module
        The root of a graph: any object with `inputs`, `value`, `op` and `grad`; what `graph_record` reads, such as a
        result of PyTorch; or a `GraphRecord`. A network is drawn
        as a tree of its modules, or, with inputs, as the graph of its result for them.
    *inputs : object
        The arguments with which a copy of the network is called once; its mode, its buffers and its random state do
        not change.
    model : Module, optional
        The network whose parameters have dotted names, and whose modules are frames. The results of an `nn.Module`
        know it themselves.
    gradients : bool, default True
        Whether to show the gradient of each node, next to its value and operation.
    title : str, optional
    depth : int, optional
        The largest distance from the root in edges, 1 or more; the nodes further away become one box. Of a tree of
        modules the number of levels.
    open : bool, int, str or sequence of str, optional
        Which modules are open: all (True), none (False), a number of levels, or those with these dotted names, in
        which `*` matches any text, and the modules around them. By default as many levels as 60 boxes hold.

    Notes
    -----
    For an array, value and gradient show shape, dtype, minimum, mean and maximum, or all elements if there
    are at most six. An array of one or two axes has a heat map, and so has its gradient: at most 16 x 16
    cells, each the mean of a block. The darker the cell, the larger its magnitude, from the smallest (white)
    to the largest, or from 0 if both signs occur; each heat map has its own scale. Negative cells carry a
    minus sign, cells with NaN are crossed out, and cells with infinite numbers carry ∞.

    A graph with modules, or with more than 60 nodes, is drawn in layers: the main path runs straight down, and the
    parameters and constants that a single operation uses are in its box. Of three or more blocks in a row that are
    equal, the first is drawn; its title counts them (`×16`), and ``open=True`` draws all.

    A graph without modules and of more than 300 nodes is folded into groups: by the names of the parameters, such
    as `layer1` for `layer1.weight`, else by depth. Of a graph of more than 100000 nodes the part near the root is
    drawn.

    The picture is a snapshot: later changes of the graph do not affect it.

    Examples
    --------
    >>> import dark
    >>> x = dark.Parameter(10, name="x")
    >>> fx = dark.add(dark.mul(2, dark.pow(x, 2)), 5)
    >>> fx.backward()
    >>> draw(fx)
    #  name  kind       operation  value  gradient  inputs
    0        constant   .          2      –
    1  x     parameter  .          10     40
    2        constant   .          2      –
    3        result     **         100    2         1 2
    4        result     *          200    1         0 3
    5        constant   .          5      –
    6        result     +          205    1         4 5
    """
    gradients, open = boolean(gradients, "draw", "gradients"), checked_open(open)
    if is_network(node) and not inputs:
        return module_tree(node, depth=depth, title=title)
    is_of_others = adapter_of(node, *inputs) is not None
    if is_network(node) and not is_of_others:
        node, model = _run(node, inputs)
    if is_node(node) and not is_of_others:
        record = nodes_of_dark(node, model=model, most=MOST_FOLDED) if depth is None else None
    else:
        record = graph_record(node, *inputs, model=model)
    if record is None:
        return _near(node, depth, gradients, title)
    if open is None and not any(n.path and n.operation for n in record.nodes):
        return _without_modules(record, gradients, title, titles={} if is_of_others or record.modules else None)
    folded = fold_modules(record, open)
    boxes, note = folded.boxes, f"{len(record)} nodes in {len(folded.boxes)} boxes; {OPEN_HINT}" * bool(folded.folded)
    if len(boxes) > (MOST_NODES if open is None else MOST_OPEN):
        boxes, note = few(boxes)
    nodes = tuple([record.nodes[i].extras.get("node") for i in folded.indices]) if not note else ()
    return drawing_of(boxes, note, gradients, title, nodes, folded.titles, record)


def is_network(thing: Any) -> bool:
    """Return whether an object is a network, of any framework with `named_children` and `named_parameters`."""
    return not isinstance(thing, type) and all(
        callable(getattr(thing, name, None)) for name in ("named_children", "named_parameters")
    )


def _run(network, inputs):
    """Call a copy of a network, and return the first node of its result with the copy."""
    network = deepcopy(network)
    network.requires_grad_(True)  # a graph is recorded for parameters that are not frozen
    named = zip(input_names(network, inputs), inputs)
    result = network(*[_as_node(thing, name) for name, thing in named])
    waiting = [result]
    while waiting:
        thing = waiting.pop()
        if is_node(thing):
            return thing, network
        waiting += reversed(thing) if isinstance(thing, (tuple, list)) else ()
    raise DrawingError(
        f"draw: {type(network).__name__} returned {type(result).__name__}, not a node.",
        "a network whose result is a node of a graph.",
        "draw(network(x)), outside no_grad()",
    )


def _as_node(thing, name):
    """Return an array of numbers as a named constant, which is one box wherever the network uses it."""
    return Constant(thing, name=name) if isinstance(thing, np.ndarray) and thing.dtype.kind in "fc" else thing


def _near(node, depth, gradients, title):
    """Draw the part of a graph near its root."""
    boxes, nodes = near_root(node, DEFAULT_DEPTH if depth is None else depth)
    boxes, note = few(boxes)
    if depth is None and not note:
        note = f"the part near the root; the graph has more than {MOST_FOLDED} nodes"
    return drawing_of(boxes, note, gradients, title, () if note else nodes)


def _without_modules(record: GraphRecord, gradients, title, titles):
    """Draw a graph as it is, or in groups if it is large; only the values of nodes that are not folded are read.

    Graphviz lays out a small one of nodes, and not of a network; `titles` is None then.
    """
    nodes, links, maps = record.nodes, record.links, len(record.nodes) <= MOST_IN_DOT
    if len(nodes) <= MOST_NODES:
        boxes = tuple([box_of_record(node, inputs, maps=maps) for node, inputs in zip(nodes, links)])
        known = tuple([node.extras.get("node") for node in nodes])
        return drawing_of(boxes, "", gradients, title, known, titles, record)
    outlines = tuple([box_of_record(node, inputs, full=False) for node, inputs in zip(nodes, links)])
    groups = fold_groups(outlines, lambda i: box_of_record(nodes[i], links[i], maps=maps))
    return drawing_of(groups, note_of(len(nodes), len(groups)), gradients, title, record=record)
