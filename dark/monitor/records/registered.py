"""`Registered`: tensors and statistics that a user adds to a monitor by name."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from dark.checks import describe
from dark.errors import UsageError, ValueTypeError
from dark.monitor.results import called
from dark.monitor.statistic import Statistic
from dark.nodes import Node, value_of


class Registered:
    """Sources of values by name, each with a statistic.

    A source is a node, an array, a number, or a function without arguments that returns one; None for a statistic in
    which the user records.
    """

    def __init__(self) -> None:
        self.sources: dict[str, Any] = {}
        self.statistics: dict[str, Statistic] = {}

    def add(self, source: Any, name: str, statistic: Statistic) -> str:
        """Add a source; return its name, which is numbered if it is taken."""
        unique, k = name, 1
        while unique in self.statistics:
            k += 1
            unique = f"{name}#{k}"
        self.sources[unique], self.statistics[unique] = source, statistic
        return unique

    def record(self, values: Sequence[Any] | None = None) -> None:
        """Record the values of all sources, or given ones in the order of the sources."""
        if values is None:
            for name, source in self.sources.items():
                if source is not None:
                    self.statistics[name].record(called(source))
            return
        if not isinstance(values, (list, tuple)) or len(values) != len(self.sources):
            count = f"{len(values)} values" if isinstance(values, (list, tuple)) else describe(values)
            raise UsageError(
                f"record_tensors: expected a value for each of {len(self.sources)} registered tensors, got {count}.",
                "a list with a value for each, in the order of tensor_fetches.",
                "record_tensors(), which takes their current values.",
            )
        for statistic, value in zip(self.statistics.values(), values):
            statistic.record(value)

    def averages(self, absolute: bool = False) -> dict[str, Any]:
        """Return the running averages of statistics with records, by name."""
        name = "running_abs_average" if absolute else "running_average"
        return {key: getattr(statistic, name) for key, statistic in self.statistics.items() if statistic.count}


def check_source(source: Any, who: str) -> None:
    """Raise if something is not a source of values."""
    if not (callable(source) or isinstance(source, Node) or np.asarray(source).dtype.kind in "biuf"):
        wanted = "a node, an array, a number, or a function without arguments that returns one."
        advice = "lambda: network.temperature."
        raise ValueTypeError(f"{who}: {describe(source)} is not a source of values.", wanted, advice)


def series_of(found: Any, who: str) -> dict[str, np.ndarray]:
    """Return a mapping of series that a user's function returned or changed, with its values as arrays."""
    arrays = {}
    for name, value in found.items() if hasattr(found, "items") else [(found, None)]:
        array = np.asarray(value_of(value))
        if not isinstance(name, str) or array.dtype.kind not in "biuf":
            message = f"{who}: each name must have numbers or an array, got {describe(value)} for {describe(name)}."
            wanted = "names of series, with numbers or arrays."
            raise ValueTypeError(message, wanted, "return {'name': array}, or change the dictionary and return None.")
        arrays[name] = array
    return arrays
