"""`draw`: draw a graph of nodes, or a network."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from dark.checks import boolean, describe
from dark.draw.adapters.dark_networks import root_of
from dark.draw.adapters.dark_nodes import nodes as nodes_of_dark
from dark.draw.adapters.failed_network import NetworkError
from dark.draw.adapters.registry import adapter_of, graph_record
from dark.draw.draw_boxes import MOST_IN_DOT, MOST_NODES, drawing_of, few, note_of
from dark.draw.graph.graph_record import GraphRecord
from dark.draw.graph.grouping import fold_groups
from dark.draw.graph.module_folding import box_of_record, checked_open, fold_modules
from dark.draw.graph.near_root import near_root
from dark.draw.graph.traverse import is_node
from dark.draw.picture.drawing import Drawing
from dark.draw.training.module_tree import module_tree
from dark.errors import DrawingError, KeywordError, UsageError, near_misses
from dark.nodes import Node

MOST_OPEN = 5_000  # boxes in a picture in which all modules were asked to be open
MOST_FOLDED = 100_000
DEFAULT_DEPTH = 5  # the depth at which a graph is drawn that is too large to fold
DIRECTIONS = ("TB", "LR")
OPEN_HINT = "draw(node, open=…) opens modules"
OPTIONS = ("model", "gradients", "title", "depth", "open", "detail", "direction", "grad_fn", "arguments")


def draw(
    node: Any,
    /,
    *inputs: Any,
    model: Any = None,
    gradients: bool = True,
    title: str | None = None,
    depth: int | None = None,
    open: bool | int | str | Sequence[str] | None = None,
    detail: str | None = None,
    direction: str | None = None,
    grad_fn: bool = False,
    arguments: Mapping[str, Any] | None = None,
    **keywords: Any,
) -> Drawing:
    """Draw the computational graph of a node, or a network as it runs.

    Parameters
    ----------
    node : Node or Module
        The root of a graph: any object with `inputs`, `value`, `op` and `grad`; what `graph_record` reads, such as a
        result of PyTorch; or a `GraphRecord`. A network is drawn
        as a tree of its modules, or, with inputs, as the calls that compute its result for them; and so is a function
        of tensors.
    *inputs : object
        The arguments with which a copy of the network is called once: copies of them. Nothing of the network, the
        arguments and the random generators changes.
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
    detail : {"layers"}, optional
        By default each operation is drawn with its value. With "layers", one box a layer: the class of the module, the
        shapes of its input and its result, and the number of its parameters.
    direction : {"TB", "LR"}, optional
        From top to bottom, the default, or from left to right. A tree of modules is always from left to right.
    grad_fn : bool, default False
        Whether a network of PyTorch is drawn as autograd's own graph. By default there is one box a call of a
        function, also where no gradient flows.
    arguments : mapping, optional
        Arguments of the network by keyword that have the name of one of these options: ``arguments={"title": x}``.
    **keywords : object
        Other arguments of the network by keyword: ``draw(bert, input_ids=ids, attention_mask=mask)``.

    Raises
    ------
    NetworkError
        If the network fails: a `DrawingError` whose `drawing` is the picture of the calls up to the one that failed.

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
    grad_fn = boolean(grad_fn, "draw", "grad_fn")
    named = {"title": title, "depth": depth, "model": model, "detail": detail, "direction": direction}
    if arguments is not None or any(option is not None for option in named.values()):
        keywords |= _arguments(arguments, **named)
    layers = _one_of(detail, "detail", (None, "layers")) == "layers"
    direction = _one_of(direction, "direction", (None, *DIRECTIONS)) or DIRECTIONS[0]
    is_own, network = isinstance(node, Node), not isinstance(node, Node) and is_network(node)
    if network and not inputs and not keywords:
        return module_tree(node, depth=depth, title=title)
    is_of_others = not is_own and adapter_of(node, *inputs, *keywords.values()) is not None
    if keywords and not is_of_others and not network:
        raise KeywordError(
            f"draw() got an unexpected keyword argument {next(iter(keywords))!r}.",
            f"one of the options {', '.join(OPTIONS)}.",
            f"{near_misses(next(iter(keywords)), OPTIONS)}; other keywords are arguments of a network, with its inputs",
        )
    try:
        if network and not is_of_others and depth is not None:
            node = root_of(node, inputs, keywords)
        if is_own or (is_node(node) and not is_of_others):
            record = nodes_of_dark(node, model=model, most=MOST_FOLDED) if depth is None else None
        else:
            record = graph_record(node, *inputs, model=model, grad_fn=grad_fn, keywords=keywords)
    except NetworkError as error:
        error.drawing = replace(_picture(error.record, open, gradients, title, True, layers), direction=direction)
        raise
    if record is None:
        return replace(_near(node, depth, gradients, title), direction=direction)
    drawing = _picture(record, open, gradients, title, is_of_others, layers)
    return replace(drawing, direction=direction, is_compact=layers)


def _one_of(value, name, known):
    if value not in known:
        raise UsageError(
            f"draw: {name} must be one of {', '.join(map(repr, known))}, got {value!r}.",
            "one of these.",
            f"draw(network, x, {name}={known[-1]!r})",
        )
    return value


def _arguments(arguments, **options):
    """Return arguments that have the name of an option; an error for a tensor in place of an option."""
    for name, option in options.items():
        if hasattr(option, "shape") and not isinstance(option, np.generic):
            raise DrawingError(
                f"draw: the option {name} cannot be {describe(option)}.",
                f"the option {name} of draw; an argument of the network with this name is given in `arguments`.",
                f'dark.draw(network, arguments={{"{name}": {name}}})',
            )
    if arguments is not None and not isinstance(arguments, Mapping):
        raise DrawingError(
            f"draw: arguments must be a dict, got {describe(arguments)}.",
            "a dict of arguments of the network.",
            'dark.draw(network, arguments={"title": x})',
        )
    return dict(arguments or {})


def _picture(record, open, gradients, title, is_of_others, layers):
    """Draw a record: in its modules, or, without any, as it is; or its layers."""
    if not layers and open is None and not any(n.path and n.operation for n in record.nodes):
        return _without_modules(record, gradients, title, titles={} if is_of_others or record.modules else None)
    folded = fold_modules(record, open, layers)
    is_folded = bool(folded.folded) and not layers
    boxes, note = folded.boxes, f"{len(record)} nodes in {len(folded.boxes)} boxes; {OPEN_HINT}" * is_folded
    if len(boxes) > (MOST_NODES if open is None else MOST_OPEN):
        boxes, _ = few(boxes)
        note = note_of(len(record), len(boxes))
    nodes = tuple([record.nodes[i].extras.get("node") for i in folded.indices]) if not note and not layers else ()
    note = "; ".join(filter(None, (record.note, note)))
    return drawing_of(boxes, note, gradients, title, nodes, folded.titles, record)


def is_network(thing: Any) -> bool:
    """Return whether an object is a network, of any framework with `named_children` and `named_parameters`."""
    return not isinstance(thing, type) and all(
        callable(getattr(thing, name, None)) for name in ("named_children", "named_parameters")
    )


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
        return drawing_of(boxes, record.note, gradients, title, known, titles, record)
    outlines = tuple([box_of_record(node, inputs, full=False) for node, inputs in zip(nodes, links)])
    groups = fold_groups(outlines, lambda i: box_of_record(nodes[i], links[i], maps=maps))
    note = "; ".join(filter(None, (record.note, note_of(len(nodes), len(groups)))))
    return drawing_of(groups, note, gradients, title, record=record)
