"""The input type of classification metrics: binary, multiclass or multilabel, the same for all batches."""

import numpy as np

from dark.errors import EngineError, ShapeError, UsageError

TINY = 1e-20  # added to a denominator: 0 / 0 becomes 0, nothing else changes


def input_type_of(metric, y_pred, y):
    """Check a batch; return its input type, "binary", "multiclass" or "multilabel", and its number of classes.

    y_pred is (batch, …) or (batch, classes, …), and y (batch, …). The metric has `_is_multilabel`, which shapes cannot
    tell, and `_type` and `_num_classes` of earlier batches, or None.
    """
    shape = y_pred.shape
    has_class_axis = y_pred.ndim == y.ndim + 1
    if (shape[:1] + shape[2:] if has_class_axis else shape) != y.shape:
        raise _shape_error(metric, y_pred, y)
    if metric._is_multilabel:
        if has_class_axis or y.ndim < 2 or shape[1] < 2:
            raise ShapeError(
                f"{type(metric).__name__}: y and y_pred must have same shape of (batch_size, num_categories, ...) and "
                f"num_categories > 1, but given {y.shape} vs {shape}.",
                "a column of 0 and 1 for each label.",
                "is_multilabel=False, if each example has one label.",
            )
        found = "multilabel", shape[1]
    elif has_class_axis and shape[1] != 1:
        found = "multiclass", shape[1]
    else:
        found = "binary", 1
    if found[0] != "multiclass":
        _check_zeros_and_ones(metric, y_pred, y)
    if metric._type is not None and found != (metric._type, metric._num_classes):
        raise _changed_error(metric, *found)
    return found


def _check_zeros_and_ones(metric, y_pred, y):
    for name, array in (("y", y), ("y_pred", y_pred)):
        if array.dtype != bool and not ((array == 0) | (array == 1)).all():
            raise UsageError(
                f"{type(metric).__name__}: For binary cases, {name} must be comprised of 0's and 1's.",
                "0 and 1; or, for several classes, y_pred (batch, classes, …) and y (batch, …).",
                "output_transform=lambda output: (np.round(output[0]), output[1]), for probabilities.",
            )


def _shape_error(metric, y_pred, y):
    if y_pred.ndim not in (y.ndim, y.ndim + 1):
        problem = (
            "y must have shape of (batch_size, ...) and y_pred must have shape of (batch_size, num_categories, ...) "
            f"or (batch_size, ...), but given {y.shape} vs {y_pred.shape}."
        )
    else:
        problem = f"y and y_pred must have compatible shapes, but given {y.shape} vs {y_pred.shape}."
    return ShapeError(
        f"{type(metric).__name__}: {problem}",
        "y_pred (batch, …) or (batch, classes, …), and y (batch, …).",
        "print both shapes; targets are class indices, not one-hot.",
    )


def _changed_error(metric, input_type, num_classes):
    name = type(metric).__name__
    if input_type != metric._type:
        return EngineError(
            f"{name}: Input data type has changed from {metric._type} to {input_type}.",
            "batches of one input type between two resets.",
            "compare the shapes of this batch and the previous one.",
        )
    return UsageError(
        f"{name}: Input data number of classes has changed from {metric._num_classes} to {num_classes}.",
        f"{metric._num_classes} columns in each batch.",
        "compare the shapes of this batch and the previous one.",
    )


def class_indices(metric, y, num_classes):
    """Return targets, which must be class indices, as a one-dimensional array of integers."""
    y = y.reshape(-1).astype(np.intp, copy=False)
    if y.size and (y.min() < 0 or y.max() >= num_classes):
        invalid = y.max() if y.max() >= num_classes else y.min()
        raise UsageError(
            f"{type(metric).__name__}: y_pred contains fewer classes than y. Number of classes in the prediction is "
            f"{num_classes} and an element in y has invalid class = {invalid}.",
            f"targets from 0 to {num_classes - 1}.",
            "remove examples without a class in output_transform.",
        )
    return y
