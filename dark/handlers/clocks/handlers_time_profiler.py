"""A profiler of the time that each handler takes."""

from __future__ import annotations

from collections.abc import Callable
from itertools import zip_longest
from time import perf_counter
from typing import Any

from dark.handlers.clocks.profiler import Profiler, name_of, summary, write_csv
from dark.typing import Path

HEADERS = ("Handler", "Event Name", "Total(s)", "Min(s)/IDX", "Max(s)/IDX", "Mean(s)", "Std(s)")


class HandlersTimeProfiler(Profiler):
    """A profiler that measures the data, the process function, and each handler attached when the run starts.

    Each registration is measured separately, also if two functions have the same name. A handler with a filter is
    measured when it is called, not when the filter skips it. Handlers of EXCEPTION_RAISED and TERMINATE_SINGLE_EPOCH
    are not measured. `times` has the names of the handler and of the event, and the seconds of each call.
    """

    def __init__(self, *, clock: Callable[[], float] = perf_counter) -> None:
        super().__init__(clock)
        self._wrapped: list[Any] = []
        self.times: list[tuple[str, str, list[float]]] = []

    def _around(self, engine, name):
        if name == "STARTED":
            self._restore()  # after a run that did not complete
            self._iteration_times.reset()
            self.times = []
            self._measure(engine)
        yield from self._iteration_times.around(name)
        if name == "COMPLETED":
            self._restore()

    def _measure(self, engine):
        for event in engine.registry.events:  # in the order of their registration
            for handler in engine.registry.handlers.get(event, ()):
                seconds: list[float] = []
                self.times.append((name_of(handler.function), event, seconds))
                stopwatch = self._stopwatch(seconds)
                handler.wrap(stopwatch)
                self._wrapped.append((handler, stopwatch))

    def _stopwatch(self, seconds):
        """Return a function around a handler's calls that appends their durations to a list."""

        def timed(engine):
            started = self._clock()
            yield
            seconds.append(self._clock() - started)

        return timed

    def _restore(self):
        for handler, stopwatch in self._wrapped:
            handler.unwrap(stopwatch)
        self._wrapped = []

    def get_results(self) -> list[list[Any]]:
        """Return a table with a row per handler, and rows for all handlers, the process function and the data.

        Name, event, total, (min, index), (max, index), mean, std; "not triggered" or "None" for missing values.
        """
        rows = [[name, event, *_cells(seconds)] for name, event, seconds in self.times]
        total = round(sum(sum(seconds) for _, _, seconds in self.times), 5)
        rows.append(["Total", "", total, "", "", "", ""])
        rows.append(["Processing", "None", *_cells(self.processing_times)])
        rows.append(["Dataflow", "None", *_cells(self.dataflow_times)])
        return rows

    def write_results(self, output_path: Path) -> None:
        """Write all times to a CSV file, one column per handler and one row per call."""
        columns = [self.processing_times, self.dataflow_times, *(seconds for _, _, seconds in self.times)]
        headers = ["processing_stats", "dataflow_stats", *(f"{name} ({event})" for name, event, _ in self.times)]
        rows = ((number, *row) for number, row in enumerate(zip_longest(*columns), start=1))
        write_csv(output_path, ["#", *headers], rows)

    @staticmethod
    def print_results(results: list[list[Any]]) -> None:
        """Print a result of `get_results`."""
        rows = [[_text(cell) for cell in row] for row in (HEADERS, *results)]
        widths = [max(len(row[column]) for row in rows) for column in range(len(HEADERS))]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows]
        rule = "-" * max(map(len, lines))
        print("\n".join(["", rule, lines[0], rule, *lines[1:-3], rule, *lines[-3:]]))


def _cells(seconds):
    found = summary(seconds)
    if not found.count:
        return ["not triggered", ("None", "None"), ("None", "None"), "None", "None"]
    low, high = [(round(value, 5), index) for value, index in (found.min_index, found.max_index)]
    return [
        round(found.total, 5),
        low,
        high,
        round(found.mean, 5),
        "None" if found.std is None else round(found.std, 5),
    ]


def _text(cell):
    return "{}/{}".format(*cell) if isinstance(cell, tuple) else str(cell)
