"""What all losses do first and last: check what is handed in, and make one number of many losses."""

import math
import numbers

import numpy as np

from dark.errors import ShapeError, UsageError, ValueTypeError, near_misses
from dark.nodes import Constant, Node, value_of
from dark.nodes.values import as_value, brief, operand

REDUCTIONS = ("mean", "sum", "none")


def checked_reduction(reduction, who, known=REDUCTIONS):
    """Refuse a reduction that there is not.

    Raises
    ------
    UsageError
    """
    if reduction not in known:
        raise UsageError(
            f"{who}: there is no reduction {reduction!r}.", f"one of {', '.join(known)}.", near_misses(reduction, known)
        )


def as_node(x, who):
    """Return a node as it is, and a number or an array of them as a `Constant` of floats."""
    if not isinstance(x, Node):
        x = Constant(operand(x, who))
    return x if x.dtype.kind == "f" else Constant(x.value.astype(float))


def as_target(target, who, dtype):
    """Return a target: a node as it is if a gradient can reach it, else its value in the type of the input."""
    if isinstance(target, Node) and target.requires_grad:
        return target
    return in_type(operand(value_of(target), who), dtype)


def in_type(value, dtype):
    """Give an array a type; a number fits every type as it is."""
    return value.astype(dtype, copy=False) if isinstance(value, np.ndarray) else value


def weights_of(weight, who, shape, dtype):
    """Return weights, which take no gradient, in the type of the input; None stays None.

    Raises
    ------
    ShapeError
        If they cannot be repeated to that shape.
    """
    if weight is None:
        return None
    weight = as_value(value_of(weight), who)
    try:
        np.broadcast_to(weight, shape)
    except ValueError:
        raise ShapeError(
            f"{who}: weights of shape {np.shape(weight)} for losses of shape {shape}.",
            f"shape {shape}, or one that can be repeated to it.",
            "give axes along which the weight is the same the length 1.",
        ) from None
    return in_type(weight, dtype)


def refuse_other_shapes(who, **arrays):
    """Refuse two or more arrays that have not the same shape: a loss repeats none of them silently.

    Raises
    ------
    ShapeError

    Examples
    --------
    >>> refuse_other_shapes("mse", input=np.ones((3, 1)), target=np.ones(3))
    Traceback (most recent call last):
        ...
    dark.errors.ShapeError: mse: input has the shape (3, 1), target (3,).
      Expected: equal shapes.
      Try: reshape one of them; x[:, 0] takes an axis of length 1 away, x[:, None] adds one.
    """
    shapes = {name: np.shape(x) for name, x in arrays.items()}
    (first, shape), *others = shapes.items()
    if any(other != shape for _, other in others):
        raise ShapeError(
            f"{who}: {first} has the shape {shape}, " + ", ".join(f"{name} {other}" for name, other in others) + ".",
            "equal shapes.",
            "reshape one of them; x[:, 0] takes an axis of length 1 away, x[:, None] adds one.",
        )


def refuse_numbers_outside(who, low, high, **arrays):
    """Refuse values beyond two bounds, and NaN.

    Raises
    ------
    ValueTypeError
    """
    for name, x in arrays.items():
        x = value_of(x)
        if np.size(x) and not (np.min(x) >= low and np.max(x) <= high):
            raise ValueTypeError(
                f"{who}: {name} holds numbers from {np.min(x)} to {np.max(x)}.",
                f"numbers from {low} to {high}.",
                f"print {name}; a sigmoid, or a function that takes logits, may be missing.",
            )


def refuse_other_signs(who, target):
    """Refuse a target that holds anything but 1 and -1.

    Raises
    ------
    ValueTypeError
    """
    if not np.isin(target, (1, -1)).all():
        raise ValueTypeError(
            f"{who}: the target is {brief(np.asarray(target))}.", "1 and -1.", "2 * target - 1 makes them of 1 and 0."
        )


def refuse_not_positive(who, **settings):
    """Refuse a setting that is not a number above 0.

    Raises
    ------
    UsageError
    """
    for name, x in settings.items():
        if not (isinstance(x, numbers.Real) and x > 0):
            raise UsageError(f"{who}: {name} is {x!r}.", "a number above 0.", f"{name}=1.0 is the usual one.")


def reduced(losses, reduction, count=None):
    """Make one number of many losses, or leave them.

    Parameters
    ----------
    losses : Node
        Any shape.
    reduction : {"mean", "sum", "none"}
    count : float, optional
        By what the sum is divided for the mean; how many losses there are, if not given.

    Returns
    -------
    Node
        The mean of nothing is NaN, as in PyTorch; its gradient is 0.
    """
    if reduction == "none":
        return losses
    if reduction == "mean" and count is None:
        count = losses.size
        if count:
            return losses.mean()
    if reduction == "sum":
        return losses.sum()
    return losses.sum() / count if count else losses.sum() + math.nan
