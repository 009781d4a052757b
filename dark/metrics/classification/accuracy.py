"""Accuracy: the fraction of examples that are predicted correctly."""

from typing import Any, Unpack

import numpy as np

from dark.metrics.classification.input_type import input_type_of
from dark.metrics.classification.sequence_transform import sequence_transform
from dark.metrics.example_mean import ExampleMean
from dark.metrics.outputs import MetricOptions, Transform, identity, prediction_and_target


class Accuracy(ExampleMean):
    """Compute the fraction of examples that are predicted correctly.

    ==========  ==============================  ==============================  ====================================
    input type  y_pred                          y                               correct if
    ==========  ==============================  ==============================  ====================================
    binary      (batch, …) or (batch, 1, …),    (batch, …), of 0 and 1          equal
                of 0 and 1
    multiclass  (batch, classes, …), scores     (batch, …), class indices       y is the argmax over classes (the
                                                                                first one in a tie)
    multilabel  (batch, labels, …), of 0 and 1  (batch, labels, …), of 0 and 1  equal in all labels
    ==========  ==============================  ==============================  ====================================

    Parameters
    ----------
    output_transform, **options
        As in `Metric`. A batch that is none of these, or has another input type than the one before, is not counted.
    is_multilabel : bool, default False
        Whether an example has several labels, which shapes cannot tell.

    Examples
    --------
    >>> accuracy = Accuracy()
    >>> accuracy.update(([[0.1, 0.9], [0.8, 0.2], [0.3, 0.7]], [1, 0, 0]))
    >>> accuracy.update(([[0.1, 0.9]], [1]))
    >>> accuracy.compute()
    0.75
    """

    _state_dict_all_req_keys = ("_num_correct", "_num_examples")
    _zero = np.int64(0)
    get_sequence_transform = staticmethod(sequence_transform)

    def __init__(
        self, output_transform: Transform = identity, is_multilabel: bool = False, **options: Unpack[MetricOptions]
    ) -> None:
        self._is_multilabel = is_multilabel
        super().__init__(output_transform, **options)

    def reset(self) -> None:
        """Reset the counts."""
        super().reset()
        self._type = self._num_classes = None

    def update(self, output: Any) -> None:
        """Count the correct predictions of a batch (y_pred, y)."""
        y_pred, y = prediction_and_target(self, output)
        self._type, self._num_classes = input_type_of(self, y_pred, y)
        if self._type == "multiclass":
            correct = y_pred.argmax(1) == y
        elif self._type == "binary":
            correct = y_pred.reshape(-1) == y.reshape(-1)
        else:
            correct = (y_pred == y).all(axis=1)
        self.accumulate(np.count_nonzero(correct), correct.size)
