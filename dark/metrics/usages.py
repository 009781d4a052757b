"""Metric usages: the events at which a metric is reset, updated and computed."""

from typing import Any, TypeAlias

from dark.engine import CallableEventWithFilter, Events
from dark.errors import UsageError, ValueTypeError, near_misses

Event: TypeAlias = Events | CallableEventWithFilter


class MetricUsage:
    """The three events of a metric attached to an engine.

    Parameters
    ----------
    started, completed, iteration_completed : event
        When the metric is reset, when its result is stored in `state.metrics`, and when it is updated.

    Examples
    --------
    >>> usage = MetricUsage(Events.STARTED, Events.COMPLETED, Events.ITERATION_COMPLETED(every=10))
    >>> usage.ITERATION_COMPLETED
    Events.ITERATION_COMPLETED(every=10)
    """

    usage_name: str | None = None

    def __init__(self, started: Event, completed: Event, iteration_completed: Event) -> None:
        self.STARTED, self.COMPLETED, self.ITERATION_COMPLETED = started, completed, iteration_completed


class NamedUsage(MetricUsage):
    """A usage that can be given by its name."""

    usage_name: str
    _events: tuple[Events, Events, Events]

    def __init__(self) -> None:
        super().__init__(*self._events)


class EpochWise(NamedUsage):
    """One result per epoch, over all its iterations; the default."""

    usage_name = "epoch_wise"
    _events = Events.EPOCH_STARTED, Events.EPOCH_COMPLETED, Events.ITERATION_COMPLETED


class RunningEpochWise(NamedUsage):
    """One result per epoch, updated once per epoch and reset when the run starts; for running averages of epochs."""

    usage_name = "running_epoch_wise"
    _events = Events.STARTED, Events.EPOCH_COMPLETED, Events.EPOCH_COMPLETED


class BatchWise(NamedUsage):
    """One result per iteration, over that iteration only.

    >>> from dark.engine import Engine
    >>> from dark.metrics import Average
    >>> engine = Engine(lambda engine, batch: batch)
    >>> Average().attach(engine, "mean of the batch", usage="batch_wise")
    >>> Average().attach(engine, "mean of the epoch", usage=EpochWise())
    >>> engine.run([1, 2, 6]).metrics
    {'mean of the batch': 6.0, 'mean of the epoch': 3.0}
    """

    usage_name = "batch_wise"
    _events = Events.ITERATION_STARTED, Events.ITERATION_COMPLETED, Events.ITERATION_COMPLETED


class RunningBatchWise(NamedUsage):
    """One result per iteration, over all iterations of the run so far."""

    usage_name = "running_batch_wise"
    _events = Events.STARTED, Events.ITERATION_COMPLETED, Events.ITERATION_COMPLETED


class SingleEpochRunningBatchWise(NamedUsage):
    """One result per iteration, over all iterations of the epoch so far."""

    usage_name = "single_epoch_running_batch_wise"
    _events = Events.EPOCH_STARTED, Events.ITERATION_COMPLETED, Events.ITERATION_COMPLETED


class BatchFiltered(MetricUsage):
    """One result per epoch, over the iterations selected by an event filter.

    Parameters
    ----------
    *args, **kwargs
        The filter: the arguments of `Events.ITERATION_COMPLETED(…)`.

    Examples
    --------
    >>> from dark.engine import Engine
    >>> from dark.metrics import Average
    >>> engine = Engine(lambda engine, batch: batch)
    >>> Average().attach(engine, "mean", usage=BatchFiltered(every=2))
    >>> engine.run([1, 2, 3, 6]).metrics["mean"]
    4.0
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(Events.EPOCH_STARTED, Events.EPOCH_COMPLETED, Events.ITERATION_COMPLETED(*args, **kwargs))


BY_NAME = {usage.usage_name: usage for usage in NamedUsage.__subclasses__()}


def usage_of(usage: MetricUsage | str) -> MetricUsage:
    """Return a usage given as an instance or by name."""
    if isinstance(usage, MetricUsage):
        return usage
    if not isinstance(usage, str):
        problem = f"Unhandled usage type {type(usage).__name__}: {usage!r}."
        raise ValueTypeError(problem, "a MetricUsage, or its name.", 'usage=EpochWise(), or usage="epoch_wise".')
    if usage not in BY_NAME:
        raise UsageError(
            "Argument usage should be '(Running)EpochWise.usage_name' or "
            f"'((SingleEpoch)Running)BatchWise.usage_name', got {usage!r}.",
            "one of " + ", ".join(BY_NAME) + ".",
            f"{near_misses(usage, BY_NAME)}.",
        )
    return BY_NAME[usage]()


def is_resuming(engine):
    """Return whether the current event is the start of a run, or of an epoch, that the engine resumes in the middle."""
    state = engine.state
    if engine.last_event_name == Events.STARTED:
        return state.iteration > 0
    if engine.last_event_name == Events.EPOCH_STARTED:
        return state.iteration > engine.current_run.epoch_start
    return False
