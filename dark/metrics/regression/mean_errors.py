"""Mean absolute error, mean squared error, and its root."""

import math
from typing import Any

import numpy as np

from dark.metrics.example_mean import ExampleMean
from dark.metrics.outputs import differences


class MeanAbsoluteError(ExampleMean):
    """Compute the sum of absolute errors over the number of *rows*: the errors of several columns add up.

    y_pred and y have one batch size and one total size, so (batch,) and (batch, 1) are compatible. Differences and
    sums are computed in float64, whatever the dtypes. The parameters are those of `Metric`.

    Examples
    --------
    >>> error = MeanAbsoluteError()
    >>> error.update(([1.0, 2.0], [1.0, 4.0]))
    >>> error.compute()
    1.0
    """

    _state_dict_all_req_keys = ("_sum_of_absolute_errors", "_num_examples")

    def update(self, output: Any) -> None:
        """Add the errors of a batch (y_pred, y)."""
        errors = differences(self, output)
        self.accumulate(np.abs(errors).sum(), len(errors))


class MeanSquaredError(ExampleMean):
    """Compute the sum of squared errors over the number of *rows*; as in `MeanAbsoluteError` otherwise.

    Examples
    --------
    >>> error = MeanSquaredError()
    >>> error.update(([1.0, 2.0], [1.0, 4.0]))
    >>> error.compute()
    2.0
    """

    _state_dict_all_req_keys = ("_sum_of_squared_errors", "_num_examples")

    def update(self, output: Any) -> None:
        """Add the errors of a batch (y_pred, y)."""
        errors = differences(self, output)
        self.accumulate((errors * errors).sum(), len(errors))


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
