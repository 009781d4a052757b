"""Usages: at which events a metric starts, is updated, and gives its result."""

from dark.engine import Events
from dark.errors import UsageError, ValueTypeError, near_misses


class MetricUsage:
    """The three moments of a metric on an engine.

    Parameters
    ----------
    started, completed, iteration_completed : event
        When the metric is reset, when its result goes into `state.metrics`, and when it is updated.

    Examples
    --------
    >>> usage = MetricUsage(Events.STARTED, Events.COMPLETED, Events.ITERATION_COMPLETED(every=10))
    >>> usage.ITERATION_COMPLETED
    Events.ITERATION_COMPLETED(every=10)
    """

    usage_name: str | None = None

    def __init__(self, started, completed, iteration_completed):
        self.STARTED = started
        self.COMPLETED = completed
        self.ITERATION_COMPLETED = iteration_completed


class EpochWise(MetricUsage):
    """A result for each epoch, from all its iterations; what a metric does unless told otherwise.

    Examples
    --------
    >>> from dark.engine import Engine
    >>> from dark.metrics import Average
    >>> engine = Engine(lambda engine, batch: batch)
    >>> Average().attach(engine, "mean", usage=EpochWise())
    >>> engine.run([1, 2, 6], max_epochs=2).metrics["mean"]
    3.0
    """

    usage_name = "epoch_wise"

    def __init__(self):
        super().__init__(Events.EPOCH_STARTED, Events.EPOCH_COMPLETED, Events.ITERATION_COMPLETED)


class RunningEpochWise(MetricUsage):
    """A result for each epoch, from the ends of all epochs of the run; for running averages of epochs' values."""

    usage_name = "running_epoch_wise"

    def __init__(self):
        super().__init__(Events.STARTED, Events.EPOCH_COMPLETED, Events.EPOCH_COMPLETED)


class BatchWise(MetricUsage):
    """A result for each iteration, from that one alone.

    Examples
    --------
    >>> from dark.engine import Engine
    >>> from dark.metrics import Average
    >>> engine = Engine(lambda engine, batch: batch)
    >>> Average().attach(engine, "mean", usage="batch_wise")
    >>> engine.run([1, 2, 6]).metrics["mean"]
    6.0
    """

    usage_name = "batch_wise"

    def __init__(self):
        super().__init__(Events.ITERATION_STARTED, Events.ITERATION_COMPLETED, Events.ITERATION_COMPLETED)


class RunningBatchWise(MetricUsage):
    """A result for each iteration, from all iterations of the run so far."""

    usage_name = "running_batch_wise"

    def __init__(self):
        super().__init__(Events.STARTED, Events.ITERATION_COMPLETED, Events.ITERATION_COMPLETED)


class SingleEpochRunningBatchWise(MetricUsage):
    """A result for each iteration, from all iterations of the epoch so far."""

    usage_name = "single_epoch_running_batch_wise"

    def __init__(self):
        super().__init__(Events.EPOCH_STARTED, Events.ITERATION_COMPLETED, Events.ITERATION_COMPLETED)


class BatchFiltered(MetricUsage):
    """A result for each epoch, from those of its iterations that a filter lets through.

    Parameters
    ----------
    *args, **kwargs
        The filter: what `Events.ITERATION_COMPLETED` is called with.

    Examples
    --------
    >>> from dark.engine import Engine
    >>> from dark.metrics import Average
    >>> engine = Engine(lambda engine, batch: batch)
    >>> Average().attach(engine, "mean", usage=BatchFiltered(every=2))
    >>> engine.run([1, 2, 3, 6]).metrics["mean"]
    4.0
    """

    def __init__(self, *args, **kwargs):
        super().__init__(Events.EPOCH_STARTED, Events.EPOCH_COMPLETED, Events.ITERATION_COMPLETED(*args, **kwargs))


BY_NAME = {
    usage.usage_name: usage
    for usage in (EpochWise, RunningEpochWise, BatchWise, RunningBatchWise, SingleEpochRunningBatchWise)
}


def usage_of(usage):
    """Return the usage that is meant: itself, or the one of a name.

    Raises
    ------
    UsageError
        If no usage has the name.
    ValueTypeError
        If it is neither usage nor name.
    """
    if isinstance(usage, MetricUsage):
        return usage
    if not isinstance(usage, str):
        raise ValueTypeError(
            f"Unhandled usage type {type(usage).__name__}: {usage!r}.",
            "a MetricUsage, or the name of one.",
            'usage=EpochWise(), or usage="epoch_wise".',
        )
    if usage not in BY_NAME:
        raise UsageError(
            "Argument usage should be '(Running)EpochWise.usage_name' or "
            f"'((SingleEpoch)Running)BatchWise.usage_name', got {usage!r}.",
            "one of " + ", ".join(BY_NAME) + ".",
            f"{near_misses(usage, BY_NAME)}.",
        )
    return BY_NAME[usage]()


def is_resuming(engine):
    """Say whether the event at hand, at which metrics start, stands inside what a resumed run goes on with.

    An engine whose state was loaded fires STARTED, and EPOCH_STARTED for the epoch that it enters again in its
    middle; there, a metric whose state was loaded as well must not be reset.
    """
    state = engine.state
    if engine.last_event_name == Events.STARTED:
        return state.iteration > 0
    if engine.last_event_name == Events.EPOCH_STARTED:
        return state.iteration > engine.current_run.epoch_start
    return False
