"""Several metrics as one."""

from collections.abc import Mapping

from dark.errors import ValueTypeError
from dark.metrics.metric import Metric
from dark.metrics.outputs import identity


class MetricGroup(Metric):
    """Metrics by name, attached and updated as one; the result is a mapping, and stands in the state key by key.

    Parameters
    ----------
    metrics : dict of str to Metric
        The metrics.
    output_transform, device, skip_unrolling, metrics_result_mode
        As of `Metric`. What it gives goes through the `output_transform` of each metric, too.

    Raises
    ------
    ValueTypeError
        If one of them is no metric.

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
        self,
        metrics,
        output_transform=identity,
        skip_unrolling=False,
        device="cpu",
        metrics_result_mode="both",
    ):
        if not isinstance(metrics, Mapping):
            raise ValueTypeError(
                f"MetricGroup: metrics is a {type(metrics).__name__}.", "metrics by name.", "{'accuracy': Accuracy()}."
            )
        for name, metric in metrics.items():
            if not isinstance(metric, Metric):
                raise ValueTypeError(
                    f"MetricGroup: {name!r} is a {type(metric).__name__}.",
                    "metrics by name.",
                    "{'accuracy': Accuracy()}.",
                )
        self.metrics = dict(metrics)
        super().__init__(output_transform, device, skip_unrolling, metrics_result_mode)

    def reset(self):
        """Reset all metrics."""
        for metric in self.metrics.values():
            metric.reset()

    def update(self, output):
        """Update all metrics, each with what its `output_transform` makes of the output."""
        for metric in self.metrics.values():
            metric._forward(output)

    def compute(self):
        """Return the results by name."""
        return {name: metric.compute() for name, metric in self.metrics.items()}
