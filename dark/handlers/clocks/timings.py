"""Timings: the durations of the iterations of a run, and summaries of durations."""

from math import fsum
from statistics import fmean, stdev
from typing import NamedTuple


class Durations(NamedTuple):
    """A summary of durations in seconds; the standard deviation is that of a sample, None for fewer than two."""

    count: int
    total: float
    min_index: tuple | None
    max_index: tuple | None
    mean: float | None
    std: float | None


def summary(seconds):
    """Return the summary of a list of durations."""
    if not seconds:
        return Durations(0, 0.0, None, None, None, None)
    low, high, mean = min(seconds), max(seconds), fmean(seconds)
    std = stdev(seconds) if len(seconds) > 1 else None
    extremes = (low, seconds.index(low)), (high, seconds.index(high))
    return Durations(len(seconds), fsum(seconds), *extremes, mean, std)


class IterationTimes:
    """The durations of the two parts of an iteration: fetching a batch, and the process function."""

    def __init__(self, clock):
        self.clock = clock
        self.reset()

    def reset(self):
        """Clear the lists."""
        self.dataflow, self.processing, self._started = [], [], 0.0

    def around(self, name):
        """Record the end of a part before the event of this name is fired, and the start of a part after it."""
        if name == "GET_BATCH_COMPLETED":
            self.dataflow.append(self.clock() - self._started)
        elif name == "ITERATION_COMPLETED":
            self.processing.append(self.clock() - self._started)
        yield
        if name in ("GET_BATCH_STARTED", "ITERATION_STARTED"):
            self._started = self.clock()
