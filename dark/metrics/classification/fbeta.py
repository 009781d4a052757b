"""F-beta score: the weighted harmonic mean of precision and recall."""

from collections.abc import Callable
from numbers import Real
from typing import Any

import numpy as np

from dark.checks import brief, is_bool
from dark.errors import UsageError
from dark.metrics.classification.input_type import TINY
from dark.metrics.classification.precision_recall import Precision, Recall
from dark.metrics.metrics_lambda import MetricsLambda
from dark.metrics.outputs import as_array, identity


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

    Parameters
    ----------
    beta : float
        Greater than 0.
    average : bool, default True
        Whether to return the mean over classes.
    precision, recall : Precision, Recall, optional
        With ``average=False``; created by default.
    output_transform, device : optional
        As in `Metric`, for metrics created here.

    Examples
    --------
    >>> f1 = Fbeta(1)
    >>> f1.update(([1, 1, 1, 0], [1, 0, 1, 0]))
    >>> f1.compute()
    0.8
    """
    if not (isinstance(beta, Real) and not is_bool(beta) and beta > 0):
        raise UsageError(
            f"Beta should be a positive integer, but given {brief(beta)}.", "a number greater than 0.", "Fbeta(1)."
        )
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
            raise UsageError(
                f"If {name} argument is provided, {option} should be None.",
                f"{option} of the given metric.",
                f"{name.title()}(average=False, {option}=…).",
            )
    if metric._average:
        raise UsageError(
            f"Input {name} metric should have average=False, it has {metric._average!r}.",
            "one value per class.",
            f"{name.title()}(average=False).",
        )


def _fbeta(precision, recall, beta, average):
    precision, recall = as_array(precision), as_array(recall)
    value = (1.0 + beta**2) * precision * recall / (beta**2 * precision + recall + TINY)
    return float(np.mean(value)) if average else value
