"""How long each handler takes."""

import csv
from itertools import zip_longest
from time import perf_counter

from dark.handlers.clocks.basic_time_profiler import check_engine, name_of
from dark.handlers.clocks.timings import IterationTimes, summary

HEADERS = ("Handler", "Event Name", "Total(s)", "Min(s)/IDX", "Max(s)/IDX", "Mean(s)", "Std(s)")


class HandlersTimeProfiler:
    """Seconds of each handler that was attached when the run started, and of the data and the process function.

    Each registration is measured by itself, also where two functions have one name. A handler with a filter is
    measured when it is called, not when the filter says no. Handlers of EXCEPTION_RAISED and TERMINATE_SINGLE_EPOCH
    are not measured.

    Parameters
    ----------
    clock : callable, default time.perf_counter
        Tells seconds.

    Attributes
    ----------
    times : list of (str, str, list of float)
        The name of the handler, that of the event, and the seconds of each call.

    Examples
    --------
    The clock here moves by 1 each time it is asked:

    >>> from itertools import count
    >>> from dark.engine import Engine, Events
    >>> profiler, trainer = HandlersTimeProfiler(clock=count(0.0).__next__), Engine(lambda engine, batch: None)
    >>> def shout():
    ...     pass
    >>> handle = trainer.add_event_handler(Events.ITERATION_COMPLETED(every=2), shout)
    >>> profiler.attach(trainer)
    >>> state = trainer.run(range(6))
    >>> profiler.get_results()[0]
    ['shout', 'ITERATION_COMPLETED', 3.0, (1.0, 0), (1.0, 0), 1.0, 0.0]
    """

    def __init__(self, *, clock=perf_counter):
        self._clock, self._iteration_times = clock, IterationTimes(clock)
        self._hooks, self._changed, self.times = [], [], []

    @property
    def dataflow_times(self):
        """Seconds of each batch's fetching."""
        return self._iteration_times.dataflow

    @property
    def processing_times(self):
        """Seconds of each call of the process function."""
        return self._iteration_times.processing

    def attach(self, engine):
        """Watch an engine; a second time does nothing."""
        check_engine(engine)
        if all(handle.engine() is not engine for handle in self._hooks):
            self._hooks.append(engine.around_events(self._before, self._after))

    def _before(self, engine, name):
        if name == "STARTED":
            self._restore()  # a run that did not complete
            self._iteration_times.reset()
            self.times = []
            self._measure(engine)
        self._iteration_times.before(name)

    def _after(self, engine, name):
        self._iteration_times.after(name)
        if name == "COMPLETED":
            self._restore()

    def _measure(self, engine):
        for event in engine.registry.events:  # in the order of their registration
            for handler in engine.registry.handlers.get(event, ()):
                seconds = []
                self.times.append((name_of(handler.function), event, seconds))
                self._changed.append((handler, handler.call))
                handler.call = self._measured(handler, seconds)

    def _measured(self, handler, seconds):
        function, args, kwargs = handler.function, handler.args, handler.kwargs
        takes_engine, event_filter, counter = handler.takes_engine, handler.event_filter, handler.counter

        def call(engine):
            if event_filter is not None and not event_filter(engine, getattr(engine.state, counter)):
                return
            begun = self._clock()
            try:
                function(*((engine,) if takes_engine else ()), *args, **kwargs)
            finally:
                seconds.append(self._clock() - begun)

        return call

    def _restore(self):
        for handler, call in self._changed:
            handler.call = call
        self._changed = []

    def get_results(self):
        """Return a table: a row for each handler, and three more for all handlers, the process function and the data.

        Returns
        -------
        list of lists
            Name, event, total, (min, index), (max, index), mean, std; "None" or "not triggered" where there is nothing.
        """
        rows = [[name, event, *_cells(seconds)] for name, event, seconds in self.times]
        total = round(sum(sum(seconds) for _, _, seconds in self.times), 5)
        rows.append(["Total", "", total, "", "", "", ""])
        rows.append(["Processing", "None", *_cells(self.processing_times)])
        rows.append(["Dataflow", "None", *_cells(self.dataflow_times)])
        return rows

    def write_results(self, output_path):
        """Write all times into a CSV file: a column for each handler, its calls one below the other.

        Parameters
        ----------
        output_path : str or path
        """
        columns = [self.processing_times, self.dataflow_times, *(seconds for _, _, seconds in self.times)]
        headers = ["processing_stats", "dataflow_stats", *(f"{name} ({event})" for name, event, _ in self.times)]
        with open(output_path, "w", newline="", encoding="utf-8") as file:
            table = csv.writer(file)
            table.writerow(["#", *headers])
            table.writerows((number, *row) for number, row in enumerate(zip_longest(*columns), start=1))

    @staticmethod
    def print_results(results):
        """Print what `get_results` returned."""
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
