"""What kind of classification a pair of predictions and targets is, and the same kind from batch to batch."""

import numpy as np

from dark.errors import EngineError, ShapeError, UsageError

TINY = 1e-20  # added to a denominator, makes 0 / 0 a 0, and changes nothing else


def kind_of(metric, y_pred, y):
    """Return the kind of a batch and its number of classes, after checking both.

    Parameters
    ----------
    metric : Metric
        Whose `_is_multilabel` is the one choice that shapes cannot tell, and whose `_type` and `_num_classes` are
        those of the batches before, or None.
    y_pred : array (batch, …) or (batch, classes, …)
    y : array (batch, …)

    Returns
    -------
    kind : {"binary", "multiclass", "multilabel"}
    num_classes : int

    Raises
    ------
    ShapeError
        If the shapes do not fit each other.
    UsageError
        If something but 0 and 1 is in a binary or multilabel batch, or the number of classes has changed.
    EngineError
        If the kind has changed.
    """
    shape = y_pred.shape
    has_classes = y_pred.ndim == y.ndim + 1
    if (shape[:1] + shape[2:] if has_classes else shape) != y.shape:
        raise _shape_error(metric, y_pred, y)
    if metric._is_multilabel:
        if has_classes or y.ndim < 2 or shape[1] < 2:
            raise ShapeError(
                f"{type(metric).__name__}: y and y_pred must have same shape of (batch_size, num_categories, ...) and "
                f"num_categories > 1, but given {y.shape} vs {shape}.",
                "a column of 0 and 1 for each label.",
                "is_multilabel=False, where an example has one label.",
            )
        kind = "multilabel", shape[1]
    elif has_classes and shape[1] != 1:
        kind = "multiclass", shape[1]
    else:
        kind = "binary", 1
    if kind[0] != "multiclass":
        _check_zeros_and_ones(metric, y_pred, y)
    if metric._type is not None and kind != (metric._type, metric._num_classes):
        raise _changed_error(metric, *kind)
    return kind


def _check_zeros_and_ones(metric, y_pred, y):
    for name, array in (("y", y), ("y_pred", y_pred)):
        if array.dtype != bool and not ((array == 0) | (array == 1)).all():
            raise UsageError(
                f"{type(metric).__name__}: For binary cases, {name} must be comprised of 0's and 1's.",
                "0 and 1; or, with more classes, y_pred (batch, classes, …) and y (batch, …).",
                "output_transform=lambda output: (np.round(output[0]), output[1]), for probabilities.",
            )


def _shape_error(metric, y_pred, y):
    if y_pred.ndim not in (y.ndim, y.ndim + 1):
        what = (
            "y must have shape of (batch_size, ...) and y_pred must have shape of (batch_size, num_categories, ...) "
            f"or (batch_size, ...), but given {y.shape} vs {y_pred.shape}."
        )
    else:
        what = f"y and y_pred must have compatible shapes, but given {y.shape} vs {y_pred.shape}."
    return ShapeError(
        f"{type(metric).__name__}: {what}",
        "y_pred (batch, …) or (batch, classes, …), and y (batch, …).",
        "print both shapes; targets are class numbers, not one-hot.",
    )


def _changed_error(metric, kind, num_classes):
    name = type(metric).__name__
    if kind != metric._type:
        return EngineError(
            f"{name}: Input data type has changed from {metric._type} to {kind}.",
            "batches of one kind between two resets.",
            "look at the shapes of this batch and the one before.",
        )
    return UsageError(
        f"{name}: Input data number of classes has changed from {metric._num_classes} to {num_classes}.",
        f"{metric._num_classes} columns in each batch.",
        "look at the shapes of this batch and the one before.",
    )


def class_indices(metric, y, num_classes):
    """Return targets as whole numbers, flat.

    Raises
    ------
    UsageError
        If one of them is no class.
    """
    y = y.reshape(-1).astype(np.intp, copy=False)
    if y.size and (y.min() < 0 or y.max() >= num_classes):
        wrong = y.max() if y.max() >= num_classes else y.min()
        raise UsageError(
            f"{type(metric).__name__}: y_pred contains fewer classes than y. Number of classes in the prediction is "
            f"{num_classes} and an element in y has invalid class = {wrong}.",
            f"targets from 0 to {num_classes - 1}.",
            "leave the examples out that have no class: output_transform.",
        )
    return y
