"""Metrics computed from a confusion matrix: IoU, Dice coefficient, accuracy, precision and recall."""

import numpy as np

from dark.checks import is_integer
from dark.errors import UsageError, ValueTypeError
from dark.metrics.classification.confusion_matrix import ConfusionMatrix
from dark.metrics.classification.input_type import TINY
from dark.metrics.metrics_lambda import MetricsLambda
from dark.metrics.outputs import as_array


def IoU(cm: ConfusionMatrix, ignore_index: int | None = None) -> MetricsLambda:
    """Return the intersection over union of each class, as a metric whose result is an array (classes,).

    The matrix is of counts, or has ``average="samples"``. The class `ignore_index` is omitted from the result.

    Examples
    --------
    >>> overlap = IoU(ConfusionMatrix(2))
    >>> overlap.update(([[9, 1], [1, 9], [2, 8]], [0, 1, 0]))
    >>> overlap.compute()
    array([0.5, 0.5])
    """
    return MetricsLambda(_iou, _check_matrix(cm, ignore_index), ignore_index)


def mIoU(cm: ConfusionMatrix, ignore_index: int | None = None) -> MetricsLambda:
    """Return the mean intersection over union, as a metric; see `IoU`."""
    return IoU(cm, ignore_index).mean()


def JaccardIndex(cm: ConfusionMatrix, ignore_index: int | None = None) -> MetricsLambda:
    """Return the Jaccard index of each class, as a metric; an alias of `IoU`."""
    return IoU(cm, ignore_index)


def DiceCoefficient(cm: ConfusionMatrix, ignore_index: int | None = None) -> MetricsLambda:
    """Return the Dice coefficient of each class, 2 |A ∩ B| / (|A| + |B|), as a metric; see `IoU`."""
    return MetricsLambda(_dice, _check_matrix(cm, ignore_index), ignore_index)


def cmAccuracy(cm: ConfusionMatrix) -> MetricsLambda:
    """Return the accuracy computed from a confusion matrix, as a metric; see `IoU`."""
    return MetricsLambda(_accuracy, _check_matrix(cm))


def cmPrecision(cm: ConfusionMatrix, average: bool = True) -> MetricsLambda:
    """Return the precision computed from a confusion matrix: the mean over classes, or an array; see `IoU`."""
    return MetricsLambda(_diagonal_over_sums, _check_matrix(cm), 0, average)


def cmRecall(cm: ConfusionMatrix, average: bool = True) -> MetricsLambda:
    """Return the recall computed from a confusion matrix: the mean over classes, or an array; see `IoU`."""
    return MetricsLambda(_diagonal_over_sums, _check_matrix(cm), 1, average)


def _check_matrix(cm, ignore_index=None):
    if not isinstance(cm, ConfusionMatrix):
        raise ValueTypeError(
            f"Argument cm should be instance of ConfusionMatrix, but given {type(cm).__name__}.",
            "a ConfusionMatrix.",
            "IoU(ConfusionMatrix(num_classes=10)).",
        )
    if cm.average not in (None, "samples"):
        raise UsageError(
            f"ConfusionMatrix should have average attribute either None or 'samples', it has {cm.average!r}.",
            "a matrix of counts.",
            "ConfusionMatrix(num_classes).",
        )
    if ignore_index is not None and not (is_integer(ignore_index, 0) and ignore_index < cm.num_classes):
        raise UsageError(
            f"ignore_index should be integer and in the range of [0, {cm.num_classes}), but given {ignore_index}.",
            "the index of a class to omit.",
            "ignore_index=None, for all classes.",
        )
    return cm


def _iou(matrix, ignore_index):
    matrix = as_array(matrix)
    intersection, sums = matrix.diagonal(), matrix.sum(axis=0) + matrix.sum(axis=1)
    return _drop_class(intersection / (sums - intersection + TINY), ignore_index)


def _dice(matrix, ignore_index):
    matrix = as_array(matrix)
    return _drop_class(2.0 * matrix.diagonal() / (matrix.sum(axis=0) + matrix.sum(axis=1) + TINY), ignore_index)


def _accuracy(matrix):
    matrix = as_array(matrix)
    return matrix.trace() / (matrix.sum() + TINY)


def _diagonal_over_sums(matrix, axis, average):
    matrix = as_array(matrix)
    fractions = matrix.diagonal() / (matrix.sum(axis=axis) + TINY)
    return fractions.mean() if average else fractions


def _drop_class(values, ignore_index):
    return values if ignore_index is None else np.delete(values, ignore_index)
