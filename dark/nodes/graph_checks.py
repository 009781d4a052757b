"""Checks of the backward pass: that the root requires grad, that no value was changed, that no NaN appears."""

from typing import Any

import numpy as np

from dark.checks import brief
from dark.errors import AnomalyError, GradientError, ShapeError
from dark.nodes.changes import changed_inputs, checksum
from dark.nodes.grad_mode import mode
from dark.nodes.values import has_nan, shape_of, value_of
from dark.typing import AnyNode, Gradient, Value


def requires_grad_error(root: AnyNode) -> GradientError:
    """Return the error for a backward pass from a node that does not require grad."""
    reason = "it does not depend on a Parameter that does" if mode.recording else "its graph was not recorded"
    return GradientError(
        f"backward: {root} does not require grad; {reason}.",
        "a result computed from a Parameter, outside dark.no_grad().",
        "make the values to be trained Parameters, and compute the result again.",
    )


def check_unchanged(node: AnyNode) -> None:
    """Raise if an input of a node was changed after the node was computed from it.

    Setting the value of a leaf gives it a new version. An array that was taken from a leaf, ``x.value``, is
    compared with what it was then; `anomaly` also compares checksums of all inputs and of the result.
    """
    for n in changed_inputs(node):
        raise _changed(f"{n} was changed after {node} was computed from it.")
    if mode.anomaly:
        for n, seen in zip((*node.inputs, node), getattr(node, "_seen", None) or ()):
            if checksum(n._value) != seen:
                after = "it was computed" if n is node else f"{node} was computed from it"
                raise _changed(f"{n} was changed after {after}.")


def _changed(what: str) -> GradientError:
    return GradientError(
        f"backward: {what}",
        "the values of the forward pass.",
        "compute the result again before calling backward, or change values after it.",
    )


def check_nan(g: Gradient, node: AnyNode | None = None) -> None:
    """Raise, inside `anomaly`, if a gradient is NaN: one from the derivative at `node`, or the initial one."""
    if mode.anomaly and has_nan(value_of(g)):
        if node is None:
            raise anomaly_error("backward", [value_of(g)])
        raise anomaly_error(f"the derivative of {node.op.label()}", [n._value for n in node.inputs])


def check_axes(g: Gradient, n: AnyNode, node: AnyNode) -> None:
    """Raise if a gradient has axes that neither the input nor the result has: it cannot be summed over them."""
    shape, result = shape_of(g), shape_of(node._value)
    if shape == result:
        return
    is_broadcast = len(shape) <= len(result) and all(k in (1, m) for k, m in zip(shape[::-1], result[::-1]))
    if len(shape) > max(len(n.shape), len(result)) or not (len(n.shape) or is_broadcast):
        raise ShapeError(
            f"the derivative of {node.op.label()} must fit an input of shape {n.shape}, got shape {shape}.",
            f"the shape of the input, or that of the result, {result}.",
            "print the shapes in _df; np.sum removes axes.",
        )


def anomaly_error(who: str, x: list[Value]) -> AnomalyError:
    """Return the error for a NaN that `who` computed, or passed on, from the values `x`."""
    made = "passed on" if any(has_nan(v) for v in x) else "made"
    return AnomalyError(
        f"{who}: {made} a NaN from {', '.join(map(brief, x))}.",
        "a number.",
        f"keep the inputs of {who} inside its domain.",
    )


def errors_as_numpy(error: Exception) -> np.errstate:
    """Return the context in which a rule is called again with NumPy's floats after this error of Python's.

    What NumPy would warn of is ignored; what the user's `numpy.errstate` makes an error is raised.
    """
    if isinstance(error, FloatingPointError):  # it is such an error
        raise error
    ignored: dict[str, Any] = {kind: "ignore" for kind, action in np.geterr().items() if action == "warn"}
    return np.errstate(**ignored)
