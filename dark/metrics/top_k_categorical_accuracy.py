"""Top-k accuracy: the share of examples whose class is among the k with the largest numbers."""

from numbers import Integral

import numpy as np

from dark.errors import ShapeError, UsageError
from dark.metrics.metric import Metric
from dark.metrics.outputs import identity, nothing_seen, pair


class TopKCategoricalAccuracy(Metric):
    """The share of examples whose class is among the k with the largest numbers.

    Parameters
    ----------
    k : int, optional
        1 or more.
    output_transform, device, skip_unrolling
        As of `Metric`.

    Raises
    ------
    ShapeError
        From `update`, unless y_pred is (batch, classes), with k classes or more, and y (batch).

    Notes
    -----
    Of equal numbers, those of the first classes count as larger. A NaN is never among the largest, and a target
    that is no class is never found.

    Examples
    --------
    >>> accuracy = TopKCategoricalAccuracy(k=2)
    >>> accuracy.update(([[0.1, 0.7, 0.2], [0.5, 0.4, 0.1]], [2, 2]))
    >>> accuracy.compute()
    0.5
    """

    _state_dict_all_req_keys = ("_num_correct", "_num_examples")

    def __init__(self, k=5, output_transform=identity, device="cpu", skip_unrolling=False):
        if not (isinstance(k, Integral) and k >= 1):
            raise UsageError(f"Argument k should be 1 or more, got {k!r}.", "how many may be right.", "k=5.")
        self._k = k
        super().__init__(output_transform, device, skip_unrolling)

    def reset(self):
        """Forget what was counted."""
        self._num_correct, self._num_examples = np.int64(0), 0

    def update(self, output):
        """Count a batch (y_pred, y)."""
        y_pred, y = pair(self, output)
        if y_pred.ndim != 2 or y.size != len(y_pred) or y_pred.shape[1] < self._k:
            raise ShapeError(
                f"TopKCategoricalAccuracy: cannot find the {self._k} largest of y_pred {y_pred.shape} for y {y.shape}.",
                f"y_pred (batch, classes), with {self._k} classes or more, and y (batch).",
                f"a k smaller than {self._k}, or print both shapes.",
            )
        y, classes = y.reshape(-1).astype(np.intp, copy=False), np.arange(y_pred.shape[1])
        is_class = (y >= 0) & (y < len(classes))
        own = y_pred[np.arange(len(y)), np.where(is_class, y, 0)]
        larger = (y_pred > own[:, None]) | ((y_pred == own[:, None]) & (classes < y[:, None]))
        self._num_correct += np.count_nonzero((larger.sum(axis=1) < self._k) & is_class & (own == own))
        self._num_examples += len(y)

    def compute(self):
        """Return the share, from 0 to 1.

        Raises
        ------
        NotComputableError
            If there was no example.
        """
        if not self._num_examples:
            raise nothing_seen("TopKCategoricalAccuracy")
        return float(self._num_correct / self._num_examples)
