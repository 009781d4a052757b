"""The graphs of `dark`, and of every class with `inputs` and `value`, such as a student's own."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from dark.draw.graph.graph_record import GraphNode, path_of
from dark.draw.graph.node_fields import kind_of, name_of, operation_of, readable_grad
from dark.draw.graph.traverse import field_of, topological_order
from dark.draw.labels import shape_of, value_in


def nodes(root: Any, *, model: Any = None) -> Iterator[GraphNode]:
    """Yield the graph of a node.

    Parameters
    ----------
    root : Node
        Any object with `inputs` and `value`; `op`, `grad`, `name` and `settings` are optional.
    model : Module, optional
        Gives its parameters their dotted names, and the operations their modules.

    Yields
    ------
    GraphNode
        In topological order, the root last. A number among the inputs of a node is a constant.

    Raises
    ------
    DrawingError
        If a field of a node cannot be read, or the graph has a cycle.

    Examples
    --------
    >>> import dark
    >>> x = dark.Parameter(3.0, name="x")
    >>> y = x * x
    >>> y.backward()
    >>> [(node.operation, node.name, node.role, node.value, node.read("grad"), node.inputs) for node in nodes(y)]
    [('', 'x', 'parameter', 3.0, 6.0, ()), ('*', None, 'result', 9.0, 1.0, (0, 0))]
    """
    found, links = topological_order(root)
    passed = field_of(root, "grad") is not None
    names = {id(p): name for name, p in model.named_parameters()} if hasattr(model, "named_parameters") else {}
    for i, (node, inputs) in enumerate(zip(found, links)):
        value, settings = value_in(node), getattr(node, "settings", None)
        yield GraphNode(
            id=i,
            operation=operation_of(node) or "",
            name=names.get(id(node)) or name_of(node),
            role=kind_of(node),
            shape=shape_of(value),
            dtype=str(getattr(value, "dtype", "float64" if isinstance(value, float) else "")),
            value=value,
            grad=partial(readable_grad, node, passed),
            inputs=inputs,
            path=path_of(names[id(node)])[:-1] if id(node) in names else (),
            extras={"node": node, "settings": settings} if settings else {"node": node},
        )
