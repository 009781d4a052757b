"""Running average: the exponential moving average of outputs or of a metric."""

import warnings
from numbers import Real
from typing import Any, Unpack

from dark.checks import brief, check_engine, is_bool
from dark.engine import Engine, Events
from dark.errors import UsageError, ValueTypeError
from dark.metrics.metric import Metric
from dark.metrics.metric_state import independent_copy
from dark.metrics.outputs import MetricOptions, Transform, as_array, identity, is_numeric, no_examples, wrong_output
from dark.metrics.usages import MetricUsage, RunningBatchWise, SingleEpochRunningBatchWise, usage_of


class RunningAverage(Metric):
    """Compute an exponential moving average: ``alpha * average + (1 - alpha) * value``, starting at the first value.

    It averages the results of the metric `src`, each since the previous one, or, without it, the engine's output:
    `output_transform`, required then and only then, extracts a number or an array. The smoothing factor `alpha` is
    greater than 0, at most 1. `epoch_bound` is deprecated.

    Attached without a usage, it is reset when a run starts; as `SingleEpochRunningBatchWise`, when an epoch starts. As
    `RunningEpochWise` it averages the values of epochs. The average updates an independent copy of `src`, so that a
    metric may be attached and averaged at the same time. (In Ignite both share their state, and then the metric's own
    result is wrong.)

    >>> from dark.engine import Engine
    >>> engine = Engine(lambda engine, batch: batch)
    >>> RunningAverage(alpha=0.5, output_transform=lambda loss: loss).attach(engine, "loss")
    >>> @engine.on(Events.ITERATION_COMPLETED)
    ... def show():
    ...     print(engine.state.metrics["loss"], end=" ")
    >>> state = engine.run([4.0, 2.0, 1.0])
    4.0 3.0 2.0
    """

    required_output_keys = None
    _state_dict_all_req_keys = ("_value", "src")
    _merge_rules = (("_value", None),)

    def __init__(
        self,
        src: Metric | None = None,
        alpha: float = 0.98,
        output_transform: Transform | None = None,
        epoch_bound: bool | None = None,
        **options: Unpack[MetricOptions],
    ) -> None:
        _check(src, alpha, output_transform, options.get("device"))
        if epoch_bound is not None:
            warnings.warn(
                "`epoch_bound` is deprecated and will be removed in the future. Consider using `usage` argument of "
                "`attach` method instead: SingleEpochRunningBatchWise() for True, RunningBatchWise() for False.",
                UserWarning,
                stacklevel=2,
            )
        self.src: Any = None if src is None else independent_copy(src)
        self.alpha, self.epoch_bound = alpha, epoch_bound
        super().__init__(output_transform or identity, **options)

    def reset(self) -> None:
        """Reset the average."""
        self._value: Any = None
        if self.src is not None:
            self.src.reset()

    def update(self, output: Any) -> None:
        """Add a value: the output, or the result of the metric for it."""
        if self.src is None:
            self._add(output)
        else:
            self.src.update(output)
            self._add_value_of_src()

    def iteration_completed(self, engine: Engine) -> None:
        """Iteration-event handler: add a value; the averaged metric has been updated by its own handler."""
        if self.src is None:
            super().iteration_completed(engine)
        else:
            self._add_value_of_src()

    def _forward(self, output):
        if self.src is None:
            super()._forward(output)
        else:
            self.src._forward(output)
            self._add_value_of_src()

    def _add_value_of_src(self):
        value = self.src.compute()
        self.src.reset()
        self._add(value)

    def _add(self, value):
        if not is_numeric(value):
            raise wrong_output(self, value, "a number or an array")
        value = value if isinstance(value, (int, float)) else as_array(value).copy()[()]
        self._value = value if self._value is None else self._value * self.alpha + (1.0 - self.alpha) * value

    def compute(self) -> Any:
        """Return the average."""
        if self._value is None:
            raise no_examples("RunningAverage")
        return self._value

    def _attach_updates(self, engine, usage):
        event, src = Events.ITERATION_COMPLETED, self.src
        if src is not None and not engine.has_event_handler(src.iteration_completed, event):
            engine.add_event_handler(event, src.iteration_completed)
        super()._attach_updates(engine, usage)

    def attach(self, engine: Engine, name: str, usage: MetricUsage | str = RunningBatchWise()) -> None:
        """Attach to an engine, by default with one result per iteration over the whole run; see `Metric.attach`."""
        super().attach(engine, name, self._usage(usage))

    def detach(self, engine: Engine, usage: MetricUsage | str = RunningBatchWise()) -> None:
        """Remove the handlers that `attach` with this usage added."""
        check_engine(self, engine)
        if self.src is not None and engine.has_event_handler(self.src.iteration_completed, Events.ITERATION_COMPLETED):
            engine.remove_event_handler(self.src.iteration_completed, Events.ITERATION_COMPLETED)
        super().detach(engine, self._usage(usage))

    def is_attached(self, engine: Engine, usage: MetricUsage | str = RunningBatchWise()) -> bool:
        """Return whether it is attached with this usage."""
        return super().is_attached(engine, self._usage(usage))

    def _usage(self, usage):
        if self.epoch_bound is None:
            return usage_of(usage)
        return SingleEpochRunningBatchWise() if self.epoch_bound else RunningBatchWise()


def _check(src, alpha, output_transform, device):
    if not (src is None or isinstance(src, Metric)):
        raise ValueTypeError(
            f"Argument src should be a Metric or None. It is a {type(src).__name__}.",
            "the metric to average.",
            "RunningAverage(Accuracy()), or RunningAverage(output_transform=lambda output: …).",
        )
    is_number = isinstance(alpha, Real) and not is_bool(alpha)
    if not (is_number and 0.0 < alpha <= 1.0):
        problem = f"Argument alpha should be a float between 0.0 and 1.0, got {brief(alpha)}."
        raise UsageError(problem, "0 < alpha <= 1.", "alpha=0.98.")
    if src is None and output_transform is None:
        raise UsageError(
            "Argument output_transform should not be None if src corresponds to the output of process function.",
            "a function that returns a number or an array.",
            "output_transform=lambda output: output.",
        )
    for name, value in (("output_transform", output_transform), ("device", device)):
        if src is not None and value is not None:
            raise UsageError(
                f"Argument {name} should be None if src is a Metric.",
                f"{name} of the metric itself.",
                f"RunningAverage({type(src).__name__}({name}=…)).",
            )
