"""The base of profilers: measures the times of fetching data and of the process function around all events."""

import csv
import io
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from dark.atomic_write import write_file
from dark.engine import Engine
from dark.errors import ValueTypeError
from dark.handlers.clocks.timings import IterationTimes


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
