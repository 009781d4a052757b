"""Pairs of images: the check of a batch for metrics that compare y_pred with y elementwise."""

import numpy as np

from dark.errors import ShapeError, ValueTypeError
from dark.metrics.outputs import prediction_and_target


def image_pair(metric, output):
    """Return y_pred and y in float64; they have one shape (batch, …) and one dtype."""
    y_pred, y = prediction_and_target(metric, output)
    name = type(metric).__name__
    if y_pred.dtype != y.dtype or y.dtype.kind not in "fiub":
        raise ValueTypeError(
            f"{name}: Expected y_pred and y to have the same data type. Got y_pred: {y_pred.dtype} and y: {y.dtype}.",
            "two arrays of real numbers with one dtype, which data_range describes.",
            "astype(float) for both, in output_transform, if their values have the same range.",
        )
    if y_pred.shape != y.shape or not y.ndim:
        raise ShapeError(
            f"{name}: Expected y_pred and y to have the same shape. Got y_pred: {y_pred.shape} and y: {y.shape}.",
            "two arrays (batch, …) of the same shape.",
            "print both shapes; y_pred[None], y[None] for a single example.",
        )
    return y_pred.astype(np.float64), y.astype(np.float64)
