"""Targets that are class indices: checked, and converted to labels and weights of rows."""

from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from dark.checks import describe, integer, number
from dark.errors import ShapeError, ValueTypeError
from dark.losses.input_checks import as_dtype, without_grad
from dark.nodes.values import as_array


@dataclass(frozen=True)
class Labels:
    """The class of each row."""

    classes: np.ndarray  # integers from 0 to k - 1, shape (n,); 0 where the row is ignored
    weights: object  # the factor of each row's loss, a float or shape (n,): its class's weight, 0 where ignored
    ignored: np.ndarray | None  # which rows are ignored, bools of shape (n,), if any
    count: float  # the sum of the weights, the divisor of the mean


def labels_of(target, shape, who, weight=None, ignore_index=None, dtype=float):
    """Check class indices against the shape of the logits, with the classes along axis 1.

    Shapes of logits and target: (k,) and (), (n, k) and (n,), or (n, k, d1, ...) and (n, d1, ...).
    """
    target = as_array(target, who, "the target")
    if target.dtype.kind not in "iu" and target.size:
        raise ValueTypeError(
            f"{who}: the target must be integers, got {describe(target)}.",
            "an array of integers.",
            "target.astype(int)",
        )
    if not shape or target.shape != shape[:1][: len(shape) - 1] + shape[2:]:
        raise ShapeError(
            f"{who}: an input of shape {shape} cannot have class indices of shape {target.shape} as target.",
            "(k,) and (), (n, k) and (n,), or (n, k, d1, ...) and (n, d1, ...).",
            "print both shapes; the classes are along axis 1.",
        )
    k, classes = shape[0 if len(shape) == 1 else 1], target.reshape(-1).astype(np.intp)
    ignored = None if ignore_index is None else classes == integer(ignore_index, who, "ignore_index")
    if ignored is not None and ignored.any():
        classes = np.where(ignored, 0, classes)
    else:
        ignored = None
    _check_classes(classes if ignored is None else classes[~ignored], k, who)
    weights: Any = 1.0 if weight is None else class_weights(weight, k, who, dtype)[classes]
    if ignored is not None:
        weights = as_dtype(np.where(ignored, 0.0, weights), dtype)
    count = len(classes) if type(weights) is float else weights.sum()
    return Labels(classes, weights, ignored, float(count))


def plain_labels(target, k):
    """Return class indices as a new array if all are from 0 to k - 1, else None; there must be one at least."""
    labels = np.array(target, np.intp)
    # as an unsigned integer, a negative one is very large
    return labels if np.maximum.reduce(labels.view(np.uintp)) < k else None


def _check_classes(classes, k, who):
    if len(classes) and not (classes.min() >= 0 and classes.max() < k):
        raise ValueTypeError(
            f"{who}: target classes must be from 0 to {k - 1}, got {classes.min()} to {classes.max()}.",
            f"classes from 0 to {k - 1}, as the input has {k}.",
            "class indices that start at 0.",
        )


def class_weights(weight, k, who, dtype):
    """Return one weight per class, in a dtype."""
    weight = without_grad(weight, who, "the weight")
    if np.shape(weight) != (k,):
        raise ShapeError(
            f"{who}: weight must have one element for each of {k} classes, got shape {np.shape(weight)}.",
            f"shape ({k},).",
            "one weight per class.",
        )
    return as_dtype(weight, dtype)


def check_smoothing(label_smoothing, who):
    """Return `label_smoothing` as a float; raise unless it is in [0, 1]."""
    return number(label_smoothing, who, "label_smoothing", least=0, most=1)


def rows(x):
    """Reshape logits (k,), (n, k) or (n, k, d1, ...) to one row of k for each element of the target.

    >>> import dark
    >>> rows(dark.Constant(np.ones((4, 3, 2)))).shape
    (8, 3)
    """
    if x.ndim < 3:
        return x if x.ndim == 2 else x.reshape(1, -1)
    n, k, *others = x.shape
    return x.transpose(0, *range(2, x.ndim), 1).reshape(n * prod(others), k)
