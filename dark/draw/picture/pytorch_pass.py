"""The backward pass of a loss of PyTorch, which keeps no gradients of results: it starts with 1 at a scalar root.

What each operation sends is recomputed by its backward function, which does not change anything, as long as PyTorch
has not freed what it saved; then only the gradients of the leaves are known, after `backward`.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from dark.draw.graph.boxes import Box
from dark.draw.graph.graph_record import GraphRecord
from dark.draw.graph.module_folding import box_of_record
from dark.draw.labels import value_in
from dark.errors import ShapeError
from dark.nodes import unbroadcast

FREED = "not kept by PyTorch"
Sent = list[tuple[Any, ...] | None]


def is_loss_of_pytorch(record: GraphRecord | None) -> bool:
    """Return whether a record is the graph of a scalar that PyTorch computed."""
    return record is not None and record.root.shape == () and hasattr(_operation(record, -1), "next_functions")


def pass_of_pytorch(record: GraphRecord) -> tuple[tuple[Box, ...], Sent]:
    """Return a box for each node of a record, with its gradient, and its contributions to its inputs.

    What cannot be recomputed is None, and the gradient of such a result a string that says so.
    """
    boxes = tuple([box_of_record(node, inputs) for node, inputs in zip(record.nodes, record.links)])
    sent: Sent = [None] * len(boxes)
    sums: dict[int, Any] = {len(boxes) - 1: np.ones((), _dtype(record.root.dtype))}
    unknown: set[int] = set()
    for i in range(len(boxes) - 1, -1, -1):
        if boxes[i].kind != "result" or not (i in sums or i in unknown):
            continue
        parts = None if i in unknown else _contributions(record, i, sums[i], boxes)
        sent[i] = parts
        for k, below in enumerate(boxes[i].inputs):
            if parts is None:
                unknown.add(below)
            elif (part := _reduced(parts[k], record.nodes[below].shape)) is not None:
                sums[below] = sums[below] + part if below in sums else part
    return tuple([_with_gradient(box, i, sums, unknown) for i, box in enumerate(boxes)]), sent


def _with_gradient(box, i, sums, unknown):
    if box.kind == "result":
        return replace(box, grad=FREED if i in unknown else sums.get(i))
    known = box.grad is None and box.kind == "parameter" and i not in unknown
    return replace(box, grad=sums.get(i)) if known else box


def _reduced(part, shape):
    """Return a contribution in the shape of its node, as PyTorch's engine sums it; None if that is impossible."""
    if part is None or shape is None or part.shape == tuple(shape):
        return part
    try:
        return unbroadcast(part, tuple(shape))
    except ShapeError:
        return None


def _operation(record, i):
    return record.nodes[i].extras.get("node")


def _dtype(name):
    return np.dtype(name) if name in ("float16", "float32", "float64") else np.dtype("float32")


def _contributions(record, i, dldy, boxes):
    """Return the contributions of a node to its inputs, None to constants; None if they cannot be recomputed."""
    operation = _operation(record, i)
    targets = [k for k, source in enumerate(record.links[i]) if boxes[source].kind != "constant"]
    known = [function for function, _ in getattr(operation, "next_functions", ())]
    is_single = len(getattr(operation, "_input_metadata", ())) == 1
    if not is_single or sum(function is not None for function in known) != len(targets):
        return None
    try:
        given = _called(operation, dldy)
    except Exception:  # what the operation saved was freed, or it is one that cannot be called so
        return None
    arrays = [value_in(array) for array, function in zip(given, known) if function is not None]
    parts: list[Any] = [None] * len(record.links[i])
    for k, array in zip(targets, arrays):
        parts[k] = array
    return tuple(parts) if len(arrays) == len(targets) else None


def _called(operation, dldy):
    import torch  # an optional dependency; the operation is one of its objects

    if isinstance(operation, torch.autograd.function.BackwardCFunction):
        raise TypeError("a function of a user, which may change something")
    with torch.no_grad():
        meta = operation._input_metadata[0]
        found = operation(torch.as_tensor(dldy, dtype=meta.dtype, device=meta.device).reshape(tuple(meta.shape)))
        found = found if isinstance(found, tuple) else (found,)
        return [None if one is None else one.detach().cpu().double().numpy() for one in found]
