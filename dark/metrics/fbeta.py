"""F-beta: precision and recall in one number."""

from numbers import Real

import numpy as np

from dark.errors import UsageError
from dark.metrics.input_type import TINY
from dark.metrics.metric import MetricsLambda
from dark.metrics.outputs import as_array, identity
from dark.metrics.precision import Precision
from dark.metrics.recall import Recall


def Fbeta(beta, average=True, precision=None, recall=None, output_transform=None, device=None):
    r"""Return the metric F-beta: the harmonic mean of precision and recall, recall weighted by beta squared.

    .. math:: F_\beta = (1 + \beta^2) \frac{precision \cdot recall}{\beta^2 precision + recall}

    Parameters
    ----------
    beta : float
        Above 0.
    average : bool, optional
        Whether the mean over classes is taken.
    precision, recall : Precision, Recall, optional
        With ``average=False``; new ones by default.
    output_transform, device : optional
        As of `Metric`, for those that are new.

    Returns
    -------
    MetricsLambda

    Raises
    ------
    UsageError
        If the arguments contradict each other.

    Examples
    --------
    >>> f1 = Fbeta(1)
    >>> f1.update(([1, 1, 1, 0], [1, 0, 1, 0]))
    >>> f1.compute()
    0.8
    """
    if not (isinstance(beta, Real) and beta > 0):
        raise UsageError(f"Beta should be a positive integer, but given {beta!r}.", "a number above 0.", "Fbeta(1).")
    for name, given in (("precision", precision), ("recall", recall)):
        _check_given(name, given, output_transform, device)
    options = {"output_transform": output_transform or identity, "device": device or "cpu"}
    precision = precision or Precision(average=False, **options)
    recall = recall or Recall(average=False, **options)
    return MetricsLambda(_fbeta, precision, recall, beta, average)


def _check_given(name, metric, output_transform, device):
    if metric is None:
        return
    for option, value in (("output_transform", output_transform), ("device", device)):
        if value is not None:
            raise UsageError(
                f"If {name} argument is provided, {option} should be None.",
                f"{option} where the metric is made.",
                f"{name.title()}(average=False, {option}=…).",
            )
    if metric._average:
        raise UsageError(
            f"Input {name} metric should have average=False, it has {metric._average!r}.",
            "a value for each class.",
            f"{name.title()}(average=False).",
        )


def _fbeta(precision, recall, beta, average):
    precision, recall = as_array(precision), as_array(recall)
    value = (1.0 + beta**2) * precision * recall / (beta**2 * precision + recall + TINY)
    return float(np.mean(value)) if average else value
