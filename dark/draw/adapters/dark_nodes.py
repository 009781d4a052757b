"""The graphs of `dark`, and of every class with `inputs` and `value`, such as a student's own."""

from functools import partial
from math import inf
from typing import Any

from dark.draw.adapters.module_calls import called_modules
from dark.draw.adapters.module_paths import with_paths
from dark.draw.graph.graph_record import GraphNode, GraphRecord
from dark.draw.graph.node_fields import kind_of, name_of, operation_of, readable_grad, readable_value
from dark.draw.graph.traverse import field_of, inputs_of, topological_order
from dark.draw.labels import shape_of
from dark.nodes import Node, value_of
from dark.nodes import topological_order as nodes_of


def nodes(root: Any, *, model: Any = None, most: float = inf) -> GraphRecord | None:
    """Return the record of the graph of a node; None if it has more than `most` nodes.

    `op`, `grad`, `name` and `settings` of a node are optional, and a number among its inputs is a constant. `model`
    gives its parameters their dotted names, and the operations their modules. Results of modules know in which module
    they were computed; those of a replay (`dark.recorded`) are in one called "recorded".

    Examples
    --------
    >>> import dark
    >>> x = dark.Parameter(3.0, name="x")
    >>> y = x * x
    >>> y.backward()
    >>> [(n.operation, n.name, n.role, n.read("value"), n.read("grad"), n.inputs) for n in nodes(y).nodes]
    [('', 'x', 'parameter', 3.0, 6.0, ()), ('*', None, 'result', 9.0, 1.0, (0, 0))]
    """
    replays: dict[Any, Node] = {}
    read = topological_order(_opened(root, replays), most, read=lambda node: _opened_inputs(node, replays))
    if read is None:
        return None
    found, links = read
    paths, names, kinds, data = called_modules(found, links, model)
    recorded = {id(node) for graph in replays.values() for node in nodes_of(graph)}
    passed = field_of(root, "grad") is not None
    records = []
    labels: dict[type, str] = {}
    for i, (node, inputs) in enumerate(zip(found, links)):
        settings, role = getattr(node, "settings", None), kind_of(node)
        value = value_of(node) if isinstance(node, Node) else None  # that of another class is read when it is needed
        records.append(
            GraphNode(
                id=i,
                operation=_label(node, labels),
                name=names.get(id(node)) or name_of(node),
                role="input" if i in data and role == "constant" else role,
                shape=shape_of(value) if value is not None else None,
                dtype=_dtype(value, labels),
                value=partial(readable_value, node),
                grad=partial(readable_grad, node, passed),
                inputs=inputs,
                path=("recorded", *paths[i]) if id(node) in recorded and role == "result" else paths[i],
                extras={"node": node, "settings": settings} if settings else {"node": node},
            )
        )
    if not any(node.path and node.operation for node in records) and any(node.path for node in records):
        records = with_paths(records)  # the results were not returned by modules, but the parameters are known
    return GraphRecord(tuple(records), kinds)


def _opened_inputs(node, replays):
    return tuple([_opened(n, replays) for n in inputs_of(node)])


def _opened(node, replays):
    """Return the root of the recorded graph in place of a replay, and any other node as it is."""
    opened = getattr(node.op, "opened", None) if isinstance(node, Node) else None
    if opened is None:
        return node
    if node not in replays:
        replays[node] = opened(node)
    return replays[node]


def _dtype(value, labels):
    """Return the name of the dtype of a value; that of each dtype is made once."""
    dtype = getattr(value, "dtype", None)
    if dtype is None:
        return "float64" if isinstance(value, float) else ""
    if dtype not in labels:
        labels[dtype] = str(dtype)
    return labels[dtype]


def _label(node, labels):
    """Return the label of an operation; that of a class is made once."""
    op = getattr(node, "op", None)
    if not isinstance(op, type):
        return operation_of(node) or ""
    if op not in labels:
        labels[op] = operation_of(node) or ""
    return labels[op]
