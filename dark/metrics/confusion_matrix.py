"""The confusion matrix, and what can be read off it: overlaps, accuracy, precision, recall."""

from numbers import Integral

import numpy as np

from dark.errors import ShapeError, UsageError, ValueTypeError
from dark.metrics.input_type import TINY
from dark.metrics.metric import Metric, MetricsLambda
from dark.metrics.outputs import as_array, identity, nothing_seen, pair


class ConfusionMatrix(Metric):
    """How often each class is taken for each: rows are targets, columns predictions.

    Parameters
    ----------
    num_classes : int
        2 or more.
    average : {None, "samples", "recall", "precision"}, optional
        Counts; or counts over the number of examples (rows of y), over the sums of rows, over those of columns.
    output_transform, device, skip_unrolling
        As of `Metric`; lists are not taken item by item here.

    Raises
    ------
    ShapeError, UsageError
        From `update`, unless y_pred is (batch, classes, …) and y (batch, …), of whole numbers.

    Notes
    -----
    Targets that are no class are left out: 255 or -1 may mark what has none.

    Examples
    --------
    >>> matrix = ConfusionMatrix(num_classes=2)
    >>> matrix.update(([[9, 1], [1, 9], [2, 8]], [0, 1, 0]))
    >>> matrix.compute()
    array([[1, 1],
           [0, 1]])
    """

    _state_dict_all_req_keys = ("confusion_matrix", "_num_examples")

    def __init__(self, num_classes, average=None, output_transform=identity, device="cpu", skip_unrolling=True):
        if average not in (None, "samples", "recall", "precision"):
            raise UsageError(
                f"Argument average can None or one of 'samples', 'recall', 'precision', got {average!r}.",
                "what counts are divided by.",
                "average=None, for counts.",
            )
        if not (isinstance(num_classes, Integral) and num_classes > 1):
            raise UsageError(
                f"Argument num_classes needs to be > 1, got {num_classes!r}.", "two classes or more.", "num_classes=2."
            )
        self.num_classes, self.average = num_classes, average
        super().__init__(output_transform, device, skip_unrolling)

    def reset(self):
        """Forget what was counted."""
        self.confusion_matrix = np.zeros((self.num_classes, self.num_classes), dtype=np.int64)
        self._num_examples = 0

    def update(self, output):
        """Count a batch (y_pred, y)."""
        y_pred, y = pair(self, output)
        self._check(y_pred, y)
        self._num_examples += len(y)
        y, y_pred = y.reshape(-1).astype(np.int64, copy=False), y_pred.argmax(1).reshape(-1)
        is_class = (y >= 0) & (y < self.num_classes)
        places = self.num_classes * y[is_class] + y_pred[is_class]
        counts = np.bincount(places, minlength=self.num_classes**2)
        self.confusion_matrix = self.confusion_matrix + counts.reshape(self.confusion_matrix.shape)

    def _check(self, y_pred, y):
        shape = f"y_pred must have shape (batch_size, num_classes (currently set to {self.num_classes}), ...)"
        if y_pred.ndim < 2:
            what = f"{shape}, but given {y_pred.shape}"
        elif y_pred.shape[1] != self.num_classes:
            what = f"y_pred does not have correct number of classes: {y_pred.shape[1]} vs {self.num_classes}"
        elif y.ndim + 1 != y_pred.ndim:
            what = f"{shape} and y must have shape of (batch_size, ...), but given {y.shape} vs {y_pred.shape}"
        elif y.shape != y_pred.shape[:1] + y_pred.shape[2:]:
            what = f"y and y_pred must have compatible shapes. They are {y.shape} and {y_pred.shape}"
        elif y.dtype.kind not in "biu":
            raise UsageError(f"y has dtype {y.dtype}.", "class numbers, whole ones.", "y.astype(int).")
        else:
            return
        raise ShapeError(
            what + ".",
            f"y_pred (batch, {self.num_classes}, …) and y (batch, …).",
            "np.eye(num_classes)[predictions], for predictions that are class numbers.",
        )

    def compute(self):
        """Return the matrix (classes, classes), of counts or shares.

        Raises
        ------
        NotComputableError
            If there was no example.
        """
        if not self._num_examples:
            raise nothing_seen("Confusion matrix")
        if self.average is None:
            return self.confusion_matrix
        if self.average == "samples":
            return self.confusion_matrix / self._num_examples
        return self.normalize(self.confusion_matrix, self.average)

    @staticmethod
    def normalize(matrix, average):
        """Divide a matrix by the sums of its rows ("recall") or columns ("precision").

        Raises
        ------
        UsageError
            If `average` is something else.

        Examples
        --------
        >>> ConfusionMatrix.normalize(np.array([[3, 1], [0, 2]]), "recall")
        array([[0.75, 0.25],
               [0.  , 1.  ]])
        """
        if average not in ("recall", "precision"):
            raise UsageError(
                f"Argument average should be one of 'samples', 'recall', 'precision', got {average!r}.",
                "what counts are divided by.",
                'average="recall", for sums of rows.',
            )
        return matrix / (matrix.sum(axis=1 if average == "recall" else 0, keepdims=True) + TINY)


def IoU(cm, ignore_index=None):
    """Return the metric intersection over union: of each class, what is it in both over what is it in either.

    Parameters
    ----------
    cm : ConfusionMatrix
        Of counts, or with ``average="samples"``.
    ignore_index : int, optional
        A class that is left out of the result.

    Returns
    -------
    MetricsLambda
        Its result is an array (classes).

    Raises
    ------
    ValueTypeError
        If `cm` is none.
    UsageError
        If its average is another, or `ignore_index` no class of it.

    Examples
    --------
    >>> overlap = IoU(ConfusionMatrix(2))
    >>> overlap.update(([[9, 1], [1, 9], [2, 8]], [0, 1, 0]))
    >>> overlap.compute()
    array([0.5, 0.5])
    """
    return MetricsLambda(_iou, _check_matrix(cm, ignore_index), ignore_index)


def mIoU(cm, ignore_index=None):
    """Return the metric mean intersection over union; see `IoU`."""
    return IoU(cm, ignore_index).mean()


def JaccardIndex(cm, ignore_index=None):
    """Return the metric Jaccard index: another name of `IoU`."""
    return IoU(cm, ignore_index)


def DiceCoefficient(cm, ignore_index=None):
    """Return the metric Dice coefficient: of each class, twice the intersection over the sum of both; see `IoU`."""
    return MetricsLambda(_dice, _check_matrix(cm, ignore_index), ignore_index)


def cmAccuracy(cm):
    """Return the metric accuracy, from a confusion matrix; see `IoU`."""
    return MetricsLambda(_accuracy, _check_matrix(cm))


def cmPrecision(cm, average=True):
    """Return the metric precision, from a confusion matrix: the mean over classes, or an array; see `IoU`."""
    return MetricsLambda(_precision_or_recall, _check_matrix(cm), 0, average)


def cmRecall(cm, average=True):
    """Return the metric recall, from a confusion matrix: the mean over classes, or an array; see `IoU`."""
    return MetricsLambda(_precision_or_recall, _check_matrix(cm), 1, average)


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
            "counts.",
            "ConfusionMatrix(num_classes).",
        )
    is_class = isinstance(ignore_index, Integral) and 0 <= ignore_index < cm.num_classes
    if ignore_index is not None and not is_class:
        raise UsageError(
            f"ignore_index should be integer and in the range of [0, {cm.num_classes}), but given {ignore_index}.",
            "a class that is left out.",
            "ignore_index=None, for all classes.",
        )
    return cm


def _iou(matrix, ignore_index):
    matrix = as_array(matrix)
    both, sums = matrix.diagonal(), matrix.sum(axis=0) + matrix.sum(axis=1)
    return _drop_class(both / (sums - both + TINY), ignore_index)


def _dice(matrix, ignore_index):
    matrix = as_array(matrix)
    return _drop_class(2.0 * matrix.diagonal() / (matrix.sum(axis=0) + matrix.sum(axis=1) + TINY), ignore_index)


def _accuracy(matrix):
    matrix = as_array(matrix)
    return matrix.trace() / (matrix.sum() + TINY)


def _precision_or_recall(matrix, axis, average):
    matrix = as_array(matrix)
    share = matrix.diagonal() / (matrix.sum(axis=axis) + TINY)
    return share.mean() if average else share


def _drop_class(values, ignore_index):
    return values if ignore_index is None else np.delete(values, ignore_index)
