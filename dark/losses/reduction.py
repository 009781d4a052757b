"""The reduction of elementwise losses to one number: mean, sum or none."""

import math

from dark.checks import one_of

REDUCTIONS = ("mean", "sum", "none")


def check_reduction(reduction, who, known=REDUCTIONS):
    """Raise if a reduction is unknown."""
    if not (isinstance(reduction, str) and reduction in known):
        one_of(reduction, who, "reduction", known)


def reduce_losses(losses, reduction, count=None):
    """Reduce losses to one number, or return them unchanged; `count` is the divisor of the mean, if not their number.

    The mean of no losses is NaN, as in PyTorch; its gradient is 0.
    """
    if reduction == "none":
        return losses
    if reduction == "mean" and count is None:
        count = losses.size
        if count:
            return losses.mean()
    if reduction == "sum":
        return losses.sum()
    return losses.sum() / count if count else losses.sum() + math.nan
