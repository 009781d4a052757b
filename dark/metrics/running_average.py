"""The running average: exponential forgetting, for curves that jump."""

import warnings
from numbers import Real

from dark.engine import Events
from dark.errors import UsageError, ValueTypeError
from dark.metrics.metric import Metric
from dark.metrics.metric_state import independent_copy
from dark.metrics.outputs import as_array, identity, is_number_or_array, nothing_seen, wrong_output
from dark.metrics.usages import RunningBatchWise, SingleEpochRunningBatchWise, usage_of


class RunningAverage(Metric):
    """An average that forgets: the first value as it is, then ``alpha * average + (1 - alpha) * value``.

    Parameters
    ----------
    src : Metric, optional
        What is averaged: its values, each since the one before. None: the output of the engine.
    alpha : float, optional
        Above 0, at most 1: how slowly it forgets.
    output_transform : callable, optional
        Picks a number or an array from the output; needed without `src`, and only then.
    epoch_bound : bool, optional
        An old way to say the usage: True is `SingleEpochRunningBatchWise`, False `RunningBatchWise`.
    device, skip_unrolling
        As of `Metric`.

    Raises
    ------
    ValueTypeError
        If `src` is no metric; from `update`, if there is nothing to average.
    UsageError
        If the arguments contradict each other.

    Notes
    -----
    Attached without a usage, it goes on over epochs and starts anew with each run; as
    `SingleEpochRunningBatchWise`, with each epoch. As `RunningEpochWise` it averages the values of epochs.

    The average works on an independent copy of `src`, so that a metric may be attached and averaged at
    the same time. (In Ignite both are one, and then the metric's own result is wrong.)

    Examples
    --------
    >>> from dark.engine import Engine
    >>> engine = Engine(lambda engine, batch: batch)
    >>> RunningAverage(alpha=0.5, output_transform=lambda loss: loss).attach(engine, "loss")
    >>> @engine.on(Events.ITERATION_COMPLETED)
    ... def show():
    ...     print(engine.state.metrics["loss"])
    >>> state = engine.run([4.0, 2.0, 1.0])
    4.0
    3.0
    2.0
    """

    required_output_keys = None
    _state_dict_all_req_keys = ("_value", "src")

    def __init__(
        self, src=None, alpha=0.98, output_transform=None, epoch_bound=None, device=None, skip_unrolling=False
    ):
        _check(src, alpha, output_transform, device)
        if epoch_bound is not None:
            warnings.warn(
                "`epoch_bound` is deprecated and will be removed in the future. Consider using `usage` argument of "
                "`attach` method instead: SingleEpochRunningBatchWise() for True, RunningBatchWise() for False.",
                UserWarning,
                stacklevel=2,
            )
        self.src = None if src is None else independent_copy(src)
        self.alpha, self.epoch_bound = alpha, epoch_bound
        super().__init__(output_transform or identity, device or "cpu", skip_unrolling)

    def reset(self):
        """Forget the average."""
        self._value = None
        if self.src is not None:
            self.src.reset()

    def update(self, output):
        """Add a value: the output; or what the metric makes of it, alone."""
        if self.src is None:
            self._add(output)
        else:
            self.src.update(output)
            self._add_value_of_src()

    def iteration_completed(self, engine):
        """Be the handler of an iteration; the metric that is averaged has taken the engine's output already."""
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
        if not is_number_or_array(value):
            raise wrong_output(self, value, "a number or an array")
        value = value if isinstance(value, (int, float)) else as_array(value).copy()[()]
        self._value = value if self._value is None else self._value * self.alpha + (1.0 - self.alpha) * value

    def compute(self):
        """Return the average.

        Raises
        ------
        NotComputableError
            If there was no value.
        """
        if self._value is None:
            raise nothing_seen("RunningAverage")
        return self._value

    def _attach_updates(self, engine, usage):
        if self.src is not None and not engine.has_event_handler(
            self.src.iteration_completed, Events.ITERATION_COMPLETED
        ):
            engine.add_event_handler(Events.ITERATION_COMPLETED, self.src.iteration_completed)
        super()._attach_updates(engine, usage)

    def attach(self, engine, name, usage=RunningBatchWise()):
        """Attach to an engine, by default for each iteration of the whole run; see `Metric.attach`."""
        super().attach(engine, name, self._usage(usage))

    def detach(self, engine, usage=RunningBatchWise()):
        """Take off an engine what `attach` with this usage added."""
        if self.src is not None and engine.has_event_handler(self.src.iteration_completed, Events.ITERATION_COMPLETED):
            engine.remove_event_handler(self.src.iteration_completed, Events.ITERATION_COMPLETED)
        super().detach(engine, self._usage(usage))

    def is_attached(self, engine, usage=RunningBatchWise()):
        """Say whether it is attached with this usage."""
        return super().is_attached(engine, self._usage(usage))

    def _usage(self, usage):
        if self.epoch_bound is None:
            return usage_of(usage)
        return SingleEpochRunningBatchWise() if self.epoch_bound else RunningBatchWise()


def _check(src, alpha, output_transform, device):
    if not (src is None or isinstance(src, Metric)):
        raise ValueTypeError(
            f"Argument src should be a Metric or None. It is a {type(src).__name__}.",
            "what is averaged.",
            "RunningAverage(Accuracy()), or RunningAverage(output_transform=lambda output: …).",
        )
    if not (isinstance(alpha, Real) and 0.0 < alpha <= 1.0):
        raise UsageError(
            f"Argument alpha should be a float between 0.0 and 1.0, got {alpha!r}.", "0 < alpha <= 1.", "alpha=0.98."
        )
    if src is None and output_transform is None:
        raise UsageError(
            "Argument output_transform should not be None if src corresponds to the output of process function.",
            "a function that picks a number or an array.",
            "output_transform=lambda output: output.",
        )
    for name, value in (("output_transform", output_transform), ("device", device)):
        if src is not None and value is not None:
            raise UsageError(
                f"Argument {name} should be None if src is a Metric.",
                f"{name} of the metric itself.",
                f"RunningAverage({type(src).__name__}({name}=…)).",
            )
