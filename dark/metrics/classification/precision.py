"""Precision: the fraction of positive predictions that are correct."""

from dark.metrics.classification.precision_recall import PrecisionRecall


class Precision(PrecisionRecall):
    """Compute precision: true positives over true and false positives.

    Parameters
    ----------
    output_transform, **options
        As in `Metric`.
    average : bool or str or None, default False
        - False: of class 1 for binary inputs, else of each class;
        - None: of each class, also for binary inputs;
        - "macro" or True: the mean over classes;
        - "micro": over all predictions together;
        - "weighted": the mean over classes, weighted by their number of targets;
        - "samples": the mean over examples, for multilabel inputs.
    is_multilabel : bool, default False
        Whether an example has several labels; the input types are those of `Accuracy`.

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
    A class that is never predicted has precision 0.

    Examples
    --------
    >>> precision = Precision()
    >>> precision.update(([1, 1, 1, 0], [1, 0, 1, 0]))
    >>> float(precision.compute())
    0.666...
    >>> precision = Precision(average="macro")
    >>> precision.update(([[9, 1, 1], [1, 9, 1], [9, 1, 1]], [0, 1, 1]))
    >>> precision.compute()
    0.5
    """

    def _positives(self, predicted, actual):
        return predicted
