"""The mean absolute error."""

import numpy as np

from dark.metrics.metric import Metric
from dark.metrics.outputs import differences, nothing_seen


class MeanAbsoluteError(Metric):
    """The sum of absolute differences over the number of *rows*: of several columns the errors add up.

    Parameters
    ----------
    output_transform, device, skip_unrolling, metrics_result_mode
        As of `Metric`.

    Raises
    ------
    ShapeError
        From `update`, if y_pred and y differ in rows or size; (batch,) and (batch, 1) fit.

    Notes
    -----
    Differences are taken and added in float64, whatever the dtypes.

    Examples
    --------
    >>> error = MeanAbsoluteError()
    >>> error.update(([1.0, 2.0], [1.0, 4.0]))
    >>> error.compute()
    1.0
    """

    _state_dict_all_req_keys = ("_sum_of_absolute_errors", "_num_examples")

    def reset(self):
        """Forget what was summed."""
        self._sum_of_absolute_errors, self._num_examples = np.float64(0.0), 0

    def update(self, output):
        """Add a batch (y_pred, y)."""
        errors = differences(self, output)
        self._sum_of_absolute_errors += np.abs(errors).sum()
        self._num_examples += len(errors)

    def compute(self):
        """Return the mean.

        Raises
        ------
        NotComputableError
            If there was no example.
        """
        if not self._num_examples:
            raise nothing_seen("MeanAbsoluteError")
        return float(self._sum_of_absolute_errors / self._num_examples)
