"""Losses for numbers that are to be hit: by squares, by absolute differences, and between the two."""

import numbers

from dark.errors import UsageError
from dark.losses.input_checks import (
    as_node,
    as_target,
    checked_reduction,
    reduced,
    refuse_not_positive,
    refuse_other_shapes,
    weights_of,
)
from dark.nodes import Node
from dark.nodes.values import as_value
from dark.operations.elementwise.arithmetic import sub
from dark.operations.elementwise.powers import abs, square
from dark.operations.layers.huber import Huber


def mse(input, target, *, weight=None, reduction="mean"):
    """Average the squares of the differences.

    Parameters
    ----------
    input, target : Node, float or array, of one shape
        What was computed, and what is right.
    weight : array, the shape of `input`, optional
        How much each square counts; the mean divides by the sum of the weights.
    reduction : {"mean", "sum", "none"}, default "mean"

    Returns
    -------
    Node, shape () or that of `input`

    Raises
    ------
    ShapeError
        If the shapes are not equal; nothing is repeated silently.
    UsageError
        If there is no such reduction.

    Examples
    --------
    >>> import numpy as np
    >>> mse(np.array([1.0, 2.0]), np.array([0.0, 4.0])).value
    2.5
    """
    x, t, weight = _checked("mse", input, target, weight, reduction)
    losses = square(sub(x, t))
    return reduced(losses, reduction) if weight is None else _weighted(losses, weight, reduction)


def l1(input, target, *, weight=None, reduction="mean"):
    """Average the absolute differences.

    Parameters
    ----------
    input, target, weight, reduction
        As for `mse`.

    Returns
    -------
    Node, shape () or that of `input`

    Raises
    ------
    ShapeError
        If the shapes are not equal.
    UsageError
        If there is no such reduction.

    Notes
    -----
    Where the two are equal the slope is 0.

    Examples
    --------
    >>> import numpy as np
    >>> l1(np.array([1.0, 2.0]), np.array([0.0, 4.0])).value
    1.5
    """
    x, t, weight = _checked("l1", input, target, weight, reduction)
    losses = abs(sub(x, t))
    return reduced(losses, reduction) if weight is None else _weighted(losses, weight, reduction)


def huber(input, target, *, reduction="mean", delta=1.0, weight=None):
    """Average half the squares of small differences, and of large ones delta times what they are.

    Parameters
    ----------
    input, target : Node, float or array, of one shape
    reduction : {"mean", "sum", "none"}, default "mean"
    delta : float above 0, default 1.0
        Up to which difference the parabola goes.
    weight : array, the shape of `input`, optional
        How much each loss counts; the mean divides by the number of losses all the same, as in PyTorch.

    Returns
    -------
    Node, shape () or that of `input`

    Raises
    ------
    ShapeError
        If the shapes are not equal.
    UsageError
        If a setting makes no sense.

    Notes
    -----
    ``0.5 * d**2`` up to delta, ``delta * (d - 0.5 * delta)`` beyond, where ``d = abs(input - target)``.

    References
    ----------
    P. J. Huber, Robust estimation of a location parameter, Annals of Mathematical Statistics 35 (1964).

    Examples
    --------
    >>> import numpy as np
    >>> huber(np.array([0.5, 10.0]), np.zeros(2), reduction="none").value
    array([0.125, 9.5  ])
    """
    refuse_not_positive("huber", delta=delta)
    x, t, weight = _checked("huber", input, target, weight, reduction)
    losses = Huber.apply(x, t, delta=float(delta))
    return reduced(losses if weight is None else losses * weight, reduction)


def smooth_l1(input, target, *, reduction="mean", beta=1.0):
    """Average absolute differences whose kink is rounded: `huber` divided by its delta, here called beta.

    Parameters
    ----------
    input, target : Node, float or array, of one shape
    reduction : {"mean", "sum", "none"}, default "mean"
    beta : float, at least 0, default 1.0
        Up to which difference it is rounded; 0 makes it `l1`.

    Returns
    -------
    Node, shape () or that of `input`

    Raises
    ------
    ShapeError
        If the shapes are not equal.
    UsageError
        If a setting makes no sense.

    Examples
    --------
    >>> import numpy as np
    >>> smooth_l1(np.array([1.0, 10.0]), np.zeros(2), reduction="none", beta=2.0).value
    array([0.25, 9.  ])
    """
    if not (isinstance(beta, numbers.Real) and beta >= 0):
        raise UsageError(f"smooth_l1: beta is {beta!r}.", "a number of at least 0.", "beta=1.0 is the usual one.")
    x, t, _ = _checked("smooth_l1", input, target, None, reduction)
    losses = Huber.apply(x, t, delta=float(beta)) / float(beta) if beta else abs(sub(x, t))
    return reduced(losses, reduction)


def _checked(who, input, target, weight, reduction):
    """Check what all of these are given; return input, target and weight."""
    checked_reduction(reduction, who)
    x = as_node(input, who)
    t = as_target(target, who, x.dtype)
    refuse_other_shapes(who, input=x, target=t)
    if weight is not None:
        weight = weight.value if isinstance(weight, Node) else as_value(weight, who)
        refuse_other_shapes(who, input=x, weight=weight)
    return x, t, weights_of(weight, who, x.shape, x.dtype)


def _weighted(losses, weight, reduction):
    return reduced(losses * weight, reduction, float(weight.sum() if hasattr(weight, "sum") else weight))
