"""From elementwise losses to one loss for each example, and to this batch's part of the mean over the global batch."""

import functools
import inspect
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from dark.checks import describe
from dark.errors import ShapeError, ValueTypeError
from dark.nn import Loss
from dark.nodes import Constant, Node


def reduce_loss(call: Callable[..., Any]) -> Callable[..., Node]:
    """Decorate the `call` of an executor that returns one loss for each example, shape (n,) or (n, 1).

    The result is the sum of the losses, divided by the size of the global batch: the mean, if the batch is whole. That
    size is `Executor.global_batch_size` if one was set, else `Context.global_batch_size`, else the number of losses.
    Where a batch of 4 is computed in two parts with losses (1, 2) and (3, 4), and the size is 4 for both, the results
    are 0.75 and 1.75: their sum is the mean, 2.5, and so are the gradients.

    >>> from dark.executors import Executor
    >>> class Squares(Executor):
    ...     @Executor.reduce_loss
    ...     def call(self, context, *, x, **kwargs):
    ...         return x * x
    >>> loss = Squares()
    >>> loss(None, x=np.array([1.0, 2.0, 3.0])).item(), loss.global_batch_size
    (4.666666666666667, 3)
    """

    @functools.wraps(call)
    def reduced(self, context, *args, **kwargs):
        losses = as_losses(call(self, context, *args, **kwargs), self.name)
        count = self.measure(context, losses.shape[0])
        if not count:
            return losses.sum() + math.nan  # as the mean of no losses in PyTorch
        return losses.mean() if count == losses.size else losses.sum() / count

    vars(reduced)["is_reduced"] = True
    return reduced


def as_losses(losses, name):
    """Return the losses of examples, which have shape (n,) or (n, 1), as a node."""
    if losses is None:
        raise returned_none(name, "a node of shape (n,) or (n, 1)")
    losses = losses if isinstance(losses, Node) else Constant(losses)
    shape = losses.shape
    if len(shape) == 1 or (len(shape) == 2 and shape[1] == 1):
        return losses
    raise ShapeError(
        f"{name}: call must return one loss for each example, got shape {shape}.",
        "one loss for each example, shape (n,) or (n, 1).",
        "value.mean(axis=1), and further axes if there are any." if shape else "call without @Executor.reduce_loss.",
    )


def as_scalar(value, name):
    """Return the value of an executor as a node of shape ()."""
    if value is None:
        raise returned_none(name, "one number")
    value = value if isinstance(value, Node) else Constant(value)
    if value.shape != ():
        raise ShapeError(
            f"{name}: call must return one number, got shape {value.shape}.",
            "one number, shape ().",
            "@Executor.reduce_loss above call, if it returns one loss for each example; else value.mean().",
        )
    return value


def returned_none(name, expected):
    """Return the error for a `call` without `return`."""
    return ValueTypeError(
        f"{name}: call must return the loss, got None.", f"{expected}.", "return the loss at the end of call."
    )


def elementwise_loss(fn, who):
    """Return a copy of a loss of `dark.nn`, or of a function as in `dark.losses`, with ``reduction="none"``."""
    if fn is None:
        return None
    if isinstance(fn, Loss):
        return fn.with_reduction("none")
    if callable(fn) and not isinstance(fn, type) and "reduction" in _parameters(fn):
        return Loss(fn, reduction="none")
    raise _not_a_loss(fn, who)


def required_loss(fn, who):
    """Return a loss that may not be None."""
    if fn is None:
        raise _not_a_loss(fn, who)
    return fn


def _not_a_loss(fn, who):
    return ValueTypeError(
        f"{who}: fn must be a loss, got {describe(fn)}.",
        "a loss of dark.nn, or a function with an argument `reduction`.",
        "nn.MSELoss(), and other computations in call.",
    )


def _parameters(fn):
    try:
        return inspect.signature(fn).parameters
    except (TypeError, ValueError):  # written in C
        return {}


def per_example(losses):
    """Return the mean over all axes but the first of losses of shape (n, ...)."""
    losses = losses if isinstance(losses, Node) else Constant(losses)
    return losses.mean(axis=tuple(range(1, losses.ndim))) if losses.ndim > 1 else losses


def targets(scores, value):
    """Return an array in the shape and dtype of scores."""
    found = np.empty(scores.shape, scores.dtype)
    found.fill(value)  # faster than `np.full`
    return found


def over_scales(function, *scores):
    """Return the losses of examples, shape (n,) or (n, 1), summed over the scales if scores are lists of scales.

    The function computes losses of shape (n, ...) from the scores of a scale.
    """
    if not isinstance(scores[0], (list, tuple)):
        losses = function(*scores)
        return losses if losses.shape[1:] == (1,) else per_example(losses)
    first, *others = [per_example(function(*scale)) for scale in zip(*scores, strict=True)]
    for losses in others:
        first = first + losses
    return first
