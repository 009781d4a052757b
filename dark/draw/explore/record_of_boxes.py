"""The record of a graph whose boxes alone are known: drawn from plain data, or the part of a graph near its root."""

from functools import partial
from typing import Any

from dark.draw.graph.boxes import Box
from dark.draw.graph.graph_record import GraphNode, GraphRecord
from dark.draw.graph.node_fields import readable_grad, readable_value
from dark.draw.labels import shape_of


def record_of_boxes(boxes: tuple[Box, ...], nodes: tuple[Any, ...] = ()) -> GraphRecord:
    """Return the record of boxes; values and gradients of their nodes, if known, are read when they are needed."""
    passed = bool(boxes) and boxes[-1].grad is not None
    return GraphRecord(tuple([_node(box, i, nodes[i] if nodes else None, passed) for i, box in enumerate(boxes)]))


def _node(box, i, node, passed):
    is_part = box.kind in ("group", "folded")
    role = ("result" if box.inputs else "input") if is_part else box.kind
    operation = box.operation or ("…" if is_part and box.inputs else "")
    return GraphNode(
        id=i,
        operation=operation,
        name=box.name,
        role=role,
        shape=shape_of(box.value),
        dtype=getattr(box.value, "dtype", ""),
        value=box.value if node is None else partial(readable_value, node),
        grad=box.grad if node is None else partial(readable_grad, node, passed),
        inputs=box.inputs,
        path=box.path,
    )
