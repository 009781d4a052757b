"""A profiler of the time for fetching data, for the process function, and for the handlers of each event."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from itertools import zip_longest
from time import perf_counter
from typing import Any

from dark.engine import Events
from dark.handlers.clocks.profiler import Profiler, name_of, summary, write_csv
from dark.typing import Path

EVENTS = (
    Events.STARTED, Events.EPOCH_STARTED, Events.GET_BATCH_STARTED, Events.GET_BATCH_COMPLETED,
    Events.ITERATION_STARTED, Events.ITERATION_COMPLETED, Events.EPOCH_COMPLETED, Events.COMPLETED,
)  # fmt: skip


class BasicTimeProfiler(Profiler):
    """A profiler that measures the data, the process function, and all handlers of each event together.

    Results describe the current or last run. The length of the data need not be known. Events that handlers fire count
    towards the event of those handlers. `clock` returns seconds. `dataflow_times` and `processing_times` have one item
    per iteration, `event_handlers_times` a list for each event.

    Examples
    --------
    With a clock that advances by 1 at each call:

    >>> from itertools import count
    >>> from dark.engine import Engine
    >>> profiler, trainer = BasicTimeProfiler(clock=count(0.0).__next__), Engine(lambda engine, batch: None)
    >>> profiler.attach(trainer)
    >>> state = trainer.run([1, 2, 3])
    >>> profiler.get_results()["processing_stats"]["total"], profiler.processing_times
    (6.0, [2.0, 2.0, 2.0])
    """

    def __init__(self, *, clock: Callable[[], float] = perf_counter) -> None:
        super().__init__(clock)
        self._reset()

    def _reset(self):
        self._iteration_times.reset()
        self._iterations, self.event_handlers_names = [], {}
        self.event_handlers_times: dict[Events, list[float]] = {event: [] for event in EVENTS}

    def _around(self, engine, name):
        if name == "STARTED":
            self._reset()
            self.event_handlers_names = names_of_handlers(engine)
        if name == "ITERATION_STARTED":
            self._iterations.append((engine.state.epoch, engine.state.iteration))
        started = self._clock()
        parts = self._iteration_times.around(name)
        next(parts)
        yield
        seconds = self._clock() - started
        if name in self.event_handlers_times:
            self.event_handlers_times[name].append(seconds)
        next(parts, None)

    def get_results(self) -> OrderedDict[str, Any]:
        """Return a summary; may be called during a run.

        "processing_stats" and "dataflow_stats" are total, min/index, max/index, mean, std, count;
        "event_handlers_stats" the same for the name of each event, and "total_time"; "event_handlers_names", for each
        event as ``"STARTED_names"``, the names of its handlers.
        """
        stats = {event.name: _stats(times) for event, times in self.event_handlers_times.items()}
        return OrderedDict(
            processing_stats=_stats(self.processing_times),
            dataflow_stats=_stats(self.dataflow_times),
            event_handlers_stats={**stats, "total_time": sum(map(sum, self.event_handlers_times.values()))},
            event_handlers_names={f"{e.name}_names": self.event_handlers_names.get(e.name, []) for e in EVENTS},
        )

    def write_results(self, output_path: Path) -> None:
        """Write all times to a CSV file, one row per iteration."""
        first = self._iterations[0][0] if self._iterations else 1
        columns = {"processing_stats": self.processing_times, "dataflow_stats": self.dataflow_times}
        for event, times in self.event_handlers_times.items():
            repeated = times[:1] * len(self._iterations) if event in (Events.STARTED, Events.COMPLETED) else times
            if event in (Events.EPOCH_STARTED, Events.EPOCH_COMPLETED):
                repeated = [times[epoch - first] for epoch, _ in self._iterations if epoch - first < len(times)]
            columns[f"Event_{event.name}"] = repeated[: len(self._iterations)]
        rows = ((*where, *row) for where, row in zip(self._iterations, zip_longest(*columns.values())))
        write_csv(output_path, ["epoch", "iteration", *columns], rows)

    @staticmethod
    def print_results(results: Mapping[str, Any]) -> str:
        """Print a result of `get_results`, and return the printed string."""
        rows = [("Processing function", "", results["processing_stats"]), ("Dataflow", "", results["dataflow_stats"])]
        for event in EVENTS:
            names = ", ".join(results["event_handlers_names"][f"{event.name}_names"]) or "no handlers"
            rows.append((f"Events.{event.name}", f" ({names})", results["event_handlers_stats"][event.name]))
        lines = ["", "Seconds: total | min/index | max/index | mean | std | count", ""]
        lines += [f"{name}{note}:\n    {' | '.join(map(_text, stats.values()))}" for name, note, stats in rows]
        lines += ["", f"All handlers: {results['event_handlers_stats']['total_time']:.5f}"]
        print("\n".join(lines))
        return "\n".join(lines)


def names_of_handlers(engine):
    """Return the names of the handlers of each event, by its name."""
    attached = engine.registry.handlers
    return {event: [name_of(handler.function) for handler in handlers] for event, handlers in attached.items()}


def _stats(seconds):
    found = summary(seconds)
    if not found.count:
        return OrderedDict(total="not yet triggered")
    stats = OrderedDict(total=found.total)
    if found.count > 1:
        stats.update({"min/index": found.min_index, "max/index": found.max_index, "mean": found.mean, "std": found.std})
    stats["count"] = found.count
    return stats


def _text(value):
    if isinstance(value, tuple):
        return f"{value[0]:.5f}/{value[1]}"
    return f"{value:.5f}" if isinstance(value, float) else f"{value}"
