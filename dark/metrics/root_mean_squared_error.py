"""The root of the mean squared error."""

import math

from dark.metrics.mean_squared_error import MeanSquaredError


class RootMeanSquaredError(MeanSquaredError):
    """The root of the mean squared error, in the unit of the targets; see `MeanSquaredError`.

    Examples
    --------
    >>> error = RootMeanSquaredError()
    >>> error.update(([1.0, 2.0], [1.0, 4.0]))
    >>> error.compute()
    1.414...
    """

    def compute(self):
        """Return the root of the mean.

        Raises
        ------
        NotComputableError
            If there was no example.
        """
        return math.sqrt(super().compute())
