"""One loss for each example: means over all axes but the first, and sums over the scales of a discriminator."""

import numpy as np

from dark.nodes import Constant, Node


def per_example(losses):
    """Return the mean over all axes but the first.

    Examples
    --------
    >>> per_example(np.arange(8.0).reshape(2, 2, 2)).value
    array([1.5, 5.5])
    """
    losses = losses if isinstance(losses, Node) else Constant(losses)
    return losses.mean(axis=tuple(range(1, losses.ndim))) if losses.ndim > 1 else losses


def targets(scores, value):
    """Return an array in the shape and dtype of scores.

    Examples
    --------
    >>> targets(Constant(np.zeros((2, 1))), 1.0).tolist()
    [[1.0], [1.0]]
    """
    found = np.empty(scores.shape, scores.dtype)
    found.fill(value)  # faster than `np.full`
    return found


def over_scales(function, *scores):
    """Return the losses of examples, summed over the scales of a discriminator that returns a list of scores."""
    if not isinstance(scores[0], (list, tuple)):
        losses = function(*scores)
        return losses if losses.shape[1:] == (1,) else per_example(losses)
    first, *others = [per_example(function(*scale)) for scale in zip(*scores, strict=True)]
    for losses in others:
        first = first + losses
    return first
