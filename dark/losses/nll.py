"""The negative log-likelihood of target classes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dark.losses.class_targets import labels_of, rows
from dark.losses.input_checks import as_node, check_order
from dark.losses.reduction import check_reduction, reduce_losses
from dark.nodes import Node

if TYPE_CHECKING:
    from dark.typing import Array, ArrayLike


def nll(
    input: ArrayLike, target: Array, weight: Array | None = None, *, ignore_index: int = -100, reduction: str = "mean"
) -> Node:
    """Compute the negative log-likelihood of the target classes: ``-input[target]``.

    Parameters
    ----------
    input : Node or array, shape (k,), (n, k) or (n, k, d1, ...)
        Log-probabilities, as returned by `log_softmax`.
    target : array of int, shape (), (n,) or (n, d1, ...)
        Class indices, from 0 to k - 1.
    weight, ignore_index, reduction
        As for `cross_entropy`.

    Examples
    --------
    >>> nll(np.log([[0.5, 0.5], [0.2, 0.8]]), np.array([0, 1]), reduction="none").value
    array([0.69314718, 0.22314355])
    """
    check_reduction(reduction, "nll")
    x = as_node(input, "nll")
    check_order("nll", target, x)
    found = labels_of(target, x.shape, "nll", weight, ignore_index, x.dtype)
    losses = -found.weights * rows(x)[np.arange(len(found.classes)), found.classes]
    if found.ignored is not None:
        losses = np.where(found.ignored, 0.0, losses)
    return reduce_losses(losses.reshape(np.shape(target)), reduction, found.count)
