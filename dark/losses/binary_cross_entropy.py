"""Binary cross-entropy, from logits or from probabilities."""

from __future__ import annotations

import numpy as np

from dark.losses.input_checks import as_node, as_target, as_weight, check_equal_shapes, check_range, repeated_target
from dark.losses.reduction import check_reduction, reduce_losses
from dark.nodes import Node
from dark.operations import softplus
from dark.operations.layers.losses import BCEWithLogits, BinaryCrossEntropy
from dark.typing import Array, ArrayLike


def binary_cross_entropy_with_logits(
    input: ArrayLike,
    target: ArrayLike,
    weight: Array | None = None,
    *,
    reduction: str = "mean",
    pos_weight: Array | None = None,
) -> Node:
    """Compute the binary cross-entropy with logits, numerically stable for all inputs.

    ``(1 - t) * softplus(x) + pos_weight * t * softplus(-x)``; with pos_weight 1, the derivative is ``sigmoid(x) - t``.

    Parameters
    ----------
    input : Node, float or array, any shape
        Logits; their sigmoid is the probability of the positive class.
    target : Node, float or array, the shape of `input`
        1 for the positive class, 0 for the negative one, or a probability.
    weight : array, optional
        The factor of each loss, broadcast to the shape of `input`. The mean still divides by the number of
        losses.
    reduction : {"mean", "sum", "none"}, default "mean"
    pos_weight : array, optional
        The factor of the positive class, broadcast to the shape of `input`.

    Examples
    --------
    >>> x = np.array([40.0, -30.0, -800.0])
    >>> binary_cross_entropy_with_logits(x, np.array([0.0, 1.0, 1.0]), reduction="none").value
    array([ 40.,  30., 800.])
    """
    is_plain = weight is None and pos_weight is None and reduction in ("mean", "none")
    if is_plain and isinstance(input, Node) and type(target) is np.ndarray and target.size:
        if target.shape == input.shape and target.dtype == input.dtype:  # without the general checks
            is_mean = reduction == "mean"
            return BCEWithLogits.apply(
                input, target=target, weights=1.0 / target.size if is_mean else 1.0, each=not is_mean
            )
    who = "binary_cross_entropy_with_logits"
    check_reduction(reduction, who)
    x = as_node(input, who)
    t = repeated_target(target, who, x)
    check_equal_shapes(who, input=x, target=t)
    weight = as_weight(weight, who, x.shape, x.dtype)
    pos_weight = as_weight(pos_weight, who, x.shape, x.dtype)
    if isinstance(t, Node):
        losses = composed(x, t, pos_weight)
        return reduce_losses(losses if weight is None else losses * weight, reduction)
    factors = (1.0 if weight is None else weight) / (max(x.size, 1) if reduction == "mean" else 1)
    settings = {"target": t, "weights": factors, "pos_weight": pos_weight, "each": reduction == "none"}
    y = BCEWithLogits.apply(x, **settings)
    return y if x.size or reduction != "mean" else y + np.nan


def composed(x, t, pos_weight=None):
    """Compute the losses from elementary operations, for targets that require a gradient."""
    positive = t if pos_weight is None else t * pos_weight
    return (1.0 - t) * softplus(x) + positive * softplus(-x)


def binary_cross_entropy(
    input: ArrayLike, target: ArrayLike, weight: Array | None = None, *, reduction: str = "mean"
) -> Node:
    """Compute the binary cross-entropy from probabilities.

    ``-t * log(x) - (1 - t) * log(1 - x)``, where logarithms are clamped to -100 from below, and the divisor of the
    derivative, ``x * (1 - x)``, to 1e-12, as in PyTorch. For logits, `binary_cross_entropy_with_logits` is exact.

    Parameters
    ----------
    input : Node, float or array, any shape
        The probability of the positive class, from 0 to 1.
    target : Node, float or array, the shape of `input`
        1 for the positive class, 0 for the negative one, or a probability.
    weight : array, optional
        The factor of each loss, broadcast to the shape of `input`.
    reduction : {"mean", "sum", "none"}, default "mean"

    Examples
    --------
    >>> binary_cross_entropy(np.array([0.5, 0.0]), np.array([1.0, 1.0]), reduction="none").value
    array([  0.69314718, 100.        ])
    """
    who = "binary_cross_entropy"
    check_reduction(reduction, who)
    x = as_node(input, who)
    t = as_target(target, who, x)
    check_equal_shapes(who, input=x, target=t)
    check_range(who, 0, 1, input=x, target=t)
    losses = BinaryCrossEntropy.apply(x, t if isinstance(t, Node) else as_node(t, who))
    weight = as_weight(weight, who, x.shape, x.dtype)
    return reduce_losses(losses if weight is None else losses * weight, reduction)
