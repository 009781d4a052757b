"""Checks and conversions of the inputs, targets and weights of loss functions."""

import inspect

import numpy as np

from dark.checks import brief
from dark.errors import ShapeError, UsageError, ValueTypeError
from dark.nodes import Node, mode, value_of
from dark.nodes.changes import repeated
from dark.nodes.leaves import as_input, constant
from dark.nodes.values import as_array, operand


def as_node(x, who):
    """Return a node unchanged, and a number or an array as a floating-point `Constant`."""
    if not isinstance(x, Node):
        x = as_input(x, who)
    return x if x.dtype.kind == "f" else constant(value_of(x).astype(float))


def check_order(who, target, *inputs):
    """Raise if the target requires a gradient and no input does: `_fn(target, prediction)`, as in Keras and AshPy.

    Without recording, as in `dark.no_grad`, the order cannot be told from the gradients.
    """
    if not (isinstance(target, Node) and target.requires_grad and mode.recording):
        return
    if not any(isinstance(x, Node) and x.requires_grad for x in inputs):
        names = "input" if len(inputs) == 1 else "input1, input2"
        raise UsageError(
            f"{who}: the target must not require grad if the input does not.",
            f"{who}({names}, target): first the prediction, then the target, as in PyTorch; Keras and AshPy have the "
            "other order.",
            "swap the two; if it is the target that is learned, give the input as dark.Parameter(input).",
        )


def has_target(function):
    """Return whether the second argument of a function is called `target`; the losses of `dark` check it themselves."""
    if (getattr(function, "__module__", None) or "").startswith("dark.losses."):
        return False
    try:
        return list(inspect.signature(function).parameters)[1:2] == ["target"]
    except (TypeError, ValueError):  # written in C
        return False


def as_target(target, who, x):
    """Return a target that requires a gradient unchanged, else its value in the dtype of the input `x`."""
    check_order(who, target, x)
    if isinstance(target, Node) and target.requires_grad:
        return target
    return as_dtype(without_grad(target, who, "the target"), x.dtype)


def without_grad(x, who, name):
    """Return a target or weights that are not differentiated as a value; an array of another library is converted."""
    x = value_of(x)
    return operand(as_array(x, who, name) if hasattr(x, "__array__") else x, who)


def repeated_target(target, who, x):
    """Return the same as `as_target`, for losses that use it unchanged: a recording reads it in each call."""
    if not isinstance(target, Node) or target.requires_grad:
        return as_target(target, who, x)
    return repeated(as_dtype, target, x.dtype)


def as_dtype(value, dtype):
    """Convert an array to a dtype; return a number unchanged."""
    return value.astype(dtype, copy=False) if isinstance(value, np.ndarray) else value


def as_weight(weight, who, shape, dtype):
    """Return weights, which are not differentiable, in the dtype of the input; None stays None."""
    if weight is None:
        return None
    weight = without_grad(weight, who, "the weight")
    try:
        np.broadcast_to(weight, shape)
    except ValueError:
        raise ShapeError(
            f"{who}: weights of shape {np.shape(weight)} cannot be broadcast to losses of shape {shape}.",
            f"shape {shape}, or one that can be broadcast to it.",
            "length 1 for axes that share a weight.",
        ) from None
    return as_dtype(weight, dtype)


def check_equal_shapes(who, **arrays):
    """Raise unless arrays have equal shapes: losses do not broadcast.

    >>> check_equal_shapes("mse", input=np.ones((3, 1)), target=np.ones(3))
    Traceback (most recent call last):
        ...
    dark.errors.ShapeError: mse: shapes must be equal, got input (3, 1), target (3,).
      Expected: equal shapes.
      Try: reshape one of them; x[:, 0] removes an axis of length 1, x[:, None] adds one.
    """
    shapes = {name: np.shape(x) for name, x in arrays.items()}
    (first, shape), *others = shapes.items()
    if any(other != shape for _, other in others):
        raise ShapeError(
            f"{who}: shapes must be equal, got {first} {shape}, "
            + ", ".join(f"{name} {other}" for name, other in others)
            + ".",
            "equal shapes.",
            "reshape one of them; x[:, 0] removes an axis of length 1, x[:, None] adds one.",
        )


def check_range(who, low, high, **arrays):
    """Raise if an array has values outside of a closed range, or NaN."""
    for name, x in arrays.items():
        x = value_of(x)
        if np.size(x) and not (np.min(x) >= low and np.max(x) <= high):
            raise ValueTypeError(
                f"{who}: {name} must be in [{low}, {high}], got values from {np.min(x)} to {np.max(x)}.",
                f"values from {low} to {high}.",
                f"print {name}; a sigmoid may be missing, or use the function that takes logits.",
            )


def check_signs(who, target):
    """Raise if a target has values other than 1 and -1."""
    if not np.isin(target, (1, -1)).all():
        raise ValueTypeError(
            f"{who}: the target must contain only 1 and -1, got {brief(np.asarray(target))}.",
            "1 and -1.",
            "2 * target - 1, if it has 1 and 0.",
        )
