"""A linear warm-up before a schedule."""

from typing import Any

from dark.checks import brief, is_integer, number
from dark.compat.schedules.concat_scheduler import CombinedScheduler, ConcatScheduler, optimizers_of
from dark.compat.schedules.lr_scheduler import LRScheduler
from dark.compat.schedules.param_group_scheduler import ParamGroupScheduler
from dark.compat.schedules.param_scheduler import ParamScheduler, PiecewiseLinear, copied
from dark.engine import Engine
from dark.errors import UsageError, ValueTypeError


def create_lr_scheduler_with_warmup(
    lr_scheduler: Any, warmup_start_value: float, warmup_duration: int, warmup_end_value: float | None = None,
    save_history: bool = False, output_simulated_values: list[Any] | None = None,
) -> ConcatScheduler:  # fmt: skip
    """Return a schedule, a handler or one of `dark.optim.lr_scheduler`, with a linear warm-up before it.

    If the warm-up ends with the first rates of the schedule, they are not set twice: that event is the last of the
    warm-up and the first of the schedule. Otherwise the schedule starts with its first rates after the warm-up.

    Only the groups that the schedule sets are warmed up. The optimizer keeps its rate until the first event: attach the
    schedule to ITERATION_STARTED. (In Ignite all groups are warmed up, and with several groups a schedule of PyTorch
    continues from `warmup_end_value` as if that were its own first rate.)

    The last rate of the warm-up is by default the current rate of each group; it lasts 2 events or more. The list
    `output_simulated_values` (``[None] * 100``) is filled with the result of `ConcatScheduler.simulate_values`.

    >>> import dark
    >>> optimizer = dark.optim.SGD([dark.Parameter(3)], lr=1.0)
    >>> halving, rates = dark.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.5), [None] * 5
    >>> scheduler = create_lr_scheduler_with_warmup(halving, 0.0, 3, output_simulated_values=rates)
    >>> rates
    [[0, 0.0], [1, 0.5], [2, 1.0], [3, 0.5], [4, 0.25]]
    """
    _check(warmup_duration, output_simulated_values)
    for name, value in (("warmup_start_value", warmup_start_value), ("warmup_end_value", warmup_end_value)):
        if name == "warmup_start_value" or value is not None:
            number(value, "create_lr_scheduler_with_warmup", name)
    is_handler = isinstance(lr_scheduler, (ParamScheduler, CombinedScheduler))
    scheduler = lr_scheduler if is_handler else LRScheduler(lr_scheduler)
    groups, names = scheduler.optimizer_param_groups, scheduler.param_name
    name = names if isinstance(names, str) else names[0]
    ends = [group[name] if warmup_end_value is None else warmup_end_value for group in groups]
    warmups = [
        PiecewiseLinear(
            optimizer, name, [(0, warmup_start_value), (warmup_duration - 1, ends[k])], param_group_index=index
        )
        for k, (optimizer, index) in enumerate(_group_indices(scheduler))
    ]
    first = copied(scheduler, optimizers_of([scheduler]))._act(Engine(lambda engine, batch: None))
    schedulers = [ParamGroupScheduler(warmups), scheduler]
    durations = [warmup_duration - (first == ends)]
    if output_simulated_values is not None:
        count = len(output_simulated_values)
        output_simulated_values[:] = ConcatScheduler.simulate_values(count, schedulers, durations)
    return ConcatScheduler(schedulers, durations, save_history)


def _group_indices(scheduler):
    """Return the optimizer and the index of each group of a schedule."""
    indices = {
        id(group): (optimizer, index)
        for optimizer in optimizers_of([scheduler])
        for index, group in enumerate(optimizer.param_groups)
    }
    return [indices[id(group)] for group in scheduler.optimizer_param_groups]


def _check(warmup_duration, output):
    if not is_integer(warmup_duration):
        raise ValueTypeError(
            f"Argument warmup_duration should be integer, but given {brief(warmup_duration)}.",
            "a number of events.",
            "warmup_duration=100",
        )
    if warmup_duration < 2:
        raise UsageError(
            f"Argument warmup_duration should be at least 2 events, but given {warmup_duration}.",
            "an event for the first rate, and one for the last.",
            "warmup_duration=2",
        )
    if not (output is None or isinstance(output, list)):
        raise ValueTypeError(
            f"Argument output_simulated_values should be a list of None, but given {type(output).__name__}.",
            "a list to fill.",
            "[None] * 100",
        )
