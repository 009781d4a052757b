"""Cross entropy of classes: how surprised a network's logits are by the right answers."""

import numpy as np

from dark.errors import ShapeError, ValueTypeError
from dark.nodes.values import describe, shape_of
from dark.operations.entropy import CrossEntropy


def cross_entropy(logits, target):
    """Average the surprise at each row's class: minus the logarithm of its softmax.

    Parameters
    ----------
    logits : Node or array, shape (n, k)
        One row of any real numbers for each example.
    target : array of int, shape (n,)
        The class of each, from 0 to k - 1.

    Returns
    -------
    Node, shape ()

    Raises
    ------
    ShapeError
        If there is not one row for each class.
    ValueTypeError
        If `target` is no array of classes.

    Notes
    -----
    ``mean(logsumexp(logits[i]) - logits[i, target[i]])``, with the largest logit of a row subtracted first.

    Examples
    --------
    >>> import numpy as np
    >>> cross_entropy(np.array([[0.0, 0.0], [1000.0, 0.0]]), np.array([1, 0])).item()
    0.34657359027997264
    """
    shape = shape_of(logits)
    target = np.asarray(target)
    if target.dtype.kind not in "iu":
        raise ValueTypeError(
            f"cross_entropy: the target is {describe(target)}.", "an array of integers.", "target.astype(int)"
        )
    if len(shape) != 2 or target.shape != shape[:1]:
        raise ShapeError(
            f"cross_entropy: logits of shape {shape} and a target of shape {target.shape} do not fit.",
            "(n, k) and (n,).",
            "print both shapes.",
        )
    n, k = shape
    if n and not (np.minimum.reduce(target) >= 0 and np.maximum.reduce(target) < k):
        raise ValueTypeError(
            f"cross_entropy: the target holds classes from {target.min()} to {target.max()}.",
            f"classes from 0 to {k - 1}, as the logits have {k} columns.",
            "count the classes from 0.",
        )
    return CrossEntropy.quick(logits, {"labels": target, "shares": 1.0 / n if n else np.nan, "kept": {}})
