"""Root mean squared error."""

import math

from dark.metrics.regression.mean_squared_error import MeanSquaredError


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
        """Return the square root of the mean over rows.

        Raises
        ------
        NotComputableError
            If no example was seen.
        """
        return math.sqrt(super().compute())
