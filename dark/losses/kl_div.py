"""The Kullback-Leibler divergence: how far one distribution is from another."""

import numpy as np

from dark.losses.input_checks import REDUCTIONS, as_node, as_target, checked_reduction, reduced, refuse_other_shapes
from dark.nodes import value_of
from dark.operations.elementwise.selection import where


def kl_div(input, target, *, reduction="mean", log_target=False):
    """Measure how far a distribution is from the right one.

    Parameters
    ----------
    input : Node, float or array, any shape
        Logarithms of probabilities, as `log_softmax` gives them.
    target : Node, float or array, the shape of `input`
        The right probabilities, or their logarithms.
    reduction : {"batchmean", "mean", "sum", "none"}, default "mean"
        The divergence itself is "batchmean": the sum divided by the length of the first axis. The mean
        divides by the number of all losses, as in PyTorch.
    log_target : bool, default False
        Whether `target` holds logarithms.

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
    ``target * (log(target) - input)``; where the target is 0 so is its logarithm's part.

    References
    ----------
    S. Kullback, R. A. Leibler, On information and sufficiency, Annals of Mathematical Statistics 22 (1951).

    Examples
    --------
    >>> kl_div(np.log([[0.5, 0.5]]), np.array([[1.0, 0.0]]), reduction="batchmean").item()
    0.693147180...
    """
    checked_reduction(reduction, "kl_div", ("batchmean", *REDUCTIONS))
    x = as_node(input, "kl_div")
    t = as_target(target, "kl_div", x.dtype)
    refuse_other_shapes("kl_div", input=x, target=t)
    if log_target:
        losses = as_node(np.exp(t) * (t - x), "kl_div")
    else:
        logarithm = np.log(where(value_of(t) == 0, 1.0, t))  # 0 times the logarithm of 0 is 0
        losses = t * logarithm - t * x
    if reduction == "batchmean":
        return reduced(losses, "mean", x.shape[0] if x.ndim else 1)
    return reduced(losses, reduction)
