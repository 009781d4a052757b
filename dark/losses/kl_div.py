"""The Kullback-Leibler divergence between two distributions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dark.losses.input_checks import as_node, as_target, check_equal_shapes
from dark.losses.reduction import REDUCTIONS, check_reduction, reduce_losses
from dark.nodes import Node, value_of
from dark.operations import where

if TYPE_CHECKING:
    from dark.typing import ArrayLike


def kl_div(input: ArrayLike, target: ArrayLike, *, reduction: str = "mean", log_target: bool = False) -> Node:
    """Compute the Kullback-Leibler divergence: ``target * (log(target) - input)``.

    Where the target is 0, so is ``target * log(target)``; the derivative in the target is taken as ``-input`` there,
    the finite part of a limit that is -inf (PyTorch: NaN).

    Reference: S. Kullback, R. A. Leibler, On information and sufficiency, Annals of Mathematical Statistics 22 (1951).

    Parameters
    ----------
    input : Node, float or array, any shape
        Log-probabilities, as returned by `log_softmax`.
    target : Node, float or array, the shape of `input`
        Probabilities, or log-probabilities.
    reduction : {"batchmean", "mean", "sum", "none"}, default "mean"
        "batchmean", the sum divided by the length of axis 0, is the mathematical definition; "mean" divides by
        the number of elements, as in PyTorch.
    log_target : bool, default False
        Whether `target` contains log-probabilities.

    Examples
    --------
    >>> kl_div(np.log([[0.5, 0.5]]), np.array([[1.0, 0.0]]), reduction="batchmean").item()
    0.693147180...
    """
    check_reduction(reduction, "kl_div", ("batchmean", *REDUCTIONS))
    x = as_node(input, "kl_div")
    t = as_target(target, "kl_div", x)
    check_equal_shapes("kl_div", input=x, target=t)
    if log_target:
        losses = as_node(np.exp(t) * (t - x), "kl_div")
    else:
        logarithm = np.log(where(value_of(t) == 0, 1.0, t))  # 0 * log(0) is 0 by convention
        losses = t * logarithm - t * x
    if reduction == "batchmean":
        return reduce_losses(losses, "mean", x.shape[0] if x.ndim else 1)
    return reduce_losses(losses, reduction)
