"""Inception score: how certain a classifier is about each sample, and how varied it finds all samples."""

import math
from collections.abc import Callable
from typing import Any, Unpack

import numpy as np

from dark.checks import boolean
from dark.errors import ShapeError, UsageError
from dark.metrics.generative.called_models import call, check_class_scores, checked_model
from dark.metrics.metric import Metric
from dark.metrics.outputs import MetricOptions, Transform, as_array, identity, is_numeric, no_examples, wrong_output


class InceptionScore(Metric):
    r"""Compute the inception score of generated samples, with a classifier of your choice.

    An output is a batch of samples (batch, …), or a mapping with the key "y_pred". The classifier, a network in
    evaluation mode or a function, returns their class probabilities (batch, classes), or, `from_logits`, logits, to
    which softmax is applied.

    With the probabilities :math:`p(y | x_i)` of the classes of sample :math:`x_i`, and their mean :math:`p(y)` over
    all n samples since `reset` (not over a batch: a mean of scores of batches would depend on the batch size),

    .. math:: \exp\Big(\frac{1}{n} \sum_i \sum_y p(y | x_i) \log \frac{p(y | x_i)}{p(y)}\Big).

    It is 1 if the classifier returns the same for all samples, and the number of classes if it is certain of each
    sample and all classes are equally frequent. Scores are comparable for the same classifier and number of samples.

    T. Salimans et al., *Improved techniques for training GANs*, 2016.
    S. Barratt, R. Sharma, *A note on the inception score*, 2018.

    >>> score = InceptionScore(classifier=lambda x: np.eye(4)[np.asarray(x)])
    >>> score.update(np.array([0, 1, 2]))
    >>> score.update(np.array([3]))
    >>> round(score.compute(), 6)
    4.0
    """

    required_output_keys = ("y_pred",)
    _state_dict_all_req_keys = ("_sum_of_probabilities", "_negative_entropy", "_num_examples")

    def __init__(
        self,
        classifier: Callable[[Any], Any],
        from_logits: bool = False,
        output_transform: Transform = identity,
        **options: Unpack[MetricOptions],
    ) -> None:
        self._classifier = checked_model(classifier, "InceptionScore", "classifier")
        self._from_logits = boolean(from_logits, "InceptionScore", "from_logits")
        super().__init__(output_transform, **options)

    def reset(self) -> None:
        """Reset the sums."""
        self._sum_of_probabilities: Any = 0.0
        self._negative_entropy, self._num_examples = np.float64(0.0), 0

    def _from_mapping(self, output):
        return super()._from_mapping(output)[0]

    def update(self, output: Any) -> None:
        """Add a batch of samples (batch, …)."""
        if not is_numeric(output) or not (samples := as_array(output)).ndim:
            raise wrong_output(self, output, "an array of samples (batch, …)")
        found = call(self._classifier, samples).astype(np.float64)
        check_class_scores("InceptionScore", found, len(samples))
        if self._num_examples and found.shape[1:] != np.shape(self._sum_of_probabilities):
            raise ShapeError(
                f"InceptionScore: the classifier returned {found.shape[1]} classes, and "
                f"{len(self._sum_of_probabilities)} before.",
                "as many classes for each batch.",
                "compare the shapes of this batch and the previous one.",
            )
        if self._from_logits:
            found = np.exp(found - found.max(axis=1, keepdims=True))
            found /= found.sum(axis=1, keepdims=True)
        sums = found.sum(axis=1)
        if not ((found >= 0).all() and (np.abs(sums - 1) < 1e-3).all()):
            raise UsageError(
                f"InceptionScore: the classifier returned rows with sums from {sums.min():.4g} to {sums.max():.4g} "
                f"and values from {found.min():.4g}.",
                "probabilities: 0 or more, with the sum 1 for each sample.",
                "from_logits=True, if the classifier returns logits.",
            )
        self._sum_of_probabilities = self._sum_of_probabilities + found.sum(axis=0)
        self._negative_entropy += (found * _log(found)).sum()
        self._num_examples += len(found)

    def compute(self) -> float:
        """Return the score, from 1 to the number of classes."""
        if not self._num_examples:
            raise no_examples("InceptionScore")
        mean = self._sum_of_probabilities / self._num_examples
        divergence = self._negative_entropy / self._num_examples - (mean * _log(mean)).sum()
        return math.exp(max(0.0, divergence))


def _log(probabilities):
    """Return logarithms, with 0 for the logarithm of 0: 0 log 0 is 0."""
    return np.log(np.where(probabilities > 0, probabilities, 1.0))
