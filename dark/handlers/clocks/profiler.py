"""The base of profilers: the times of fetching data and of the process function, and summaries of durations."""

import csv
import io
from abc import ABC, abstractmethod
from collections.abc import Callable
from math import fsum
from statistics import fmean, stdev
from typing import Any, NamedTuple

from dark.atomic_write import write_file
from dark.engine import Engine
from dark.errors import ValueTypeError


class Durations(NamedTuple):
    """A summary of durations in seconds, with the sample standard deviation, which is None for fewer than two."""

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


class Profiler(ABC):
    """Base class of profilers; `clock` returns seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock, self._iteration_times = clock, IterationTimes(clock)
        self._hooks: list[Any] = []

    @property
    def dataflow_times(self) -> list[float]:
        """The seconds for fetching each batch."""
        return self._iteration_times.dataflow

    @property
    def processing_times(self) -> list[float]:
        """The seconds of each call of the process function."""
        return self._iteration_times.processing

    def attach(self, engine: Engine) -> None:
        """Measure the runs of an engine; attaching twice has no further effect."""
        check_engine(engine)
        if all(handle.engine() is not engine for handle in self._hooks):
            self._hooks.append(engine.around_events(self._around))

    @abstractmethod
    def _around(self, engine, name):
        """Measure an event: a generator function, called around it."""


def write_csv(path, header, rows):
    """Write a table to a CSV file."""
    table = io.StringIO(newline="")
    csv.writer(table).writerows([header, *rows])
    write_file(path, table.getvalue())


def check_engine(engine):
    """Check that a profiler is attached to an engine."""
    if not isinstance(engine, Engine):
        raise ValueTypeError(
            f"Argument engine should be an Engine, but given {type(engine).__name__}.",
            "the engine to measure.",
            "profiler.attach(trainer)",
        )


def name_of(handler):
    """Return the name of a function, or of the class of another callable."""
    return getattr(handler, "__qualname__", type(handler).__name__)
