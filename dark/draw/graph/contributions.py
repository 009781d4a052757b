"""The contributions of a backward pass: the vector-Jacobian products that each node sends to its inputs, recomputed."""

import inspect
from typing import Any

import numpy as np

from dark.draw.arrays.array_summary import Summary, caption_text, summarize
from dark.draw.graph.boxes import Box
from dark.draw.graph.descriptions import title_of
from dark.draw.graph.traverse import inputs_of
from dark.draw.labels import value_in
from dark.errors import DrawingError, ShapeError
from dark.nodes import Node, changed_inputs, unbroadcast
from dark.nodes.gradient_hooks import have_hooks


def trace_contributions(
    boxes: tuple[Box, ...], nodes: tuple[Any, ...], grads: tuple[Any, ...]
) -> list[tuple[Any, ...] | None]:
    """Recompute the backward pass: the contribution of each node to each of its inputs; None if it is unknown.

    `grads` are the gradients of the nodes when they were drawn. The pass starts from the gradient of the root; another
    one is used only for a node that receives an unknown contribution, or has a hook. A DrawingError says that a value
    was changed since it was used, or since it was drawn.
    """
    check_unchanged(boxes, nodes)
    sent: list[tuple[Any, ...] | None] = [None] * len(boxes)
    sums, unknown = {len(boxes) - 1: value_in(grads[-1])}, set()
    for i in range(len(boxes) - 1, -1, -1):
        if boxes[i].kind != "result" or boxes[i].grad is None:
            continue
        arrived = value_in(grads[i]) if i in unknown or have_hooks([nodes[i]]) else sums.get(i)
        parts = sent[i] = contributions_of(nodes[i], arrived)
        for k, below in enumerate(boxes[i].inputs):
            if parts is None:
                unknown.add(below)
                continue
            part = fit_shape(parts[k], boxes[below].value)
            if part is not None:
                with np.errstate(all="ignore"):
                    sums[below] = sums[below] + part if below in sums else part
    return sent


def contributions_of(node, dldy):
    """Return the vector-Jacobian products of a node's operation, one per input; None if they are unknown.

    A `differentiate` that reads the gradient from the node itself is called only if that equals `dldy`.
    """
    op = getattr(node, "op", None)
    if op is None or dldy is None:
        return None
    try:
        with np.errstate(all="ignore"):
            if "dldy" in inspect.signature(op.differentiate).parameters:
                given = op.differentiate(node, dldy)
            elif is_close(value_in(node.grad), dldy):
                given = op.differentiate(node)
            else:
                return None
    except Exception:  # a student's rule may fail in any way; the picture then omits the numbers
        return None
    if not isinstance(given, (tuple, list)) or len(given) != len(node.inputs):
        return None
    given = tuple(value_in(g) for g, n in zip(given, node.inputs, strict=True) if n is not None)
    return given if all(g is None or _is_number(g) for g in given) else None


def fit_shape(part, value):
    """Sum or repeat a contribution to the shape of its value, if known; None if that is impossible, or it is None."""
    if value is None or isinstance(value, str):
        return part
    own, shape = tuple(getattr(part, "shape", ())), tuple(getattr(value, "shape", ()))
    if part is None or own == shape:
        return part
    try:
        return unbroadcast(part, shape) if own else np.broadcast_to(part, shape)
    except ShapeError:
        return None


def is_close(a, b):
    """Return whether two numbers, or arrays of one shape, are equal up to rounding; NaN equals NaN."""
    try:
        a, b = np.asarray(a), np.asarray(b)
        near = 1e-5 if any(v.dtype.kind == "f" and v.dtype.itemsize < 8 for v in (a, b)) else 1e-9
        return a.shape == b.shape and bool(np.allclose(a, b, rtol=near, atol=near * 1e-3, equal_nan=True))
    except (TypeError, ValueError, OverflowError):  # not numbers, or integers beyond NumPy's range
        return bool(np.array_equal(a, b))


def check_unchanged(boxes, nodes):
    """Raise an error if a value has changed since it was used, or since it was drawn."""
    position = {id(node): i for i, node in enumerate(nodes)}
    for i, node in enumerate(nodes):
        if not _unchanged(boxes[i].value, value_in(node)):
            raise _changed(f"the value of {title_of(boxes[i])} was changed after the picture was drawn")
        for n in changed_inputs(node) if isinstance(node, Node) else ():
            title = title_of(boxes[position[id(n)]])
            raise _changed(f"{title} was changed after {title_of(boxes[i])} was computed from it")
        again = _recomputed(node)
        if again is not None:
            titles = " and ".join(title_of(boxes[k]) for k in boxes[i].inputs)
            result = caption_text(again)
            raise _changed(f"{title_of(boxes[i])} no longer follows from {titles}, which give {result}")


def _unchanged(drawn, value):
    value = summarize(value)
    if isinstance(drawn, Summary) or isinstance(value, Summary):
        return repr(drawn) == repr(value)  # as strings, so that NaN equals NaN
    if drawn is value or not (_is_number(drawn) or _is_number(value)):
        return True
    return is_close(value_in(drawn), value_in(value))


def _recomputed(node):
    """Recompute a result from its inputs; return it if it differs from the value of the node, else None."""
    rule, inputs = getattr(getattr(node, "op", None), "_f", None), inputs_of(node)
    if rule is None or not inputs:
        return None
    settings = getattr(node, "settings", None) or {}
    try:
        with np.errstate(all="ignore"):
            first = value_in(rule(*map(value_in, inputs), **settings))
            if not _is_number(first) or is_close(first, value_in(node)):
                return None
            again = value_in(rule(*map(value_in, inputs), **settings))
    except Exception:  # a division by 0, say
        return None
    return first if is_close(first, again) else None  # a random operation differs on every call


def _changed(what):
    return DrawingError(
        f"steps: {what}.",
        "the values that the backward pass used.",
        "compute the result again, call backward(), then draw(node).steps()",
    )


def _is_number(value):
    return isinstance(value, (int, float, np.number)) or hasattr(value, "shape")
