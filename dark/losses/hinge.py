"""Hinge losses: no loss for scores, similarities or distances that are correct by a margin."""

from __future__ import annotations

import numpy as np

from dark.checks import integer, number
from dark.errors import ShapeError, UsageError
from dark.losses.class_targets import labels_of, rows
from dark.losses.input_checks import as_dtype, as_node, check_equal_shapes, check_order, check_signs, without_grad
from dark.losses.reduction import check_reduction, reduce_losses
from dark.nodes import Node
from dark.nodes.values import as_array
from dark.operations import clip, minimum, relu, where
from dark.typing import Array, ArrayLike


def hinge(input: ArrayLike, target: Array, *, margin: float = 1.0, reduction: str = "mean") -> Node:
    """Compute the hinge loss of two classes: ``max(0, margin - target * input)``.

    The loss of support vector machines, and PyTorch's ``margin_ranking_loss(input, 0, target, margin)``. At the
    kink, the derivative of the linear part is used.

    Parameters
    ----------
    input : Node, float or array, any shape
        Scores.
    target : array, the shape of `input`
        1 and -1.
    margin : float, default 1.0
    reduction : {"mean", "sum", "none"}, default "mean"

    Examples
    --------
    >>> hinge(np.array([2.0, 0.5, -1.0]), np.array([1, 1, 1]), reduction="none").value
    array([0. , 0.5, 2. ])
    """
    number(margin, "hinge", "margin", finite=False)
    x, t = _check_signed("hinge", input, target, reduction)
    return reduce_losses(clip(margin - t * x, low=0.0), reduction)


def hinge_embedding(input: ArrayLike, target: Array, *, margin: float = 1.0, reduction: str = "mean") -> Node:
    """Compute the hinge embedding loss: ``x`` for similar pairs, ``max(0, margin - x)`` for dissimilar ones.

    Parameters
    ----------
    input : Node, float or array, any shape
        Distances.
    target : array, the shape of `input`
        1 for similar pairs, -1 for dissimilar ones.
    margin : float, default 1.0
    reduction : {"mean", "sum", "none"}, default "mean"

    Examples
    --------
    >>> hinge_embedding(np.array([0.2, 0.2, 3.0]), np.array([1, -1, -1]), reduction="none").value
    array([0.2, 0.8, 0. ])
    """
    number(margin, "hinge_embedding", "margin", finite=False)
    x, t = _check_signed("hinge_embedding", input, target, reduction)
    return reduce_losses(where(t == 1, x, clip(margin - x, low=0.0)), reduction)


def _check_signed(who, input, target, reduction):
    """Check input, target and reduction; return input and target."""
    check_reduction(reduction, who)
    x = as_node(input, who)
    check_order(who, target, x)
    t = as_dtype(without_grad(target, who, "the target"), x.dtype)
    check_equal_shapes(who, input=x, target=t)
    check_signs(who, t)
    return x, t


def multi_margin(
    input: ArrayLike,
    target: Array,
    *,
    p: int = 1,
    margin: float = 1.0,
    weight: Array | None = None,
    reduction: str = "mean",
) -> Node:
    """Compute the multi-class hinge loss, from the margins between the target class and all others.

    ``sum(max(0, margin - input[target] + input[j])**p for j != target) / k``

    Parameters
    ----------
    input : Node or array, shape (n, k) or (k,)
        The scores of the classes.
    target : array of int, shape (n,) or ()
        Class indices, from 0 to k - 1.
    p : {1, 2}, default 1
        The exponent of the violation of the margin.
    margin : float, default 1.0
    weight : array, shape (k,), optional
        The weight of each class; the mean still divides by n.
    reduction : {"mean", "sum", "none"}, default "mean"

    Examples
    --------
    >>> multi_margin(np.array([[2.0, 1.5, 0.0]]), np.array([0])).item()
    0.16666666666666666
    """
    who = "multi_margin"
    check_reduction(reduction, who)
    number(margin, who, "margin", finite=False)
    if integer(p, who, "p") not in (1, 2):
        raise UsageError(f"{who}: p must be 1 or 2, got {p}.", "1 or 2.", "p=1")
    x = as_node(input, who)
    check_order(who, target, x)
    if x.ndim > 2:
        raise ShapeError(
            f"{who}: input must have one or two axes, got shape {x.shape}.", "(n, k) or (k,).", "x.reshape(-1, k)"
        )
    found = labels_of(target, x.shape, who, weight, dtype=x.dtype)
    x, index = rows(x), np.arange(len(found.classes))
    violation = relu(margin - x[index, found.classes].reshape(-1, 1) + x)  # (n, k)
    others = np.arange(x.shape[1]) != found.classes[:, None]
    losses = where(others, violation if p == 1 else violation * violation, 0.0).sum(1) * (found.weights / x.shape[1])
    return reduce_losses(losses.reshape(np.shape(target)), reduction)


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
