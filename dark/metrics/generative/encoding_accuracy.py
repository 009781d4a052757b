"""Encoding accuracy: the fraction of examples that a classifier recognizes after encoding and generating them again."""

from collections.abc import Callable
from typing import Any, Unpack

from dark.metrics.classification.accuracy import Accuracy
from dark.metrics.generative.called_models import call, check_class_scores, checked_model
from dark.metrics.outputs import MetricOptions, Transform, identity, prediction_and_target


class EncodingAccuracy(Accuracy):
    """Compute the fraction of examples x with label y for which the classifier assigns y to G(E(x)).

    The encoder returns codes (batch, …) of a batch of examples (batch, …), the generator examples of a batch of codes,
    and the classifier class scores (batch, classes): the class with the highest one is predicted, the first one in a
    tie. Networks are called in evaluation mode, with arrays. An output is (x, y), with labels (batch,) as class
    indices, or a mapping with the keys "x" and "y".

    >>> accuracy = EncodingAccuracy(
    ...     classifier=lambda x: np.stack([-x, x], axis=1), encoder=lambda x: x / 2, generator=lambda z: 2 * z - 1
    ... )
    >>> accuracy.update((np.array([-1.0, 0.5, 3.0]), np.array([0, 1, 1])))
    >>> accuracy.compute()
    0.666...
    """

    required_output_keys = ("x", "y")

    def __init__(
        self,
        classifier: Callable[[Any], Any],
        encoder: Callable[[Any], Any],
        generator: Callable[[Any], Any],
        output_transform: Transform = identity,
        **options: Unpack[MetricOptions],
    ) -> None:
        models = {"encoder": encoder, "generator": generator, "classifier": classifier}
        self._models = [checked_model(model, "EncodingAccuracy", name) for name, model in models.items()]
        super().__init__(output_transform, **options)

    def update(self, output: Any) -> None:
        """Count the recognized examples of a batch (x, y)."""
        x, y = prediction_and_target(self, output)
        scores = x
        for model in self._models:
            scores = call(model, scores)
        check_class_scores("EncodingAccuracy", scores, len(x) if x.ndim else 1)
        super().update((scores, y))
