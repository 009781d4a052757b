"""Accuracy: the share of examples that are predicted right."""

import numpy as np

from dark.metrics.input_type import kind_of
from dark.metrics.metric import Metric
from dark.metrics.outputs import identity, nothing_seen, pair
from dark.metrics.sequence_transform import sequence_transform


class Accuracy(Metric):
    """The share of examples that are predicted right.

    ==========  ==============================  ==============================  ====================================
    kind        y_pred                          y                               right
    ==========  ==============================  ==============================  ====================================
    binary      (batch, …) or (batch, 1, …),    (batch, …), of 0 and 1          equal
                of 0 and 1
    multiclass  (batch, classes, …), any        (batch, …), class numbers       the class with the largest number;
                numbers                                                         of equal ones the first
    multilabel  (batch, labels, …), of 0 and 1  (batch, labels, …), of 0 and 1  equal in all labels
    ==========  ==============================  ==============================  ====================================

    Parameters
    ----------
    output_transform, device, skip_unrolling
        As of `Metric`.
    is_multilabel : bool, optional
        Whether an example has several labels, which shapes cannot tell.

    Raises
    ------
    ShapeError, UsageError, EngineError
        From `update`, if a batch is none of these, or of another kind than the one before; nothing is counted then.

    Examples
    --------
    >>> accuracy = Accuracy()
    >>> accuracy.update(([[0.1, 0.9], [0.8, 0.2], [0.3, 0.7]], [1, 0, 0]))
    >>> accuracy.update(([[0.1, 0.9]], [1]))
    >>> accuracy.compute()
    0.75
    """

    _state_dict_all_req_keys = ("_num_correct", "_num_examples")
    get_sequence_transform = staticmethod(sequence_transform)

    def __init__(self, output_transform=identity, is_multilabel=False, device="cpu", skip_unrolling=False):
        self._is_multilabel = is_multilabel
        super().__init__(output_transform, device, skip_unrolling)

    def reset(self):
        """Forget what was counted."""
        self._num_correct, self._num_examples = np.int64(0), 0
        self._type = self._num_classes = None

    def update(self, output):
        """Count a batch (y_pred, y)."""
        y_pred, y = pair(self, output)
        self._type, self._num_classes = kind_of(self, y_pred, y)
        if self._type == "multiclass":
            correct = y_pred.argmax(1) == y
        elif self._type == "binary":
            correct = y_pred.reshape(-1) == y.reshape(-1)
        else:
            correct = (y_pred == y).all(axis=1)
        self._num_correct += np.count_nonzero(correct)
        self._num_examples += correct.size

    def compute(self):
        """Return the share, from 0 to 1.

        Raises
        ------
        NotComputableError
            If there was no example.
        """
        if not self._num_examples:
            raise nothing_seen("Accuracy")
        return float(self._num_correct / self._num_examples)
