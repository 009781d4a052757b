"""Calls of the monitor."""

from dark import monitor


def statistic():
    """Return a statistic with a record."""
    made = monitor.Statistic()
    made.record(1.0)
    return made


MONITOR_CALLS = {
    "monitor.Statistic": (monitor.Statistic, {"max_length": 3, "decays": [0.5]}),
    "monitor.Statistic.exponential": (statistic().exponential, {"decay": 0.99}),
    "monitor.Statistic.set_max_length": (statistic().set_max_length, {"max_length": 3}),
}
