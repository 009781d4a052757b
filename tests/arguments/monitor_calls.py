"""Calls of the monitor."""

from functools import partial
from tempfile import TemporaryDirectory

import numpy as np

from dark import engine, monitor, nn


def statistic():
    """Return a statistic with a record."""
    made = monitor.Statistic()
    made.record(1.0)
    return made


def samples(**settings):
    """Add a sample set to a new monitor."""
    monitor.Monitor(nn.Linear(2, 1)).register_samples("rows", np.ones((4, 2)), **settings)


def page(limit_mb):
    """Return the page of a small run."""
    with TemporaryDirectory() as folder:
        with monitor.Note(f"{folder}/run") as note:
            note.take_down_scalars_and_tensors(1, {"loss": 0.5}, {"w": [1.0, 2.0]})
        return monitor.page(note, limit_mb=limit_mb)


def attached(**settings):
    """Attach a note to an engine."""
    with TemporaryDirectory() as folder, monitor.Note(folder) as note:
        return note.attach(engine.Engine(print), engine.Events.COMPLETED, **settings)


MONITOR_CALLS = {
    "monitor.Note.attach": (attached, {"every": 2}),
    "monitor.page": (page, {"limit_mb": 5.0}),
    "monitor.Monitor": (
        partial(monitor.Monitor, nn.Linear(2, 1)),
        {"budget_ms": 0.5, "budget_mb": 0.5, "stats_max_length": 3, "flip_alpha": 0.5, "flip_beta": 0.5},
    ),
    "monitor.Monitor.register_samples": (samples, {"indices": [0, 2]}),
    "monitor.Statistic": (monitor.Statistic, {"max_length": 3, "decays": [0.5]}),
    "monitor.Statistic.exponential": (statistic().exponential, {"decay": 0.99}),
    "monitor.Statistic.set_max_length": (statistic().set_max_length, {"max_length": 3}),
}
