"""Losses for vectors that are to lie near each other, or far apart: by angles and by distances."""

import numpy as np

from dark.errors import ShapeError
from dark.losses.input_checks import (
    as_node,
    checked_reduction,
    reduced,
    refuse_not_positive,
    refuse_other_shapes,
    refuse_other_signs,
)
from dark.nodes import value_of
from dark.operations.elementwise.selection import clip, minimum, where

SMALLEST = 1e-12  # added to the squares of lengths, as in PyTorch


def cosine_embedding(input1, input2, target, *, margin=0.0, reduction="mean"):
    """Turn pairs of vectors towards each other, or apart until their cosine is below a margin.

    Parameters
    ----------
    input1, input2 : Node or array, shape (n, d) or (d,)
    target : array, shape (n,) or ()
        1 for pairs that belong together, -1 for the others.
    margin : float, default 0.0
        Up to which cosine the others are left alone.
    reduction : {"mean", "sum", "none"}, default "mean"

    Returns
    -------
    Node, shape () or that of `target`

    Raises
    ------
    ShapeError
        If the shapes do not fit.
    ValueTypeError
        If `target` holds anything but 1 and -1.
    UsageError
        If there is no such reduction.

    Notes
    -----
    ``1 - cos`` for pairs that belong together, ``max(0, cos - margin)`` for the others.

    Examples
    --------
    >>> a, b = np.array([[1.0, 0.0], [1.0, 0.0]]), np.array([[0.0, 2.0], [3.0, 0.0]])
    >>> cosine_embedding(a, b, np.array([1, -1]), reduction="none").value
    array([1., 1.])
    """
    who = "cosine_embedding"
    checked_reduction(reduction, who)
    a, b = as_node(input1, who), as_node(input2, who)
    target = np.asarray(value_of(target))
    if a.shape != b.shape or a.ndim not in (1, 2) or target.shape != a.shape[:-1]:
        raise ShapeError(
            f"{who}: inputs of shapes {a.shape} and {b.shape}, and a target of shape {target.shape}.",
            "(n, d), (n, d) and (n,), or (d,), (d,) and ().",
            "print the three shapes.",
        )
    refuse_other_signs(who, target)
    squares = ((a * a).sum(-1) + SMALLEST) * ((b * b).sum(-1) + SMALLEST)
    cosine = (a * b).sum(-1) / np.sqrt(squares)
    return reduced(where(target == 1, 1.0 - cosine, clip(cosine - margin, low=0.0)), reduction)


def triplet_margin(anchor, positive, negative, *, margin=1.0, p=2.0, eps=1e-6, swap=False, reduction="mean"):
    """Draw vectors to their like, until these are nearer than the unlike by a margin.

    Parameters
    ----------
    anchor, positive, negative : Node or array, of one shape (..., d)
        Vectors, one that is like each, and one that is not.
    margin : float above 0, default 1.0
    p : float above 0, default 2.0
        The distance is the p-th root of the sum of p-th powers; infinity takes the largest difference.
    eps : float, default 1e-6
        Added to every difference, so that there is a slope at distance 0.
    swap : bool, default False
        Whether the distance between `positive` and `negative` counts if it is the smaller one.
    reduction : {"mean", "sum", "none"}, default "mean"

    Returns
    -------
    Node, shape () or that of `anchor` without its last axis

    Raises
    ------
    ShapeError
        If the shapes are not equal, or there is no axis.
    UsageError
        If a setting makes no sense.

    Notes
    -----
    ``max(0, distance(anchor, positive) - distance(anchor, negative) + margin)``

    References
    ----------
    V. Balntas, E. Riba, D. Ponsa, K. Mikolajczyk, Learning local feature descriptors with triplets and
    shallow convolutional neural networks, BMVC 2016.

    Examples
    --------
    >>> a, b = np.zeros((1, 2)), np.array([[3.0, 4.0]])
    >>> round(triplet_margin(a, b, a).item(), 4)
    6.0
    """
    who = "triplet_margin"
    checked_reduction(reduction, who)
    refuse_not_positive(who, margin=margin, p=p)
    a, b, c = as_node(anchor, who), as_node(positive, who), as_node(negative, who)
    refuse_other_shapes(who, anchor=a, positive=b, negative=c)
    if not a.ndim:
        raise ShapeError(f"{who}: three numbers.", "vectors, of shape (..., d).", "x[None] makes a vector of a number.")
    near, far = distance(a, b, p, eps), distance(a, c, p, eps)
    if swap:
        far = minimum(far, distance(b, c, p, eps))
    return reduced(clip(near - far + margin, low=0.0), reduction)


def distance(a, b, p, eps):
    """Measure how far vectors are from each other, along the last axis."""
    d = a - b + eps
    if p in (1, 2):
        return np.linalg.vector_norm(d, ord=int(p), axis=-1)
    if p == np.inf:
        return np.abs(d).max(-1)
    return (np.abs(d) ** p).sum(-1) ** (1.0 / p)
