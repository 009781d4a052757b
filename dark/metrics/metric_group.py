"""Group of metrics, attached and updated as one."""

from collections.abc import Mapping
from typing import Any, Unpack

from dark.errors import ValueTypeError
from dark.metrics.metric import Metric
from dark.metrics.outputs import MetricOptions, Transform, identity


class MetricGroup(Metric):
    """Group metrics by name; the result is a mapping, and each result is also stored under its own name.

    The result of `output_transform` is passed to the `output_transform` of each metric.

    Examples
    --------
    >>> from dark.engine import Engine
    >>> from dark.metrics import Accuracy, Recall
    >>> engine = Engine(lambda engine, batch: batch)
    >>> MetricGroup({"accuracy": Accuracy(), "recall": Recall()}).attach(engine, "all")
    >>> metrics = engine.run([([1, 0, 0, 0], [1, 0, 0, 1])]).metrics
    >>> metrics["accuracy"], metrics["recall"], sorted(metrics)
    (0.75, 0.5, ['accuracy', 'all', 'recall'])
    """

    _state_dict_all_req_keys = ("metrics",)

    def __init__(
        self, metrics: Mapping[str, Metric], output_transform: Transform = identity, **options: Unpack[MetricOptions]
    ) -> None:
        if not isinstance(metrics, Mapping):
            raise ValueTypeError(
                f"MetricGroup: metrics is a {type(metrics).__name__}.",
                "a dict of metrics by name.",
                "{'accuracy': Accuracy()}.",
            )
        for name, metric in metrics.items():
            if not isinstance(metric, Metric):
                raise ValueTypeError(
                    f"MetricGroup: {name!r} is a {type(metric).__name__}.",
                    "a dict of metrics by name.",
                    "{'accuracy': Accuracy()}.",
                )
        self.metrics: dict[str, Metric] = dict(metrics)
        super().__init__(output_transform, **options)

    def reset(self) -> None:
        """Reset all metrics."""
        for metric in self.metrics.values():
            metric.reset()

    def update(self, output: Any) -> None:
        """Update each metric, through its own `output_transform`."""
        for metric in self.metrics.values():
            metric._forward(output)

    def compute(self) -> dict[str, Any]:
        """Return the results by name."""
        return {name: metric.compute() for name, metric in self.metrics.items()}
