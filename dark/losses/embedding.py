"""Losses of embedding vectors: by cosine similarity, and by distances in triplets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dark.checks import number
from dark.errors import ShapeError
from dark.losses.input_checks import as_node, check_equal_shapes, check_order, check_signs
from dark.losses.reduction import check_reduction, reduce_losses
from dark.nodes import Node
from dark.nodes.values import as_array
from dark.operations import clip, minimum, where

if TYPE_CHECKING:
    from dark.typing import Array, ArrayLike

EPSILON = 1e-12  # added to squared norms, as in PyTorch


def cosine_embedding(
    input1: ArrayLike, input2: ArrayLike, target: Array, *, margin: float = 0.0, reduction: str = "mean"
) -> Node:
    """Compute the cosine embedding loss: ``1 - cos`` for similar pairs, ``max(0, cos - margin)`` for dissimilar ones.

    Parameters
    ----------
    input1, input2 : Node or array, shape (n, d) or (d,)
    target : array, shape (n,) or ()
        1 for similar pairs, -1 for dissimilar ones.
    margin : float, default 0.0
        The cosine similarity up to which dissimilar pairs have no loss.
    reduction : {"mean", "sum", "none"}, default "mean"

    Examples
    --------
    >>> a, b = np.array([[1.0, 0.0], [1.0, 0.0]]), np.array([[0.0, 2.0], [3.0, 0.0]])
    >>> cosine_embedding(a, b, np.array([1, -1]), reduction="none").value
    array([1., 1.])
    """
    who = "cosine_embedding"
    check_reduction(reduction, who)
    number(margin, who, "margin", finite=False)
    a, b = as_node(input1, who), as_node(input2, who)
    check_order(who, target, a, b)
    target = as_array(target, who, "the target")
    if a.shape != b.shape or a.ndim not in (1, 2) or target.shape != a.shape[:-1]:
        raise ShapeError(
            f"{who}: inputs of shapes {a.shape} and {b.shape} do not match a target of shape {target.shape}.",
            "(n, d), (n, d) and (n,), or (d,), (d,) and ().",
            "print the three shapes.",
        )
    check_signs(who, target)
    squares = ((a * a).sum(-1) + EPSILON) * ((b * b).sum(-1) + EPSILON)
    cosine = (a * b).sum(-1) / np.sqrt(squares)
    return reduce_losses(where(target == 1, 1.0 - cosine, clip(cosine - margin, low=0.0)), reduction)


def triplet_margin(
    anchor: ArrayLike,
    positive: ArrayLike,
    negative: ArrayLike,
    *,
    margin: float = 1.0,
    p: float = 2.0,
    eps: float = 1e-6,
    swap: bool = False,
    reduction: str = "mean",
) -> Node:
    """Compute the triplet margin loss: ``max(0, d(anchor, positive) - d(anchor, negative) + margin)``.

    The result has shape () or that of `anchor` without its last axis.

    Reference: V. Balntas, E. Riba, D. Ponsa, K. Mikolajczyk, Learning local feature descriptors with triplets and
    shallow convolutional neural networks, BMVC 2016.

    Parameters
    ----------
    anchor, positive, negative : Node or array, all of shape (..., d)
        Vectors, a similar one for each, and a dissimilar one.
    margin : float above 0, default 1.0
    p : float above 0, default 2.0
        The order of the norm that measures distances; infinity is the maximum norm.
    eps : float, default 1e-6
        Added to every difference, so that the distance 0 has a derivative.
    swap : bool, default False
        Whether the distance between `positive` and `negative` is used if it is smaller.
    reduction : {"mean", "sum", "none"}, default "mean"

    Examples
    --------
    >>> a, b = np.zeros((1, 2)), np.array([[3.0, 4.0]])
    >>> round(triplet_margin(a, b, a).item(), 4)
    6.0
    """
    who = "triplet_margin"
    check_reduction(reduction, who)
    number(margin, who, "margin", above=0, finite=False)
    number(p, who, "p", above=0, finite=False)
    number(eps, who, "eps")
    a, b, c = as_node(anchor, who), as_node(positive, who), as_node(negative, who)
    check_equal_shapes(who, anchor=a, positive=b, negative=c)
    if not a.ndim:
        raise ShapeError(
            f"{who}: expected vectors, got three 0-d inputs.",
            "vectors, of shape (..., d).",
            "x[None], for a single number.",
        )
    near, far = distance(a, b, p, eps), distance(a, c, p, eps)
    if swap:
        far = minimum(far, distance(b, c, p, eps))
    return reduce_losses(clip(near - far + margin, low=0.0), reduction)


def distance(a, b, p, eps):
    """Return the distances of vectors along the last axis."""
    d = a - b + eps
    if p in (1, 2):
        return np.linalg.vector_norm(d, ord=int(p), axis=-1)
    if p == np.inf:
        return np.abs(d).max(-1)
    return (np.abs(d) ** p).sum(-1) ** (1.0 / p)
