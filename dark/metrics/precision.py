"""Precision: which share of what was predicted positive is so."""

from dark.metrics.precision_recall import PrecisionRecall


class Precision(PrecisionRecall):
    """The share of positive predictions that are right: true positives over true and false positives.

    Parameters
    ----------
    output_transform, device, skip_unrolling
        As of `Metric`.
    average : bool or str or None, optional
        - False: of class 1, if there are two, and else of each class;
        - None: of each class, of both if there are two;
        - "macro" or True: the mean over classes;
        - "micro": all predictions together;
        - "weighted": the mean over classes, weighted by how often they occur;
        - "samples": the mean over examples, with several labels each.
    is_multilabel : bool, optional
        As of `Accuracy`, where the shapes are; whether an example has several labels.

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
