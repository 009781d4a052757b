"""Regression losses: squared error, absolute error, Huber and smooth L1."""

from __future__ import annotations

from dark.checks import number
from dark.losses.input_checks import as_node, as_weight, check_equal_shapes, repeated_target, without_grad
from dark.losses.reduction import check_reduction, reduce_losses
from dark.nodes import Node
from dark.operations import abs, square, sub
from dark.operations.layers.losses import Huber
from dark.typing import Array, ArrayLike


def mse(input: ArrayLike, target: ArrayLike, *, weight: Array | None = None, reduction: str = "mean") -> Node:
    """Compute the mean squared error.

    Parameters
    ----------
    input, target : Node, float or array, of one shape
        The prediction and the target.
    weight : array, the shape of `input`, optional
        The weight of each square; the mean divides by the sum of the weights.
    reduction : {"mean", "sum", "none"}, default "mean"

    Examples
    --------
    >>> mse(np.array([1.0, 2.0]), np.array([0.0, 4.0])).value
    2.5
    """
    x, t, weight = _check_inputs("mse", input, target, weight, reduction)
    losses = square(sub(x, t))
    return reduce_losses(losses, reduction) if weight is None else _weighted(losses, weight, reduction)


def l1(input: ArrayLike, target: ArrayLike, *, weight: Array | None = None, reduction: str = "mean") -> Node:
    """Compute the mean absolute error.

    Where input and target are equal, the derivative is 0.

    Parameters
    ----------
    input, target, weight, reduction
        As for `mse`.

    Examples
    --------
    >>> l1(np.array([1.0, 2.0]), np.array([0.0, 4.0])).value
    1.5
    """
    x, t, weight = _check_inputs("l1", input, target, weight, reduction)
    losses = abs(sub(x, t))
    return reduce_losses(losses, reduction) if weight is None else _weighted(losses, weight, reduction)


def huber(
    input: ArrayLike, target: ArrayLike, *, reduction: str = "mean", delta: float = 1.0, weight: Array | None = None
) -> Node:
    """Compute the Huber loss: quadratic for errors up to `delta`, linear beyond.

    ``0.5 * d**2`` up to delta, ``delta * (d - 0.5 * delta)`` beyond, where ``d = abs(input - target)``.

    Reference: P. J. Huber, Robust estimation of a location parameter, Annals of Mathematical Statistics 35 (1964).

    Parameters
    ----------
    input, target : Node, float or array, of one shape
    reduction : {"mean", "sum", "none"}, default "mean"
    delta : float above 0, default 1.0
        The error at which the loss becomes linear.
    weight : array, the shape of `input`, optional
        The factor of each loss; the mean still divides by the number of losses, as in PyTorch.

    Examples
    --------
    >>> huber(np.array([0.5, 10.0]), np.zeros(2), reduction="none").value
    array([0.125, 9.5  ])
    """
    delta = number(delta, "huber", "delta", above=0, finite=False)
    x, t, weight = _check_inputs("huber", input, target, weight, reduction)
    losses = Huber.apply(x, t, delta=delta)
    return reduce_losses(losses if weight is None else losses * weight, reduction)


def smooth_l1(input: ArrayLike, target: ArrayLike, *, reduction: str = "mean", beta: float = 1.0) -> Node:
    """Compute the smooth L1 loss: the Huber loss divided by its threshold, here called `beta`.

    Parameters
    ----------
    input, target : Node, float or array, of one shape
    reduction : {"mean", "sum", "none"}, default "mean"
    beta : float, at least 0, default 1.0
        The error at which the loss becomes linear; 0 gives `l1`.

    Examples
    --------
    >>> smooth_l1(np.array([1.0, 10.0]), np.zeros(2), reduction="none", beta=2.0).value
    array([0.25, 9.  ])
    """
    beta = number(beta, "smooth_l1", "beta", least=0, finite=False)
    x, t, _ = _check_inputs("smooth_l1", input, target, None, reduction)
    losses = Huber.apply(x, t, delta=beta) / beta if beta else abs(sub(x, t))
    return reduce_losses(losses, reduction)


def _check_inputs(who, input, target, weight, reduction):
    """Check inputs and reduction; return input, target and weight."""
    check_reduction(reduction, who)
    x = as_node(input, who)
    t = repeated_target(target, who, x)
    check_equal_shapes(who, input=x, target=t)
    if weight is not None:
        weight = without_grad(weight, who, "the weight")
        check_equal_shapes(who, input=x, weight=weight)
    return x, t, as_weight(weight, who, x.shape, x.dtype)


def _weighted(losses, weight, reduction):
    return reduce_losses(losses * weight, reduction, float(weight.sum() if hasattr(weight, "sum") else weight))
