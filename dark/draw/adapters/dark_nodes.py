"""The graphs of `dark`, and of every class with `inputs` and `value`, such as a student's own."""

from collections.abc import Mapping
from functools import cache, partial
from math import inf
from typing import Any

from dark.draw.adapters.module_calls import called_modules
from dark.draw.adapters.module_paths import with_paths
from dark.draw.adapters.tensor_parts import named_parts
from dark.draw.graph.graph_record import GraphNode, GraphRecord
from dark.draw.graph.traverse import (
    field_of,
    inputs_of,
    is_node,
    kind_of,
    printable,
    readable_grad,
    text_of,
    topological_order,
)
from dark.draw.labels import shape_of
from dark.nodes import Node, value_of
from dark.nodes import topological_order as nodes_of

_name_of_dtype = cache(str)  # NumPy makes it anew each time


def nodes(
    root: Any, *, model: Any = None, most: float = inf, detached: Mapping[int, Any] | None = None
) -> GraphRecord | None:
    """Return the record of the graph of a node; None if it has more than `most` nodes.

    `op`, `grad`, `name` and `settings` of a node are optional, and a number among its inputs is a constant. `model`
    gives its parameters their dotted names, and the operations their modules. Results of modules know in which module
    they were computed; those of a replay (`dark.recorded`) are in one called "recorded". `detached` are the calls of
    modules whose results have no graph, by `id` of the result; see `dark_networks`.
    """
    detached = detached or {}
    replays: dict[Any, Node] = {}
    read = topological_order(
        _opened(root, replays), most, read=lambda node: tuple([_opened(n, replays) for n in _inputs(node, detached)])
    )
    if read is None:
        return None
    found, links = read
    paths, names, kinds, data, numbers = called_modules(found, links, model)
    recorded = {id(node) for graph in replays.values() for node in nodes_of(graph)}
    passed = field_of(root, "grad") is not None
    records = []
    labels: dict[type, str] = {}
    for i, (node, inputs) in enumerate(zip(found, links)):
        settings, role = getattr(node, "settings", None), kind_of(node)
        value = value_of(node) if isinstance(node, Node) else None  # other classes' values are read when needed
        call = detached.get(id(node))
        if call is not None:
            role, paths[i] = "detached", call.path
        records.append(
            GraphNode(
                id=i,
                operation=call.kind if call is not None else _label(node, labels),
                name=names.get(id(node)) or text_of(node, "name"),
                role="input" if i in data and role == "constant" else role,
                shape=shape_of(value) if value is not None else None,
                dtype="float64" if isinstance(value, float) else _name_of_dtype(getattr(value, "dtype", "")),
                value=partial(printable, node, "value", node),
                grad=partial(readable_grad, node, passed),
                inputs=inputs,
                path=("recorded", *paths[i]) if id(node) in recorded and role == "result" else paths[i],
                extras=_extras(node, settings, numbers[i] if len(numbers[i]) == len(paths[i]) else ()),
            )
        )
    if not any(node.path and node.operation for node in records) and any(node.path for node in records):
        records = with_paths(records)  # the results were not returned by modules, but the parameters are known
    return GraphRecord(tuple(records), kinds)


def _extras(node, settings, calls):
    extras = {"node": node}
    if settings:
        extras["settings"] = settings
    if any(number > 1 for number in calls):
        extras["calls"] = calls
    return extras


def _inputs(node, detached):
    """Return the inputs of a node; of a value without a graph, the inputs of the module that returned it."""
    call = detached.get(id(node))
    return inputs_of(node) if call is None else tuple([part for _, part in named_parts(call.inputs, "", is_node)])


def _opened(node, replays):
    """Return the root of the recorded graph in place of a replay, and any other node as it is."""
    opened = getattr(node.op, "opened", None) if isinstance(node, Node) else None
    if opened is None:
        return node
    if node not in replays:
        replays[node] = opened(node)
    return replays[node]


def _label(node, labels):
    """Return the label of an operation; the label of a class is made once."""
    op = getattr(node, "op", None)
    if not isinstance(op, type):
        return text_of(node, "op") or ""
    if op not in labels:
        labels[op] = text_of(node, "op") or ""
    return labels[op]
