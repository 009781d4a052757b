"""What can be said of many durations: their sum, their extremes, their mean and how much they differ."""

from math import fsum, sqrt
from typing import NamedTuple


class Durations(NamedTuple):
    """A summary of durations in seconds.

    Attributes
    ----------
    count : int
    total, mean, std : float or None
        None where there are too few: `mean` needs one, `std` two.
    min_index, max_index : (float, int) or None
        The extremes, and which they were, counted from 0.
    """

    count: int
    total: float
    min_index: tuple | None
    max_index: tuple | None
    mean: float | None
    std: float | None


def summary(seconds):
    """Summarise durations.

    Examples
    --------
    >>> summary([1.0, 3.0])
    Durations(count=2, total=4.0, min_index=(1.0, 0), max_index=(3.0, 1), mean=2.0, std=1.4142135623730951)
    >>> summary([])
    Durations(count=0, total=0.0, min_index=None, max_index=None, mean=None, std=None)
    """
    n, total = len(seconds), fsum(seconds)
    if not n:
        return Durations(0, 0.0, None, None, None, None)
    low, high, mean = min(seconds), max(seconds), total / n
    std = sqrt(fsum((s - mean) ** 2 for s in seconds) / (n - 1)) if n > 1 else None
    return Durations(n, total, (low, seconds.index(low)), (high, seconds.index(high)), mean, std)


class IterationTimes:
    """The times of a run's two big parts: fetching a batch, and processing it.

    Parameters
    ----------
    clock : callable
        Tells seconds.

    Attributes
    ----------
    dataflow, processing : list of float
        Seconds, one for each iteration.
    """

    def __init__(self, clock):
        self.clock = clock
        self.reset()

    def reset(self):
        """Begin anew."""
        self.dataflow, self.processing, self._begun = [], [], 0.0

    def before(self, name):
        """Note an event that is about to be fired."""
        if name == "GET_BATCH_COMPLETED":
            self.dataflow.append(self.clock() - self._begun)
        elif name == "ITERATION_COMPLETED":
            self.processing.append(self.clock() - self._begun)

    def after(self, name):
        """Note an event that has been fired."""
        if name in ("GET_BATCH_STARTED", "ITERATION_STARTED"):
            self._begun = self.clock()
