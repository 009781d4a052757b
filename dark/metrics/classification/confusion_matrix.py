"""Confusion matrix, and metrics computed from it: IoU, Dice coefficient, accuracy, precision and recall."""

from numbers import Integral
from typing import Any, Unpack

import numpy as np

from dark.checks import is_integer
from dark.descriptions import brief
from dark.errors import ShapeError, UsageError, ValueTypeError
from dark.metrics.classification.input_type import TINY
from dark.metrics.metric import Metric
from dark.metrics.metrics_lambda import MetricsLambda
from dark.metrics.outputs import MetricOptions, Transform, as_array, identity, no_examples, prediction_and_target


class ConfusionMatrix(Metric):
    """Compute the confusion matrix of 2 or more classes; rows are targets, columns predictions.

    It holds counts; with `average`, they are divided by the number of examples (rows of y; "samples"), by the sums of
    rows ("recall"), or by the sums of columns ("precision"). An output is y_pred (batch, classes, …) and y (batch, …),
    of integers; targets that are not class indices, such as 255 or -1, are ignored. Lists are not unrolled by default.

    >>> matrix = ConfusionMatrix(num_classes=2)
    >>> matrix.update(([[9, 1], [1, 9], [2, 8]], [0, 1, 0]))
    >>> matrix.compute()
    array([[1, 1],
           [0, 1]])
    """

    _state_dict_all_req_keys = ("confusion_matrix", "_num_examples")

    def __init__(
        self,
        num_classes: int,
        average: str | None = None,
        output_transform: Transform = identity,
        **options: Unpack[MetricOptions],
    ) -> None:
        if average not in (None, "samples", "recall", "precision"):
            problem = f"Argument average can None or one of 'samples', 'recall', 'precision', got {average!r}."
            raise UsageError(problem, "the divisor of the counts.", "average=None, for counts.")
        if not (isinstance(num_classes, Integral) and num_classes > 1):
            problem = f"Argument num_classes needs to be > 1, got {brief(num_classes)}."
            raise UsageError(problem, "an integer, 2 or more.", "num_classes=2.")
        self.num_classes: int = num_classes
        self.average: str | None = average
        options.setdefault("skip_unrolling", True)
        super().__init__(output_transform, **options)

    def reset(self) -> None:
        """Reset the counts."""
        self.confusion_matrix: np.ndarray = np.zeros((self.num_classes, self.num_classes), dtype=np.int64)
        self._num_examples = 0

    def update(self, output: Any) -> None:
        """Count a batch (y_pred, y)."""
        y_pred, y = prediction_and_target(self, output)
        self._check(y_pred, y)
        self._num_examples += len(y)
        y, y_pred = y.reshape(-1).astype(np.int64, copy=False), y_pred.argmax(1).reshape(-1)
        is_class = (y >= 0) & (y < self.num_classes)
        cells = self.num_classes * y[is_class] + y_pred[is_class]
        counts = np.bincount(cells, minlength=self.num_classes**2)
        self.confusion_matrix = self.confusion_matrix + counts.reshape(self.confusion_matrix.shape)

    def _check(self, y_pred, y):
        shape = f"y_pred must have shape (batch_size, num_classes (currently set to {self.num_classes}), ...)"
        if y_pred.ndim < 2:
            problem = f"{shape}, but given {y_pred.shape}"
        elif y_pred.shape[1] != self.num_classes:
            problem = f"y_pred does not have correct number of classes: {y_pred.shape[1]} vs {self.num_classes}"
        elif y.ndim + 1 != y_pred.ndim:
            problem = f"{shape} and y must have shape of (batch_size, ...), but given {y.shape} vs {y_pred.shape}"
        elif y.shape != y_pred.shape[:1] + y_pred.shape[2:]:
            problem = f"y and y_pred must have compatible shapes. They are {y.shape} and {y_pred.shape}"
        elif y.dtype.kind not in "biu":
            raise UsageError(
                f"y must be integers, got dtype {y.dtype}.", "class indices, of an integer dtype.", "y.astype(int)."
            )
        else:
            return
        raise ShapeError(
            problem + ".",
            f"y_pred (batch, {self.num_classes}, …) and y (batch, …).",
            "np.eye(num_classes)[predictions], if predictions are class indices.",
        )

    def compute(self) -> np.ndarray:
        """Return the matrix (classes, classes), of counts or fractions."""
        if not self._num_examples:
            raise no_examples("Confusion matrix")
        if self.average is None:
            return self.confusion_matrix
        if self.average == "samples":
            return self.confusion_matrix / self._num_examples
        return self.normalize(self.confusion_matrix, self.average)

    @staticmethod
    def normalize(matrix: Any, average: str) -> np.ndarray:
        """Divide a matrix by the sums of its rows ("recall") or columns ("precision").

        >>> ConfusionMatrix.normalize(np.array([[3, 1], [0, 2]]), "recall")
        array([[0.75, 0.25],
               [0.  , 1.  ]])
        """
        if average not in ("recall", "precision"):
            problem = f"Argument average should be one of 'samples', 'recall', 'precision', got {average!r}."
            raise UsageError(problem, "the divisor of the counts.", 'average="recall", for sums of rows.')
        return matrix / (matrix.sum(axis=1 if average == "recall" else 0, keepdims=True) + TINY)


def IoU(cm: ConfusionMatrix, ignore_index: int | None = None) -> MetricsLambda:
    """Return the intersection over union of each class, as a metric whose result is an array (classes,).

    The matrix is of counts, or has ``average="samples"``. The class `ignore_index` is omitted from the result.

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
        problem = f"Argument cm should be instance of ConfusionMatrix, but given {type(cm).__name__}."
        raise ValueTypeError(problem, "a ConfusionMatrix.", "IoU(ConfusionMatrix(num_classes=10)).")
    if cm.average not in (None, "samples"):
        problem = f"ConfusionMatrix should have average attribute either None or 'samples', it has {cm.average!r}."
        raise UsageError(problem, "a matrix of counts.", "ConfusionMatrix(num_classes).")
    if ignore_index is not None and not (is_integer(ignore_index, 0) and ignore_index < cm.num_classes):
        problem = f"ignore_index should be integer and in the range of [0, {cm.num_classes}), but given {ignore_index}."
        raise UsageError(problem, "the index of a class to omit.", "ignore_index=None, for all classes.")
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
