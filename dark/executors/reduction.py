"""`reduce_loss`: from one loss for each example to this batch's part of the mean over the global batch."""

import functools
import math
from collections.abc import Callable
from typing import Any

from dark.errors import ShapeError, ValueTypeError
from dark.nodes import Constant, Node


def reduce_loss(call: Callable[..., Any]) -> Callable[..., Node]:
    """Decorate the `call` of an executor that returns one loss for each example, shape (n,) or (n, 1).

    The result is the sum of the losses, divided by the size of the global batch: the mean, if the batch is whole. That
    size is `Executor.global_batch_size` if one was set, else `Context.global_batch_size`, else the number of losses.
    Where a batch of 4 is computed in two parts with losses (1, 2) and (3, 4), and the size is 4 for both, the results
    are 0.75 and 1.75: their sum is the mean, 2.5, and so are the gradients.

    Examples
    --------
    >>> import numpy as np
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
        f"{name}: call returned losses of shape {shape}.",
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
            f"{name}: call returned shape {value.shape}.",
            "one number, shape ().",
            "@Executor.reduce_loss above call, if it returns one loss for each example; else value.mean().",
        )
    return value


def returned_none(name, expected):
    """Return the error for a `call` without `return`."""
    return ValueTypeError(f"{name}: call returned None.", f"{expected}.", "return the loss at the end of call.")
