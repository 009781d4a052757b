"""Negative log likelihood: what is left of the cross entropy when the logarithms are there already."""

import numpy as np

from dark.losses.class_targets import labels_of, rows
from dark.losses.input_checks import as_node, checked_reduction, reduced


def nll(input, target, weight=None, *, ignore_index=-100, reduction="mean"):
    """Take minus the logarithm of the probability that each right class was given.

    Parameters
    ----------
    input : Node or array, shape (k,), (n, k) or (n, k, d1, ...)
        Logarithms of probabilities, as `log_softmax` gives them.
    target : array of int, shape (), (n,) or (n, d1, ...)
        The class of each, from 0 to k - 1.
    weight, ignore_index, reduction
        As for `cross_entropy`.

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
        If there is no such reduction.

    Examples
    --------
    >>> nll(np.log([[0.5, 0.5], [0.2, 0.8]]), np.array([0, 1]), reduction="none").value
    array([0.69314718, 0.22314355])
    """
    checked_reduction(reduction, "nll")
    x = as_node(input, "nll")
    found = labels_of(target, x.shape, "nll", weight, ignore_index, x.dtype)
    losses = -found.shares * rows(x)[np.arange(len(found.classes)), found.classes]
    if found.ignored is not None:
        losses = np.where(found.ignored, 0.0, losses)
    return reduced(losses.reshape(np.shape(target)), reduction, found.count)
