"""`MetricTuple`: the metrics of a context, each with a name of its own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from inspect import getattr_static
from typing import Any

from dark.checks import describe
from dark.errors import UsageError, ValueTypeError
from dark.metrics import Metric


class MetricTuple(tuple[Metric, ...]):
    """A tuple of metrics with their names."""

    names: tuple[str, ...]

    def __new__(cls, named: Iterable[tuple[str, Metric]]) -> MetricTuple:
        """Build it from pairs (name, metric)."""
        pairs = list(named)
        self = super().__new__(cls, [metric for _, metric in pairs])
        self.names = tuple(name for name, _ in pairs)
        return self

    def items(self) -> list[tuple[str, Metric]]:
        """Return pairs (name, metric), to attach each metric under its name."""
        return list(zip(self.names, self, strict=True))

    def __getnewargs__(self) -> tuple[Any, ...]:
        return (self.items(),)


def metric_tuple(value, who, name):
    """Return metrics as a `MetricTuple`; a new one, so that the caller's list stays as it is.

    An item of a sequence is a pair (name, metric), or a metric, which has its own `name` or that of its class.
    """
    if isinstance(value, MetricTuple):
        return value
    items = () if value is None else value.items() if isinstance(value, Mapping) else value
    try:
        pairs = [item if isinstance(item, tuple) else (_name_of(item), item) for item in items]
        wrong = [m for n, m in pairs if not (isinstance(m, Metric) and isinstance(n, str))]
    except (TypeError, ValueError):
        wrong = [value]
    if wrong:
        raise ValueTypeError(
            f"{who}: {name} holds {describe(wrong[0])}.",
            "metrics of dark.metrics, in a dict by name or in a list.",
            "metrics={'accuracy': Accuracy()}.",
        )
    names = [n for n, _ in pairs]
    repeated = sorted({n for n in names if names.count(n) > 1})
    if repeated:
        raise UsageError(
            f"{who}: {name} has several metrics with the name {' and '.join(map(repr, repeated))}.",
            "different names.",
            "metrics={'first': …, 'second': …}.",
        )
    return MetricTuple(pairs)


def _name_of(metric):
    own = getattr_static(metric, "name", None)  # `metric.name` would be a method of the metric's result
    return own if isinstance(own, str) else type(metric).__name__
