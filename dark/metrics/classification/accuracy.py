"""Accuracy: the fraction of examples that are predicted correctly, or whose class is among the k highest scores."""

from typing import Any, Unpack

import numpy as np

from dark.checks import integer
from dark.errors import ShapeError
from dark.metrics.classification.input_type import input_type_of
from dark.metrics.classification.sequence_transform import sequence_transform
from dark.metrics.means import ExampleMean
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

    `is_multilabel` tells whether an example has several labels, which shapes cannot tell. A batch that is none of
    these, or has another input type than the one before, is not counted.

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


class TopKCategoricalAccuracy(ExampleMean):
    """Compute the fraction of examples whose class is among the k highest scores.

    An output is y_pred (batch, classes), with at least k classes, and y (batch,). In a tie, lower class indices rank
    higher. NaN is never among the highest scores, and a target that is not a class index is never correct.

    >>> accuracy = TopKCategoricalAccuracy(k=2)
    >>> accuracy.update(([[0.1, 0.7, 0.2], [0.5, 0.4, 0.1]], [2, 2]))
    >>> accuracy.compute()
    0.5
    """

    _state_dict_all_req_keys = ("_num_correct", "_num_examples")
    _zero = np.int64(0)

    def __init__(self, k: int = 5, output_transform: Transform = identity, **options: Unpack[MetricOptions]) -> None:
        self._k = integer(k, "TopKCategoricalAccuracy", "k", 1)
        super().__init__(output_transform, **options)

    def update(self, output: Any) -> None:
        """Count the correct predictions of a batch (y_pred, y)."""
        y_pred, y = prediction_and_target(self, output)
        if y_pred.ndim != 2 or y.size != len(y_pred) or y_pred.shape[1] < self._k:
            raise ShapeError(
                f"TopKCategoricalAccuracy: cannot compute the top {self._k} of y_pred of shape {y_pred.shape} for y "
                f"of shape {y.shape}.",
                f"y_pred (batch, classes), with at least {self._k} classes, and y (batch,).",
                f"a k smaller than {self._k}, or print both shapes.",
            )
        y, classes = y.reshape(-1).astype(np.intp, copy=False), np.arange(y_pred.shape[1])
        is_class = (y >= 0) & (y < len(classes))
        score = y_pred[np.arange(len(y)), np.where(is_class, y, 0)]
        ranks_higher = (y_pred > score[:, None]) | ((y_pred == score[:, None]) & (classes < y[:, None]))
        is_number = score == score  # false for NaN
        self.accumulate(np.count_nonzero((ranks_higher.sum(axis=1) < self._k) & is_class & is_number), len(y))
