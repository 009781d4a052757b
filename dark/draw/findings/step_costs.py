"""The cost of a step: the time of each operation, forward and backward, and the bytes that it keeps for the way back.

The operations of dark, and those of a student with the same methods, are applied again to the values of the graph:
`apply` in the mode without gradients, and `differentiate` with the gradients. The graph does not change.
"""

from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np

from dark.draw.adapters.tensors import backward_seconds
from dark.draw.findings.facts import Facts
from dark.draw.graph.contributions import fit_shape
from dark.draw.labels import value_in
from dark.nodes import no_grad

REPEAT = 3  # measurements; the shortest counts


def known_gradients(facts: list[Facts]) -> dict[int, np.ndarray]:
    """Return the gradients by position: those that are kept, others computed again from the root's, or from 1."""
    kept = {k: each.grad for k, each in enumerate(facts) if each.grad is not None}
    found, _ = backward_again(facts)
    return {**found, **kept}


def backward_again(facts, repeat=1):
    """Compute the backward pass again; return the gradients and the seconds of each operation, by position."""
    root = facts[-1]
    if root.value is None or not hasattr(_operation(root), "differentiate"):
        return {}, {}
    start = root.grad if root.grad is not None and root.grad.any() else np.ones_like(root.value, dtype=float)
    sums, seconds = {len(facts) - 1: start if start.ndim else float(start)}, {}
    for k in range(len(facts) - 1, -1, -1):
        operation, node = _operation(facts[k]), facts[k].node.extras.get("node")
        if k not in sums or operation is None:
            continue
        parts, seconds[k] = _timed(lambda: operation.differentiate(node, sums[k]), repeat)
        if not isinstance(parts, (tuple, list)) or len(parts) != len(facts[k].inputs):
            del seconds[k]
            continue
        for i, part in zip(facts[k].inputs, map(value_in, parts)):
            requires_grad = getattr(facts[i].node.extras.get("node"), "requires_grad", True)
            part = fit_shape(part, facts[i].value)
            if part is not None and requires_grad and facts[i].node.role != "constant":
                with np.errstate(all="ignore"):
                    sums[i] = sums[i] + part if i in sums else part
    return {k: np.asarray(total) for k, total in sums.items()}, seconds


def forward_again(facts, repeat=1):
    """Apply each operation again; return its seconds by position."""
    seconds = {}
    for k, each in enumerate(facts):
        operation, node = _operation(each), each.node.extras.get("node")
        if operation is None or not hasattr(operation, "apply"):
            continue
        inputs, settings = [value_in(n) for n in node.inputs], getattr(node, "settings", None) or {}

        def apply():
            with no_grad():
                return operation.apply(*inputs, **settings)

        result, time = _timed(apply, repeat)
        if result is not None:
            seconds[k] = time
    return seconds


def times_of(facts: list[Facts]) -> tuple[dict[int, float], dict[int, float]]:
    """Return the seconds of each operation forward and backward, by position: measured, or given by the adapter."""
    given = [
        {k: each.node.extras[name] for k, each in enumerate(facts) if name in each.node.extras}
        for name in ("seconds_forward", "seconds_backward")
    ]
    nodes = [each.node.extras.get("node") for each in facts]
    of_torch = [node for node in nodes if hasattr(node, "register_prehook")]
    if of_torch:
        seconds = backward_seconds(of_torch[-1], of_torch)
        return given[0], {k: seconds.pop(node) for k, node in enumerate(nodes) if node in seconds}
    if any(given):
        return given[0], given[1]
    return forward_again(facts, REPEAT), backward_again(facts, REPEAT)[1]


def bytes_of(facts: list[Facts]) -> dict[int, int]:
    """Return the bytes that each node keeps for the backward pass, by position, each block of memory once.

    The graph of dark keeps the value of every result and every constant, and what operations save. Parameters are not
    counted, as they are kept in any case.
    """
    given = {k: each.node.extras["bytes_kept"] for k, each in enumerate(facts) if "bytes_kept" in each.node.extras}
    if given:
        return given
    seen = {_block(each.value)[0] for each in facts if each.node.role == "parameter" and each.value is not None}
    found = {}
    for k, each in enumerate(facts):
        node = each.node.extras.get("node")
        if node is None or each.node.role == "parameter" or not hasattr(node, "inputs"):
            continue
        total = 0
        for array in _arrays([value_in(node), getattr(node, "saved", None)]):
            block, size = _block(array)
            total += 0 if block in seen else size
            seen.add(block)
        found[k] = total
    return found


def _operation(facts):
    """Return the operation of a node of dark or of a student; None for one of another framework."""
    return getattr(facts.node.extras.get("node"), "op", None) if facts.node.operation else None


def _timed(function: Callable[[], Any], repeat: int) -> tuple[Any, float]:
    """Return the result of a function and its shortest time; None if it raises, as a student's may."""
    best, result = float("inf"), None
    for _ in range(repeat):
        start = perf_counter()
        try:
            with np.errstate(all="ignore"):
                result = function()
        except Exception:
            return None, 0.0
        best = min(best, perf_counter() - start)
    return result, best


def _arrays(thing):
    """Return the arrays in nested tuples, lists and dicts."""
    if isinstance(thing, np.ndarray):
        return [thing]
    parts = thing.values() if isinstance(thing, dict) else thing if isinstance(thing, (tuple, list)) else ()
    return [array for part in parts for array in _arrays(part)]


def _block(array):
    """Return the identity of the memory of an array, as its base has it, and the bytes that the array needs."""
    size = array.nbytes
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array.__array_interface__["data"][0], min(size, array.nbytes)
