"""Recall: which share of what is positive was predicted so."""

from dark.metrics.precision_recall import PrecisionRecall


class Recall(PrecisionRecall):
    """The share of positive examples that are found: true positives over true positives and false negatives.

    Parameters
    ----------
    output_transform, average, is_multilabel, device, skip_unrolling
        As of `Precision`.

    Raises
    ------
    ShapeError, UsageError, EngineError
        From `update`, if a batch does not fit; nothing is counted then.

    Warns
    -----
    RuntimeWarning
        If targets are no whole numbers.

    Notes
    -----
    A class that does not occur has recall 0.

    Examples
    --------
    >>> recall = Recall(average=None)
    >>> recall.update(([1, 1, 1, 0], [1, 0, 1, 0]))
    >>> recall.compute()
    array([0.5, 1. ])
    """

    def _positives(self, predicted, actual):
        return actual
