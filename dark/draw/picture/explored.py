"""The data of a drawing's page: its whole graph, the modules that are open in it, and its backward pass."""

from collections.abc import Sequence
from functools import partial
from math import prod
from typing import Any

from dark.checks import number
from dark.draw.explore.explorer_page import page_data
from dark.draw.graph.backward_steps import Frame
from dark.draw.graph.boxes import Box
from dark.draw.graph.graph_record import GraphNode, GraphRecord
from dark.draw.graph.traverse import printable, readable_grad
from dark.draw.labels import shape_of
from dark.draw.picture.film_strip import boxes_and_frames
from dark.draw.picture.pytorch_pass import is_loss_of_pytorch
from dark.errors import DrawingError

MOST_WITH_CAPTIONS = 300  # boxes of a drawing whose backward pass is told in numbers
MOST_ELEMENTS = 2_000_000  # of all their values


def data_of(drawing: Any, limit_mb: float = 20) -> dict[str, Any]:
    """Return the contents of the page of a `Drawing`, as plain data; see `page_data`."""
    limit_mb = number(limit_mb, "page", "limit_mb", above=0)
    if not drawing.boxes:
        raise DrawingError(
            "page: this picture does not show a computational graph.",
            "a drawing of a graph.",
            "draw(network, x), with an input, or draw(loss)",
        )
    record = drawing.record or record_of_boxes(drawing.boxes, drawing.nodes)
    opened = {box.path[:k] for box in drawing.boxes for k in range(1, len(box.path) + 1)} if drawing.record else None
    data = page_data(record, drawing.title, drawing.gradients, opened, limit_mb, _steps(drawing, record))
    return data | {"isLoss": is_loss_of_pytorch(drawing.record)}


def _steps(drawing, record):
    """Return the steps of the backward pass in sentences, of a small graph that is drawn whole; else none."""
    place = {id(node.extras.get("node")): k for k, node in enumerate(record.nodes)}
    places: list[int | None] = list(
        range(len(drawing.boxes))
    )  # of a graph of another framework, or of boxes without a record
    if drawing.record and drawing.nodes:
        places = [place.get(id(node)) for node in drawing.nodes]
    size = sum(prod(node.shape or ()) for node in record.nodes)
    is_whole = len(places) == len(record) and None not in places
    if not is_whole or len(record) > MOST_WITH_CAPTIONS or size > MOST_ELEMENTS:
        return []
    try:
        return step_data(boxes_and_frames(drawing)[1], [place for place in places if place is not None])
    except DrawingError:  # no backward pass has been run, or its numbers cannot be known
        return []


def step_data(frames: Sequence[Frame], places: Sequence[int]) -> list[dict[str, Any]]:
    """Return the steps of a backward pass; `places` are the numbers of the nodes of the boxes."""
    found: list[dict[str, Any]] = []
    shown: dict[int, str] = {}
    for frame in frames:
        texts = {places[k]: text for k, text in enumerate(frame.grads) if text is not None and "\n" not in text}
        found.append({"caption": frame.caption, "grads": {i: t for i, t in texts.items() if shown.get(i) != t}})
        shown |= texts
    return found


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
        value=box.value if node is None else partial(printable, node, "value", node),
        grad=box.grad if node is None else partial(readable_grad, node, passed),
        inputs=box.inputs,
        path=box.path,
    )
