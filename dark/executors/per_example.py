"""One loss for each example: means over all axes but the first, and sums over the scales of a discriminator."""

import numpy as np

from dark.nodes import Constant, Node


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
