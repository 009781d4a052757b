"""Hinge losses: what is right by a margin costs nothing."""

import numpy as np

from dark.errors import ShapeError, UsageError
from dark.losses.class_targets import labels_of, rows
from dark.losses.input_checks import (
    as_node,
    checked_reduction,
    in_type,
    reduced,
    refuse_other_shapes,
    refuse_other_signs,
)
from dark.nodes import value_of
from dark.nodes.values import operand
from dark.operations.elementwise.activation_functions import relu
from dark.operations.elementwise.selection import clip, where


def hinge(input, target, *, margin=1.0, reduction="mean"):
    """Push scores of two classes to their sides of 0, until they are beyond a margin.

    Parameters
    ----------
    input : Node, float or array, any shape
        Scores.
    target : array, the shape of `input`
        1 and -1.
    margin : float, default 1.0
    reduction : {"mean", "sum", "none"}, default "mean"

    Returns
    -------
    Node, shape () or that of `input`

    Raises
    ------
    ShapeError
        If the shapes are not equal.
    ValueTypeError
        If `target` holds anything but 1 and -1.
    UsageError
        If there is no such reduction.

    Notes
    -----
    ``max(0, margin - target * input)``: the loss of support vector machines, and PyTorch's
    ``margin_ranking_loss(input, 0, target, margin)``. Just at the margin the slope is that of the line.

    Examples
    --------
    >>> hinge(np.array([2.0, 0.5, -1.0]), np.array([1, 1, 1]), reduction="none").value
    array([0. , 0.5, 2. ])
    """
    x, t = _signed("hinge", input, target, reduction)
    return reduced(clip(margin - t * x, low=0.0), reduction)


def hinge_embedding(input, target, *, margin=1.0, reduction="mean"):
    """Make distances of pairs that belong together small, and those of others larger than a margin.

    Parameters
    ----------
    input : Node, float or array, any shape
        Distances.
    target : array, the shape of `input`
        1 for pairs that belong together, -1 for the others.
    margin : float, default 1.0
    reduction : {"mean", "sum", "none"}, default "mean"

    Returns
    -------
    Node, shape () or that of `input`

    Raises
    ------
    ShapeError
        If the shapes are not equal.
    ValueTypeError
        If `target` holds anything but 1 and -1.
    UsageError
        If there is no such reduction.

    Notes
    -----
    The distance itself where the target is 1, ``max(0, margin - distance)`` where it is -1.

    Examples
    --------
    >>> hinge_embedding(np.array([0.2, 0.2, 3.0]), np.array([1, -1, -1]), reduction="none").value
    array([0.2, 0.8, 0. ])
    """
    x, t = _signed("hinge_embedding", input, target, reduction)
    return reduced(where(t == 1, x, clip(margin - x, low=0.0)), reduction)


def _signed(who, input, target, reduction):
    """Check what both of these are given; return input and target."""
    checked_reduction(reduction, who)
    x = as_node(input, who)
    t = in_type(operand(value_of(target), who), x.dtype)
    refuse_other_shapes(who, input=x, target=t)
    refuse_other_signs(who, t)
    return x, t


def multi_margin(input, target, *, p=1, margin=1.0, weight=None, reduction="mean"):
    """Push the score of each right class above all others by a margin.

    Parameters
    ----------
    input : Node or array, shape (n, k) or (k,)
        Scores of the classes.
    target : array of int, shape (n,) or ()
        The right classes, from 0 to k - 1.
    p : {1, 2}, default 1
        To which power what is missing counts.
    margin : float, default 1.0
    weight : array, shape (k,), optional
        How much each class counts; the mean divides by n all the same.
    reduction : {"mean", "sum", "none"}, default "mean"

    Returns
    -------
    Node, shape () or that of `target`

    Raises
    ------
    ShapeError
        If the shapes do not fit.
    ValueTypeError
        If `target` holds something else than classes.
    UsageError
        If a setting makes no sense.

    Notes
    -----
    ``sum(max(0, margin - input[target] + input[j])**p for j != target) / k``

    Examples
    --------
    >>> multi_margin(np.array([[2.0, 1.5, 0.0]]), np.array([0])).item()
    0.16666666666666666
    """
    who = "multi_margin"
    checked_reduction(reduction, who)
    if p not in (1, 2):
        raise UsageError(f"{who}: p is {p}.", "1 or 2.", "p=1")
    x = as_node(input, who)
    if x.ndim > 2:
        raise ShapeError(f"{who}: input has the shape {x.shape}.", "(n, k) or (k,).", "x.reshape(-1, k)")
    found = labels_of(target, x.shape, who, weight, dtype=x.dtype)
    x, places = rows(x), np.arange(len(found.classes))
    missing = relu(margin - x[places, found.classes].reshape(-1, 1) + x)  # (n, k)
    others = np.arange(x.shape[1]) != found.classes[:, None]
    losses = where(others, missing if p == 1 else missing * missing, 0.0).sum(1) * (found.shares / x.shape[1])
    return reduced(losses.reshape(np.shape(target)), reduction)
