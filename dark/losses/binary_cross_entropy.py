"""Cross entropy of two outcomes: yes or no, real or made up, from logits or from probabilities."""

import numpy as np

from dark.losses.input_checks import (
    as_node,
    as_target,
    checked_reduction,
    reduced,
    refuse_numbers_outside,
    refuse_other_shapes,
    weights_of,
)
from dark.nodes import Node
from dark.operations.elementwise.logistic import softplus
from dark.operations.layers.binary_cross_entropy import BCEWithLogits, BinaryCrossEntropy


def binary_cross_entropy_with_logits(input, target, weight=None, *, reduction="mean", pos_weight=None):
    """Measure the surprise at yes and no, for logits: exact and finite wherever these lie.

    Parameters
    ----------
    input : Node, float or array, any shape
        Logits: any real numbers; the sigmoid of one is the probability of yes.
    target : Node, float or array, the shape of `input`
        1 for yes, 0 for no, or a probability between.
    weight : array, optional
        How much each loss counts; repeated to the shape of `input`. The mean divides by the number of
        losses all the same.
    reduction : {"mean", "sum", "none"}, default "mean"
    pos_weight : array, optional
        How much more yes counts than no; repeated to the shape of `input`.

    Returns
    -------
    Node, shape () or that of `input`

    Raises
    ------
    ShapeError
        If the shapes are not equal, or weights do not fit.
    UsageError
        If there is no such reduction.

    Notes
    -----
    ``(1 - t) * softplus(x) + pos_weight * t * softplus(-x)``; slope with pos_weight 1: ``sigmoid(x) - t``.

    Examples
    --------
    >>> x = np.array([40.0, -30.0, -800.0])
    >>> binary_cross_entropy_with_logits(x, np.array([0.0, 1.0, 1.0]), reduction="none").value
    array([ 40.,  30., 800.])
    """
    is_plain = weight is None and pos_weight is None and reduction == "mean"
    if is_plain and isinstance(input, Node) and type(target) is np.ndarray and target.size:
        if target.shape == input.shape and target.dtype == input.dtype:
            return BCEWithLogits.apply(input, target=target, shares=1.0 / target.size)
    who = "binary_cross_entropy_with_logits"
    checked_reduction(reduction, who)
    x = as_node(input, who)
    t = as_target(target, who, x.dtype)
    refuse_other_shapes(who, input=x, target=t)
    weight = weights_of(weight, who, x.shape, x.dtype)
    pos_weight = weights_of(pos_weight, who, x.shape, x.dtype)
    if isinstance(t, Node):
        losses = composed(x, t, pos_weight)
        return reduced(losses if weight is None else losses * weight, reduction)
    shares = (1.0 if weight is None else weight) / (max(x.size, 1) if reduction == "mean" else 1)
    settings = {"target": t, "shares": shares, "pos_weight": pos_weight, "each": reduction == "none"}
    y = BCEWithLogits.apply(x, **settings)
    return y if x.size or reduction != "mean" else y + np.nan


def composed(x, t, pos_weight=None):
    """Compute the losses from operations of one step each, for targets that take a gradient."""
    positive = t if pos_weight is None else t * pos_weight
    return (1.0 - t) * softplus(x) + positive * softplus(-x)


def binary_cross_entropy(input, target, weight=None, *, reduction="mean"):
    """Measure the surprise at yes and no, for probabilities.

    Parameters
    ----------
    input : Node, float or array, any shape
        The probability of yes, from 0 to 1.
    target : Node, float or array, the shape of `input`
        1 for yes, 0 for no, or a probability between.
    weight : array, optional
        How much each loss counts; repeated to the shape of `input`.
    reduction : {"mean", "sum", "none"}, default "mean"

    Returns
    -------
    Node, shape () or that of `input`

    Raises
    ------
    ShapeError
        If the shapes are not equal, or weights do not fit.
    ValueTypeError
        If a number lies outside 0 and 1.
    UsageError
        If there is no such reduction.

    Notes
    -----
    ``-t * log(x) - (1 - t) * log(1 - x)``, where a logarithm below -100 counts as -100, and the product
    ``x * (1 - x)``, by which the slope divides, is at least 1e-12: as in PyTorch. From logits,
    `binary_cross_entropy_with_logits` is exact.

    Examples
    --------
    >>> binary_cross_entropy(np.array([0.5, 0.0]), np.array([1.0, 1.0]), reduction="none").value
    array([  0.69314718, 100.        ])
    """
    who = "binary_cross_entropy"
    checked_reduction(reduction, who)
    x = as_node(input, who)
    t = as_target(target, who, x.dtype)
    refuse_other_shapes(who, input=x, target=t)
    refuse_numbers_outside(who, 0, 1, input=x, target=t)
    losses = BinaryCrossEntropy.apply(x, t if isinstance(t, Node) else as_node(t, who))
    weight = weights_of(weight, who, x.shape, x.dtype)
    return reduced(losses if weight is None else losses * weight, reduction)
