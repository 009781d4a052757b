"""Precision and recall: true positives over positives, averaged in six ways; F-beta, their weighted harmonic mean."""

import warnings
from abc import abstractmethod
from collections.abc import Callable
from numbers import Real
from typing import Any, Unpack

import numpy as np

from dark.checks import brief, is_bool
from dark.errors import UsageError
from dark.metrics.classification.input_type import TINY, class_indices, input_type_of
from dark.metrics.classification.sequence_transform import sequence_transform
from dark.metrics.metric import Metric
from dark.metrics.metrics_lambda import MetricsLambda
from dark.metrics.outputs import MetricOptions, Transform, as_array, identity, no_examples, prediction_and_target

AVERAGES = ("macro", "micro", "weighted", "samples")


class PrecisionRecall(Metric):
    """Compute true positives over positives, which are the predicted ones (precision) or the actual ones (recall)."""

    _state_dict_all_req_keys = ("_numerator", "_denominator", "_weight", "_updated")
    get_sequence_transform = staticmethod(sequence_transform)

    def __init__(
        self,
        output_transform: Transform = identity,
        average: bool | str | None = False,
        is_multilabel: bool = False,
        **options: Unpack[MetricOptions],
    ) -> None:
        if not (average is None or isinstance(average, bool) or (isinstance(average, str) and average in AVERAGES)):
            raise UsageError(
                "Argument average should be None or a boolean or one of values 'macro', 'micro', 'weighted' and "
                f"'samples', got {brief(average)}.",
                "the averaging method.",
                'average="macro".',
            )
        self._average = "macro" if average is True else average
        self._is_multilabel = is_multilabel
        super().__init__(output_transform, **options)

    def reset(self) -> None:
        """Reset the counts."""
        self._numerator: Any = 0
        self._denominator: Any = 0
        self._weight: Any = 0
        self._updated = False
        self._type = self._num_classes = None

    def update(self, output: Any) -> None:
        """Count a batch (y_pred, y)."""
        y_pred, y = prediction_and_target(self, output)
        input_type, num_classes = input_type_of(self, y_pred, y)
        self._check_average(input_type, y_pred, y)
        correct, predicted, actual = self._counts(input_type, num_classes, y_pred, y)
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
        self._type, self._num_classes = input_type, num_classes
        self._updated = self._updated or y.size > 0

    @abstractmethod
    def _positives(self, predicted, actual):
        """Return the positives to divide by."""

    def _check_average(self, input_type, y_pred, y):
        if self._average == "samples" and input_type != "multilabel":
            raise UsageError(
                f"{type(self).__name__}: Argument average='samples' is incompatible with binary and multiclass input "
                f"data; this is {input_type}.",
                "several labels per example.",
                "is_multilabel=True, or another average.",
            )
        are_integers = y.dtype.kind in "biu", y_pred.dtype.kind in "biu"
        if input_type == "multiclass" and not are_integers[0]:
            warnings.warn("`y` should be of dtype long when entry type is multiclass", RuntimeWarning, stacklevel=3)
        if input_type == "binary" and self._average is not False and not all(are_integers):
            warnings.warn(
                "`y` and `y_pred` should be of dtype long when entry type is binary and average!=False",
                RuntimeWarning,
                stacklevel=3,
            )

    def _counts(self, input_type, num_classes, y_pred, y):
        """Return the numbers of true, predicted and actual positives: of class 1, per class, or per example."""
        if input_type == "multiclass":
            y = class_indices(self, y, num_classes)
            indices = y_pred.argmax(1).reshape(-1)
            return [np.bincount(found, minlength=num_classes) for found in (y[indices == y], indices, y)]
        y_pred, y = y_pred.astype(bool), y.astype(bool)
        if input_type == "multilabel":
            axes = 1 if self._average == "samples" else (0, *range(2, y.ndim))
            return [np.count_nonzero(found, axis=axes) for found in (y_pred & y, y_pred, y)]
        y_pred, y = y_pred.reshape(-1), y.reshape(-1)
        of_class_1 = [np.count_nonzero(found) for found in (y_pred & y, y_pred, y)]
        if self._average is False:
            return of_class_1
        of_class_0 = [np.count_nonzero(found) for found in (~y_pred & ~y, ~y_pred, ~y)]
        return [np.array(pair) for pair in zip(of_class_0, of_class_1)]

    def compute(self) -> Any:
        """Return the average, a float; or an array, if `average` is False or None."""
        if not self._updated:
            raise no_examples(type(self).__name__)
        fraction = self._numerator / (self._denominator + TINY)
        if self._average == "weighted":
            return float(fraction @ self._weight / (self._weight.sum() + TINY))
        return np.asarray(fraction) if not self._average else float(np.mean(fraction))


class Precision(PrecisionRecall):
    """Compute precision: true positives over true and false positives; a class that is never predicted has precision 0.

    Parameters
    ----------
    average : bool or str or None, default False
        - False: of class 1 for binary inputs, else of each class;
        - None: of each class, also for binary inputs;
        - "macro" or True: the mean over classes;
        - "micro": over all predictions together;
        - "weighted": the mean over classes, weighted by their number of targets;
        - "samples": the mean over examples, for multilabel inputs.
    is_multilabel : bool, default False
        Whether an example has several labels; the input types are those of `Accuracy`.
    output_transform, **options
        As in `Metric`. A batch that is invalid is not counted; targets that are not integers are warned of.

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


class Recall(PrecisionRecall):
    """Compute recall: true positives over true positives and false negatives.

    For the parameters see `Precision`. A class without targets has recall 0.

    >>> recall = Recall(average=None)
    >>> recall.update(([1, 1, 1, 0], [1, 0, 1, 0]))
    >>> recall.compute()
    array([0.5, 1. ])
    """

    def _positives(self, predicted, actual):
        return actual


def Fbeta(
    beta: float,
    average: bool = True,
    precision: Precision | None = None,
    recall: Recall | None = None,
    output_transform: Callable[[Any], Any] | None = None,
    device: str | None = None,
) -> MetricsLambda:
    r"""Return the F-beta score as a metric: the harmonic mean of precision and recall, recall weighted by beta².

    .. math:: F_\beta = (1 + \beta^2) \frac{precision \cdot recall}{\beta^2 precision + recall}

    Beta is greater than 0. With `average`, the result is the mean over classes. Precision and recall, if given, have
    ``average=False``; for the other arguments, of metrics created here, see `Metric`.

    >>> f1 = Fbeta(1)
    >>> f1.update(([1, 1, 1, 0], [1, 0, 1, 0]))
    >>> f1.compute()
    0.8
    """
    if not (isinstance(beta, Real) and not is_bool(beta) and beta > 0):
        problem = f"Beta should be a positive integer, but given {brief(beta)}."
        raise UsageError(problem, "a number greater than 0.", "Fbeta(1).")
    for name, given in (("precision", precision), ("recall", recall)):
        _check_given(name, given, output_transform, device)
    transform = output_transform or identity
    precision = precision or Precision(transform, average=False, device=device)
    recall = recall or Recall(transform, average=False, device=device)
    return MetricsLambda(_fbeta, precision, recall, beta, average)


def _check_given(name, metric, output_transform, device):
    if metric is None:
        return
    for option, value in (("output_transform", output_transform), ("device", device)):
        if value is not None:
            problem = f"If {name} argument is provided, {option} should be None."
            raise UsageError(problem, f"{option} of the given metric.", f"{name.title()}(average=False, {option}=…).")
    if metric._average:
        problem = f"Input {name} metric should have average=False, it has {metric._average!r}."
        raise UsageError(problem, "one value per class.", f"{name.title()}(average=False).")


def _fbeta(precision, recall, beta, average):
    precision, recall = as_array(precision), as_array(recall)
    value = (1.0 + beta**2) * precision * recall / (beta**2 * precision + recall + TINY)
    return float(np.mean(value)) if average else value
