"""One loss for each example: losses without reduction, means over all axes but the first, sums over scales."""

import inspect

import numpy as np

from dark.checks import describe
from dark.errors import ValueTypeError
from dark.nn import Loss
from dark.nodes import Constant, Node


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
        f"{who}: fn is {describe(fn)}.",
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

    The function computes losses of shape (n, ...) from the scores of one scale.
    """
    if not isinstance(scores[0], (list, tuple)):
        losses = function(*scores)
        return losses if losses.shape[1:] == (1,) else per_example(losses)
    first, *others = [per_example(function(*scale)) for scale in zip(*scores, strict=True)]
    for losses in others:
        first = first + losses
    return first
