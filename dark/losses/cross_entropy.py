"""Cross-entropy between logits and target classes; `nll` and `kl_div`, which begin with log-probabilities."""

from __future__ import annotations

import numpy as np

from dark.errors import UsageError
from dark.losses.class_targets import check_smoothing, class_weights, labels_of, plain_labels, rows
from dark.losses.input_checks import as_node, as_target, check_equal_shapes, check_order
from dark.losses.reduction import REDUCTIONS, check_reduction, reduce_losses
from dark.nodes import Node, value_of
from dark.nodes.changes import repeated
from dark.nodes.values import as_array, shape_of
from dark.operations import log_softmax, where
from dark.operations.layers.losses import CrossEntropy
from dark.typing import Array, ArrayLike

WHO = "cross_entropy"


def cross_entropy(
    input: ArrayLike,
    target: ArrayLike,
    weight: Array | None = None,
    *,
    ignore_index: int = -100,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Node:
    """Compute the cross-entropy between logits and target classes: ``-log_softmax(input)[target]``.

    The result has shape (), or that of `target` without the axis of classes.

    ``logsumexp(input) - input[target]``, with the largest logit subtracted first; with probabilities p,
    ``-sum(p * log_softmax(input))``, which is NaN where p is 0 and a logit -inf. The mean of no losses is
    NaN. All as in PyTorch.

    Parameters
    ----------
    input : Node or array, shape (k,), (n, k) or (n, k, d1, ...)
        Logits of k classes, for each example or for each position in it.
    target : array of int, shape (), (n,) or (n, d1, ...); or Node or array of float, the shape of `input`
        Class indices from 0 to k - 1; or the probabilities of all classes.
    weight : array, shape (k,), optional
        The weight of each class.
    ignore_index : int, default -100
        The target value that is ignored and does not contribute to the gradient. Not for probabilities.
    reduction : {"mean", "sum", "none"}, default "mean"
        The mean divides by the sum of the weights of the target classes; with probabilities, by the number
        of losses.
    label_smoothing : float from 0 to 1, default 0.0
        The part of each target that is distributed uniformly over all classes.

    Examples
    --------
    >>> cross_entropy(np.array([[0.0, 0.0], [1000.0, 0.0]]), np.array([1, 0])).item()
    0.34657359027997264
    >>> cross_entropy(np.array([[1.0, 2.0, 3.0]]), np.array([[0.0, 0.5, 0.5]])).item()
    0.907605964...
    """
    shape = shape_of(input)
    if (
        isinstance(target, (np.ndarray, Node))
        and target.dtype.kind in "iu"
        and len(shape) == 2
        and target.shape == shape[:1]
        and weight is None
        and ignore_index == -100
        and type(reduction) is str
        and reduction in ("mean", "none")
        and type(label_smoothing) is float
        and not label_smoothing
        and target.size
    ):  # the common case, without the general checks
        labels = repeated(plain_labels, target, shape[1])
        if labels is not None and reduction == "mean":
            return CrossEntropy.apply(input, labels=labels, weights=1.0 / shape[0])
        if labels is not None:
            return CrossEntropy.apply(input, labels=labels, weights=1.0, each=True)
    check_reduction(reduction, WHO)
    x, smoothing = as_node(input, WHO), check_smoothing(label_smoothing, WHO)
    check_order(WHO, target, x)
    given = target if isinstance(target, Node) else as_array(target, WHO, "the target")
    if shape and given.shape == shape and given.dtype.kind == "f":
        return _with_probabilities(x, given, weight, ignore_index, reduction, smoothing)
    found = labels_of(given, x.shape, WHO, weight, ignore_index, x.dtype)
    shape = given.shape
    if smoothing:
        return reduce_losses(_smoothed(x, found, weight, smoothing).reshape(shape), reduction, found.count)
    weights = found.weights / found.count if reduction == "mean" and found.count else found.weights
    settings = {"ignored": found.ignored, "each": reduction == "none"}
    y = CrossEntropy.apply(rows(x), labels=found.classes, weights=weights, **settings)
    if reduction == "none":
        return y.reshape(shape)
    return y if found.count or reduction == "sum" else y + np.nan


def _with_probabilities(x, target, weight, ignore_index, reduction, smoothing):
    """Return the cross-entropy with class probabilities as the target."""
    if ignore_index != -100 and ignore_index >= 0:
        raise UsageError(
            f"{WHO}: ignore_index={ignore_index} is not supported for a target of probabilities.",
            "class indices, or no ignore_index.",
            "reduction='none', and multiply the losses by a mask.",
        )
    axis = 0 if x.ndim == 1 else 1
    k, p = x.shape[axis], as_target(target, WHO, x)
    if smoothing:
        p = p * (1.0 - smoothing) + smoothing / k
    if weight is not None:
        p = p * class_weights(weight, k, WHO, x.dtype).reshape((k,) + (1,) * (x.ndim - axis - 1))
    return reduce_losses(-(p * log_softmax(x, axis)).sum(axis), reduction)


def _smoothed(x, found, weight, smoothing):
    """Return the losses of all rows with label smoothing."""
    x, ignored = rows(x), found.ignored
    n, k = x.shape
    logs = log_softmax(x if ignored is None else np.where(ignored[:, None], 0.0, x))  # (n, k)
    at_class = -found.weights * logs[np.arange(n), found.classes]
    at_all = -(logs if weight is None else logs * class_weights(weight, k, WHO, x.dtype)).sum(1)
    losses = (1.0 - smoothing) * at_class + (smoothing / k) * at_all
    return losses if ignored is None else np.where(ignored, 0.0, losses)


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
