"""Combinations of metrics: a function of their results, which arithmetic between metrics returns, and a group."""

from collections.abc import Callable, Mapping
from typing import Any, Unpack
from weakref import WeakSet

from dark.descriptions import brief, describe
from dark.engine import Engine
from dark.engine.resume.serializable import check_keys
from dark.errors import UsageError, ValueTypeError
from dark.metrics.metric import Metric
from dark.metrics.metric_state import packed, unpacked, without_constants
from dark.metrics.outputs import MetricOptions, Transform, identity
from dark.metrics.usages import EpochWise, MetricUsage, usage_of


class MetricsLambda(Metric):
    """A function of constants and of the results of other metrics, by which its arguments are replaced.

    Updating it updates its operands, each once however often it occurs in the expression. Resetting it resets them, and
    so does **creating it**.

    Attached to an engine, it updates its operands, each through its own `output_transform`, but does not store their
    results (their `is_attached` returns False). Detaching it leaves these updates attached, since other metrics may
    share the operands.

    >>> from dark.metrics import Precision, Recall
    >>> precision, recall = Precision(), Recall()
    >>> worse = MetricsLambda(min, precision, recall)
    >>> worse.update(([1, 1, 1, 0], [1, 0, 1, 1]))
    >>> float(worse.compute())
    0.666...
    >>> f1 = 2 * precision * recall / (precision + recall)
    >>> f1.update(([1, 1, 1, 0], [1, 0, 1, 0]))
    >>> float(f1.compute())
    0.8
    """

    _state_dict_all_req_keys = ("_updated", "args", "kwargs")

    def __init__(
        self,
        f: Callable[..., Any],
        *args: Any,
        skip_unrolling: bool = False,
        metrics_result_mode: str = "both",
        **kwargs: Any,
    ) -> None:
        if not callable(f):
            problem = f"MetricsLambda: {brief(f)} is not callable."
            raise ValueTypeError(problem, "a function of results.", "MetricsLambda(min, metric, 0.5).")
        self.function, self.args, self.kwargs = f, list(args), kwargs
        self._engines: WeakSet[Engine] = WeakSet()
        super().__init__(skip_unrolling=skip_unrolling, metrics_result_mode=metrics_result_mode)

    def _operands(self):
        """Return the metrics at the leaves of the expression, each once."""
        found: dict[int, Metric] = {}
        for operand in (*self.args, *self.kwargs.values()):
            if isinstance(operand, MetricsLambda):
                found |= {id(metric): metric for metric in operand._operands()}
            elif isinstance(operand, Metric):
                found[id(operand)] = operand
        return list(found.values())

    def reset(self) -> None:
        """Reset the operands."""
        for operand in self._operands():
            operand.reset()
        self._updated = False

    def update(self, output: Any) -> None:
        """Update all operands with the same output; refused while an engine updates them."""
        if self._engines:
            raise UsageError(
                "MetricsLambda is already attached to an engine, and can't use update API while it's attached.",
                "updates either by an engine or by calls of update.",
                "detach(engine), or another MetricsLambda of other metrics.",
            )
        for operand in self._operands():
            operand.update(output)
        self._updated = True

    def compute(self) -> Any:
        """Return the function of the operands' results."""
        kwargs = {name: _result(operand) for name, operand in self.kwargs.items()}
        return self.function(*[_result(operand) for operand in self.args], **kwargs)

    def iteration_completed(self, engine: Engine) -> None:
        """Iteration-event handler: update each operand through its own `output_transform`."""
        for operand in self._operands():
            operand.iteration_completed(engine)

    def _forward(self, output):
        for operand in self._operands():
            operand._forward(output)

    def attach(self, engine: Engine, name: str, usage: MetricUsage | str = EpochWise()) -> None:
        """Attach to an engine, which then updates the operands, too; refused between `update` and `reset`."""
        if self._updated:
            problem = "The underlying metrics are already updated, can't attach while using reset/update/compute API."
            raise UsageError(problem, "updates either by an engine or by calls of update.", "reset(), then attach(…).")
        super().attach(engine, name, usage)

    def _attach_updates(self, engine, usage):
        self._engines.add(engine)
        for operand in self._operands():
            operand._attach_updates(engine, usage)

    def detach(self, engine: Engine, usage: MetricUsage | str = EpochWise()) -> None:
        """Stop storing the result; the operands are still updated."""
        super().detach(engine, usage)
        self._engines.discard(engine)

    def is_attached(self, engine: Engine, usage: MetricUsage | str = EpochWise()) -> bool:
        """Return whether it and the updates of all its operands are attached."""
        events = usage_of(usage)
        return super().is_attached(engine, events) and all(
            engine.has_event_handler(operand.started, events.STARTED)
            and engine.has_event_handler(operand.iteration_completed, events.ITERATION_COMPLETED)
            for operand in self._operands()
        )

    def _packed_state(self):
        args, kwargs = without_constants(self.args), without_constants(self.kwargs)
        return {"_updated": self._updated, "args": packed(args), "kwargs": packed(kwargs)}

    def _unpack_state(self, state):
        check_keys(self, state)
        for operands, saved in ((self.args, state["args"]), (self.kwargs, state["kwargs"])):
            unpacked(without_constants(operands), saved)
        self._updated = bool(state["_updated"])

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_engines"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _engines=WeakSet())


Metric.function_of = MetricsLambda


def _result(operand):
    return operand.compute() if isinstance(operand, Metric) else operand


class MetricGroup(Metric):
    """Group metrics by name; the result is a mapping, and each result is also stored under its own name.

    The result of `output_transform` is passed to the `output_transform` of each metric.

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
            problem = f"MetricGroup: metrics must be a dict, got {describe(metrics)}."
            raise ValueTypeError(problem, "a dict of metrics by name.", "{'accuracy': Accuracy()}.")
        for name, metric in metrics.items():
            if not isinstance(metric, Metric):
                problem = f"MetricGroup: {name!r} must be a metric, got {describe(metric)}."
                raise ValueTypeError(problem, "a dict of metrics by name.", "{'accuracy': Accuracy()}.")
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
