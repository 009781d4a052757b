"""What precision and recall have in common: right positives, over positives of one sort, averaged in six ways."""

import warnings
from abc import abstractmethod

import numpy as np

from dark.errors import UsageError
from dark.metrics.input_type import TINY, class_indices, kind_of
from dark.metrics.metric import Metric
from dark.metrics.outputs import identity, nothing_seen, pair
from dark.metrics.sequence_transform import sequence_transform

AVERAGES = ("macro", "micro", "weighted", "samples")


class PrecisionRecall(Metric):
    """Right positives over positives: those predicted (precision), or those there are (recall).

    Subclasses say which, in `_positives`.
    """

    _state_dict_all_req_keys = ("_numerator", "_denominator", "_weight", "_updated")
    get_sequence_transform = staticmethod(sequence_transform)

    def __init__(
        self, output_transform=identity, average=False, is_multilabel=False, device="cpu", skip_unrolling=False
    ):
        if not (average is None or isinstance(average, bool) or average in AVERAGES):
            raise UsageError(
                "Argument average should be None or a boolean or one of values 'macro', 'micro', 'weighted' and "
                f"'samples', got {average!r}.",
                "the way of averaging.",
                'average="macro".',
            )
        self._average = "macro" if average is True else average
        self._is_multilabel = is_multilabel
        super().__init__(output_transform, device, skip_unrolling)

    def reset(self):
        """Forget what was counted."""
        self._numerator = self._denominator = self._weight = 0
        self._updated = False
        self._type = self._num_classes = None

    def update(self, output):
        """Count a batch (y_pred, y)."""
        y_pred, y = pair(self, output)
        kind, num_classes = kind_of(self, y_pred, y)
        self._check_average(kind, y_pred, y)
        correct, predicted, actual = self._counts(kind, num_classes, y_pred, y)
        positives = self._positives(predicted, actual)
        if self._average == "samples":
            self._numerator += float((correct / (positives + TINY)).sum())
            self._denominator += correct.size
        elif self._average == "micro":
            self._numerator += correct.sum()
            self._denominator += positives.sum()
        else:
            self._numerator += correct
            self._denominator += positives
        if self._average == "weighted":
            self._weight += actual
        self._type, self._num_classes = kind, num_classes
        self._updated = self._updated or y.size > 0

    @abstractmethod
    def _positives(self, predicted, actual):
        """Return what right positives are compared with."""

    def _check_average(self, kind, y_pred, y):
        if self._average == "samples" and kind != "multilabel":
            raise UsageError(
                f"{type(self).__name__}: Argument average='samples' is incompatible with binary and multiclass input "
                f"data; this is {kind}.",
                "several labels an example.",
                "is_multilabel=True, or another average.",
            )
        are_whole = y.dtype.kind in "biu", y_pred.dtype.kind in "biu"
        if kind == "multiclass" and not are_whole[0]:
            warnings.warn("`y` should be of dtype long when entry type is multiclass", RuntimeWarning, stacklevel=3)
        if kind == "binary" and self._average is not False and not all(are_whole):
            warnings.warn(
                "`y` and `y_pred` should be of dtype long when entry type is binary and average!=False",
                RuntimeWarning,
                stacklevel=3,
            )

    def _counts(self, kind, num_classes, y_pred, y):
        """Return how many are right, predicted, and there: of class 1, of each class, or of each example."""
        if kind == "multiclass":
            y = class_indices(self, y, num_classes)
            indices = y_pred.argmax(1).reshape(-1)
            return [np.bincount(found, minlength=num_classes) for found in (y[indices == y], indices, y)]
        y_pred, y = y_pred.astype(bool), y.astype(bool)
        if kind == "multilabel":
            axes = 1 if self._average == "samples" else (0, *range(2, y.ndim))
            return [np.count_nonzero(found, axis=axes) for found in (y_pred & y, y_pred, y)]
        y_pred, y = y_pred.reshape(-1), y.reshape(-1)
        of_one = [np.count_nonzero(found) for found in (y_pred & y, y_pred, y)]
        if self._average is False:
            return of_one
        of_zero = [np.count_nonzero(found) for found in (~y_pred & ~y, ~y_pred, ~y)]
        return [np.array(both) for both in zip(of_zero, of_one)]

    def compute(self):
        """Return the average, as a number; or an array, where `average` is False or None.

        Raises
        ------
        NotComputableError
            If there was no example.
        """
        if not self._updated:
            raise nothing_seen(type(self).__name__)
        fraction = self._numerator / (self._denominator + TINY)
        if self._average == "weighted":
            return float(fraction @ self._weight / (self._weight.sum() + TINY))
        return np.asarray(fraction) if not self._average else float(np.mean(fraction))
