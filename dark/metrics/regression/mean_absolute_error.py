"""Mean absolute error."""

from typing import Any

import numpy as np

from dark.metrics.metric import Metric
from dark.metrics.outputs import differences, no_examples_error


class MeanAbsoluteError(Metric):
    """Compute the sum of absolute errors over the number of *rows*: the errors of several columns add up.

    Parameters
    ----------
    output_transform, **options
        As in `Metric`.

    Raises
    ------
    ShapeError
        From `update`, if y_pred and y differ in batch size or total size; (batch,) and (batch, 1) are compatible.

    Notes
    -----
    Differences and sums are computed in float64, whatever the dtypes.

    Examples
    --------
    >>> error = MeanAbsoluteError()
    >>> error.update(([1.0, 2.0], [1.0, 4.0]))
    >>> error.compute()
    1.0
    """

    _state_dict_all_req_keys = ("_sum_of_absolute_errors", "_num_examples")

    def reset(self) -> None:
        """Reset the sum."""
        self._sum_of_absolute_errors, self._num_examples = np.float64(0.0), 0

    def update(self, output: Any) -> None:
        """Add the errors of a batch (y_pred, y)."""
        errors = differences(self, output)
        self._sum_of_absolute_errors += np.abs(errors).sum()
        self._num_examples += len(errors)

    def compute(self) -> float:
        """Return the mean over rows."""
        if not self._num_examples:
            raise no_examples_error(type(self).__name__)
        return float(self._sum_of_absolute_errors / self._num_examples)
