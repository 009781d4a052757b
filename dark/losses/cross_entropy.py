"""Cross entropy of classes: how surprised a network's logits are by the right answers."""

import numpy as np

from dark.errors import UsageError
from dark.losses.class_targets import checked_smoothing, class_weights, labels_of, rows
from dark.losses.input_checks import as_node, as_target, checked_reduction, reduced
from dark.nodes import value_of
from dark.nodes.values import shape_of
from dark.operations.layers.cross_entropy import CrossEntropy
from dark.operations.layers.softmax import log_softmax

WHO = "cross_entropy"


def cross_entropy(input, target, weight=None, *, ignore_index=-100, reduction="mean", label_smoothing=0.0):
    """Measure the surprise at right answers: minus the logarithm of the softmax at each class.

    Parameters
    ----------
    input : Node or array, shape (k,), (n, k) or (n, k, d1, ...)
        Logits: any real numbers, k of them for each example, or for each place of it.
    target : array of int, shape (), (n,) or (n, d1, ...); or Node or array of float, the shape of `input`
        The class of each, from 0 to k - 1; or the probabilities of all classes.
    weight : array, shape (k,), optional
        How much each class counts.
    ignore_index : int, default -100
        The class that means: leave this one out, whatever its logits are. Not for probabilities.
    reduction : {"mean", "sum", "none"}, default "mean"
        The mean divides by the sum of the weights of the classes in `target`; of probabilities, by
        their number.
    label_smoothing : float from 0 to 1, default 0.0
        How much of each target is shared out evenly among all classes.

    Returns
    -------
    Node, shape (), or that of `target` without the axis of classes

    Raises
    ------
    ShapeError
        If the shapes do not fit.
    ValueTypeError
        If `target` holds something else than classes or probabilities.
    UsageError
        If a setting makes no sense.

    Notes
    -----
    ``logsumexp(input) - input[target]``, with the largest logit subtracted first; with probabilities p,
    ``-sum(p * log_softmax(input))``, which is NaN where p is 0 and a logit -inf. The mean of nothing is
    NaN. All as in PyTorch.

    Examples
    --------
    >>> cross_entropy(np.array([[0.0, 0.0], [1000.0, 0.0]]), np.array([1, 0])).item()
    0.34657359027997264
    >>> cross_entropy(np.array([[1.0, 2.0, 3.0]]), np.array([[0.0, 0.5, 0.5]])).item()
    0.907605964...
    """
    shape = shape_of(input)
    if (
        type(target) is np.ndarray
        and target.dtype.kind in "iu"
        and len(shape) == 2
        and target.shape == shape[:1]
        and weight is None
        and ignore_index == -100
        and reduction == "mean"
        and label_smoothing == 0.0
        and target.size
    ):  # by far the most frequent case, which every step of a training passes
        labels = np.array(target, np.intp)
        if np.maximum.reduce(labels.view(np.uintp)) < shape[1]:  # one below 0, read without its sign, is very large
            return CrossEntropy.apply(input, labels=labels, shares=1.0 / shape[0])
    checked_reduction(reduction, WHO)
    x, smoothing = as_node(input, WHO), checked_smoothing(label_smoothing, WHO)
    if shape and np.shape(target) == shape and _are_floats(target):
        return _of_probabilities(x, target, weight, ignore_index, reduction, smoothing)
    found = labels_of(target, x.shape, WHO, weight, ignore_index, x.dtype)
    shape = np.shape(target)
    if smoothing:
        return reduced(_smoothed(x, found, weight, smoothing).reshape(shape), reduction, found.count)
    shares = found.shares / found.count if reduction == "mean" and found.count else found.shares
    settings = {"ignored": found.ignored, "each": reduction == "none"}
    y = CrossEntropy.apply(rows(x), labels=found.classes, shares=shares, **settings)
    if reduction == "none":
        return y.reshape(shape)
    return y if found.count or reduction == "sum" else y + np.nan


def _are_floats(target):
    value = value_of(target)
    return getattr(value, "dtype", np.dtype(float)).kind == "f"


def _of_probabilities(x, target, weight, ignore_index, reduction, smoothing):
    """Weigh the logarithms of all classes by their probabilities."""
    if ignore_index != -100 and ignore_index >= 0:
        raise UsageError(
            f"{WHO}: ignore_index is {ignore_index}, and the target holds probabilities.",
            "a target of classes, or no ignore_index.",
            "multiply the losses of reduction='none' by a mask.",
        )
    axis = 0 if x.ndim == 1 else 1
    k, p = x.shape[axis], as_target(target, WHO, x.dtype)
    if smoothing:
        p = p * (1.0 - smoothing) + smoothing / k
    if weight is not None:
        p = p * class_weights(weight, k, WHO, x.dtype).reshape((k,) + (1,) * (x.ndim - axis - 1))
    return reduced(-(p * log_softmax(x, axis)).sum(axis), reduction)


def _smoothed(x, found, weight, smoothing):
    """Mix the surprise at each row's class with the mean of the surprises at all classes."""
    x, ignored = rows(x), found.ignored
    n, k = x.shape
    logs = log_softmax(x if ignored is None else np.where(ignored[:, None], 0.0, x))  # (n, k)
    at_class = -found.shares * logs[np.arange(n), found.classes]
    at_all = -(logs if weight is None else logs * class_weights(weight, k, WHO, x.dtype)).sum(1)
    losses = (1.0 - smoothing) * at_class + (smoothing / k) * at_all
    return losses if ignored is None else np.where(ignored, 0.0, losses)
