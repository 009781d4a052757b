"""Recall: the fraction of positive examples that are found."""

from dark.metrics.classification.precision_recall import PrecisionRecall


class Recall(PrecisionRecall):
    """Compute recall: true positives over true positives and false negatives.

    Parameters
    ----------
    output_transform, average, is_multilabel, **options
        As in `Precision`.

    Raises
    ------
    ShapeError, UsageError, EngineError
        From `update`, if a batch is invalid; it is not counted then.

    Warns
    -----
    RuntimeWarning
        If targets are not integers.

    Notes
    -----
    A class without targets has recall 0.

    Examples
    --------
    >>> recall = Recall(average=None)
    >>> recall.update(([1, 1, 1, 0], [1, 0, 1, 0]))
    >>> recall.compute()
    array([0.5, 1. ])
    """

    def _positives(self, predicted, actual):
        return actual
