"""Mean squared error, and its root."""

import math
from typing import Any

import numpy as np

from dark.metrics.metric import Metric
from dark.metrics.outputs import differences, no_examples_error


class MeanSquaredError(Metric):
    """Compute the sum of squared errors over the number of *rows*; as in `MeanAbsoluteError` otherwise.

    Examples
    --------
    >>> error = MeanSquaredError()
    >>> error.update(([1.0, 2.0], [1.0, 4.0]))
    >>> error.compute()
    2.0
    """

    _state_dict_all_req_keys = ("_sum_of_squared_errors", "_num_examples")

    def reset(self) -> None:
        """Reset the sum."""
        self._sum_of_squared_errors, self._num_examples = np.float64(0.0), 0

    def update(self, output: Any) -> None:
        """Add the errors of a batch (y_pred, y)."""
        errors = differences(self, output)
        self._sum_of_squared_errors += (errors * errors).sum()
        self._num_examples += len(errors)

    def compute(self) -> float:
        """Return the mean over rows."""
        if not self._num_examples:
            raise no_examples_error(type(self).__name__)
        return float(self._sum_of_squared_errors / self._num_examples)


class RootMeanSquaredError(MeanSquaredError):
    """Compute the square root of the mean squared error; see `MeanSquaredError`.

    Examples
    --------
    >>> error = RootMeanSquaredError()
    >>> error.update(([1.0, 2.0], [1.0, 4.0]))
    >>> error.compute()
    1.414...
    """

    def compute(self) -> float:
        """Return the square root of the mean over rows."""
        return math.sqrt(super().compute())
