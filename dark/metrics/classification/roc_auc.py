"""Area under the receiver operating characteristic (ROC) curve, and the curve itself."""

import warnings
from typing import Any, Unpack

import numpy as np

from dark.errors import NotComputableError, ShapeError, UsageError
from dark.metrics.epoch_metric import EpochMetric
from dark.metrics.outputs import MetricOptions, Transform, check_numbers, identity, prediction_and_target


class ScoresMetric(EpochMetric):
    """Base class of metrics of scores and of classes, 0 and 1; subclasses define `_function` of all of them."""

    _function: Any

    def __init__(
        self, output_transform: Transform = identity, check_compute_fn: bool = False, **options: Unpack[MetricOptions]
    ) -> None:
        super().__init__(self._function, output_transform, check_compute_fn, **options)

    def update(self, output: Any) -> None:
        """Store a copy of a batch (y_pred, y)."""
        y_pred, y = prediction_and_target(self, output)
        check_numbers(self, y_pred, y)
        name = type(self).__name__
        flat_pred, flat = (array[:, 0] if array.shape[1:] == (1,) else array for array in (y_pred, y))
        if flat_pred.shape != flat.shape or flat.ndim not in (1, 2):
            raise ShapeError(
                f"{name}: y_pred and y must have equal shapes, got {y_pred.shape} and {y.shape}.",
                "two arrays (batch,) or (batch, labels) of the same shape.",
                "output_transform=lambda output: (output[0][:, 1], output[1]), for the scores of two classes.",
            )
        if not ((flat == 0) | (flat == 1)).all():
            raise UsageError(
                f"{name}: y must be comprised of 0's and 1's.",
                "1 for positive examples, 0 for negative ones.",
                "output_transform=lambda output: (output[0], output[1] == 3), if 3 is the positive class.",
            )
        if np.isnan(flat_pred).any():
            problem = f"{name}: y_pred must not contain NaN."
            raise UsageError(problem, "scores that can be sorted.", "TerminateOnNan(), or check the network.")
        super().update((flat_pred, flat))


class ROC_AUC(ScoresMetric):
    r"""Compute the area under the ROC curve: the probability that a positive example has the higher score of two.

    An output is (y_pred, y), of one shape, (batch,), (batch, 1) or (batch, labels): scores of any range, such as
    probabilities or logits, and 0 or 1. `check_compute_fn` tells whether to compute the area of the first batch and
    warn if that fails.

    With :math:`n_+` positive examples of scores :math:`s_i` and :math:`n_-` negative ones of scores :math:`t_j`,

    .. math:: \frac{1}{n_+ n_-} \sum_{i, j} [s_i > t_j] + \tfrac{1}{2} [s_i = t_j],

    which is counted in integers, over all examples of an epoch; ties count half, as on scikit-learn's curve. The
    areas of several labels are averaged. If all examples are of one class, the area is NaN, with a warning, as in
    scikit-learn. All outputs are kept in memory until `reset`.

    J. A. Hanley, B. J. McNeil, *The meaning and use of the area under a receiver operating characteristic (ROC)
    curve*, 1982.

    >>> area = ROC_AUC()
    >>> area.update(([0.1, 0.4], [0, 0]))
    >>> area.update(([0.35, 0.8], [1, 1]))
    >>> area.compute()
    0.75
    """

    @staticmethod
    def _function(y_pred, y):
        """Return the area: a number; for several labels (examples, labels) the mean of their areas."""
        if y.ndim == 2:
            return float(np.mean([ROC_AUC._function(*pair) for pair in zip(y_pred.T, y.T)]))
        positive, negative, _ = _counts(y_pred, y)
        pairs = int(positive.sum()) * int(negative.sum())
        if not pairs:
            warnings.warn(
                f"ROC_AUC: all {len(y)} examples are of one class, and the area is NaN. Expected: examples of both "
                "classes. Try: compute it over a whole epoch.",
                UserWarning,
                stacklevel=3,
            )
            return float("nan")
        half_wins = positive * (2 * (negative.cumsum() - negative) + negative)
        return int(half_wins.sum()) / (2 * pairs)


class RocCurve(ScoresMetric):
    """Compute the receiver operating characteristic (ROC) curve.

    An output is as in `ROC_AUC`, (batch,) or (batch, 1), of both classes. The result is (false positive rates, true
    positive rates, thresholds), three arrays (points,) with decreasing thresholds, the first one infinite. As in
    scikit-learn, points on a line between two others are left out.

    >>> curve = RocCurve()
    >>> curve.update(([0.1, 0.4, 0.35, 0.8], [0, 0, 1, 1]))
    >>> for values in curve.compute():
    ...     print(values)
    [0.  0.  0.5 0.5 1. ]
    [0.  0.5 0.5 1.  1. ]
    [ inf 0.8  0.4  0.35 0.1 ]
    """

    @staticmethod
    def _function(y_pred, y):
        positive, negative, scores = (array[::-1] for array in _counts(y_pred, y))
        if not (positive.any() and negative.any()):
            problem = f"RocCurve: there must be examples of both classes, got {len(y)} of one class."
            raise NotComputableError(problem, "examples of both classes.", "a larger evaluation set.")
        hits, false_alarms = positive.cumsum(), negative.cumsum()
        corners = np.logical_or(np.diff(hits, 2), np.diff(false_alarms, 2))
        kept = np.r_[True, corners, True][: len(hits)]
        return (
            np.r_[0.0, false_alarms[kept] / false_alarms[-1]],
            np.r_[0.0, hits[kept] / hits[-1]],
            np.r_[np.inf, scores[kept]],
        )

    def update(self, output: Any) -> None:
        """Store a copy of a batch (y_pred, y)."""
        y = prediction_and_target(self, output)[1]
        if y.ndim == 2 and y.shape[1] != 1:
            raise ShapeError(
                f"RocCurve: y must have one label for each example, got shape {y.shape}.",
                "scores and classes (batch,).",
                "output_transform=lambda output: (output[0][:, 0], output[1][:, 0]), for the first label.",
            )
        super().update(output)


def _counts(y_pred, y):
    """Return how many positive and negative examples have each score, and the scores in ascending order."""
    scores, place = np.unique(y_pred, return_inverse=True)
    counts = [np.bincount(place[y == label], minlength=len(scores)) for label in (1, 0)]
    return counts[0], counts[1], scores
