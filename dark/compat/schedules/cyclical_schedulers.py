"""Cyclical schedules: linear and cosine annealing."""

import math
from abc import abstractmethod
from typing import Any

from dark.checks import brief, is_integer, number
from dark.compat.schedules.param_scheduler import ParamScheduler
from dark.errors import UsageError


class CyclicalScheduler(ParamScheduler):
    """The base class of schedules that repeat in cycles, whose length and bounds can change from cycle to cycle.

    A subclass defines `value_at`, which returns the value at a fraction of a cycle. `get_param` returns what the next
    event sets, also at the end of a cycle and in the warm-up; in Ignite a subclass defines `get_param` itself, which
    covers neither. `event_index` counts the events in this `cycle` and the warm-up after it. See `ParamScheduler`, too.

    Parameters
    ----------
    start_value, end_value : float
        The bounds of the value.
    cycle_size : int
        The number of events per cycle, 2 or more; on ITERATION_STARTED usually the number of batches per epoch.
    cycle_mult, start_value_mult, end_value_mult : float, default 1.0
        Factors by which these are multiplied after each cycle; the size is truncated to an integer of at least 1.
    warmup_duration : int, default 0
        The number of events between two cycles, linear from `end_value` to the next `start_value`.
    """

    _state_dict_all_req_keys: tuple[str, ...] = (
        *ParamScheduler._state_dict_all_req_keys, "start_value", "end_value", "cycle_size", "cycle_mult", "cycle",
        "start_value_mult", "end_value_mult", "warmup_duration",
    )  # fmt: skip

    def __init__(
        self, optimizer: Any, param_name: str, start_value: float, end_value: float, cycle_size: int,
        cycle_mult: float = 1.0, start_value_mult: float = 1.0, end_value_mult: float = 1.0, warmup_duration: int = 0,
        save_history: bool = False, param_group_index: int | None = None,
    ) -> None:  # fmt: skip
        super().__init__(optimizer, param_name, save_history, param_group_index)
        _check("cycle_size should be positive and larger than 1", cycle_size, 2)
        _check("warmup_duration should not be negative", warmup_duration, 0)
        values = {"start_value": start_value, "end_value": end_value, "cycle_mult": cycle_mult}
        values |= {"start_value_mult": start_value_mult, "end_value_mult": end_value_mult}
        for name, value in values.items():
            number(value, type(self).__name__, name)
        self.start_value, self.end_value = start_value, end_value
        self.cycle_size, self.warmup_duration, self.cycle = cycle_size, warmup_duration, 0
        self.cycle_mult, self.start_value_mult, self.end_value_mult = cycle_mult, start_value_mult, end_value_mult

    @property
    def total_cycle_size(self) -> int:
        """The number of events in a cycle and the warm-up after it."""
        return self.cycle_size + self.warmup_duration

    @abstractmethod
    def value_at(self, progress: float) -> float:
        """Return the value at a fraction of the cycle, from 0 to 1."""

    def get_param(self) -> float:
        """Return the value at `event_index`."""
        late = self.event_index - self.cycle_size
        if late > 0:
            return self.end_value + (self.start_value - self.end_value) * (late / self.warmup_duration)
        return self.value_at(self.event_index / self.cycle_size)

    def _count(self):
        super()._count()
        if self.event_index == self.cycle_size:
            self.start_value *= self.start_value_mult  # the end of the warm-up
        if self.event_index == self.total_cycle_size:
            self.event_index, self.cycle = 0, self.cycle + 1
            self.end_value *= self.end_value_mult
            self.cycle_size = max(1, int(self.cycle_size * self.cycle_mult))
            self.warmup_duration = int(self.warmup_duration * self.cycle_mult)


class LinearCyclicalScheduler(CyclicalScheduler):
    """Change the value linearly to `end_value` and, in the second half of the cycle, back; see `CyclicalScheduler`.

    With `monotonic`, it changes from `start_value` to `end_value` during the whole cycle; a warm-up requires that.

    >>> import dark
    >>> optimizer = dark.optim.SGD([dark.Parameter(3)], lr=1.0)
    >>> trainer = dark.engine.Engine(lambda engine, batch: print(optimizer.param_groups[0]["lr"], end=" "))
    >>> LinearCyclicalScheduler(optimizer, "lr", start_value=0.0, end_value=1.0, cycle_size=4).attach(trainer)
    >>> state = trainer.run(range(6))
    0.0 0.5 1.0 0.5 0.0 0.5
    """

    _state_dict_all_req_keys = (*CyclicalScheduler._state_dict_all_req_keys, "monotonic")

    def __init__(self, *args: Any, monotonic: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.warmup_duration > 0 and not monotonic:
            raise UsageError(
                f"Invalid combination: warmup_duration={self.warmup_duration} and monotonic=False.",
                "a monotonic cycle for a warm-up, which starts from end_value.",
                "warmup_duration=0, or monotonic=True.",
            )
        self.monotonic = monotonic

    def value_at(self, progress: float) -> float:
        """Return the value at a fraction of the cycle."""
        if self.monotonic:
            return self.start_value + (self.end_value - self.start_value) * progress
        return self.end_value + (self.start_value - self.end_value) * abs(progress - 0.5) * 2


class CosineAnnealingScheduler(CyclicalScheduler):
    """Anneal the value from `start_value` to `end_value` along half a cosine, then restart; see `CyclicalScheduler`.

    ``start + (end - start) (1 - cos(π progress)) / 2``.

    References
    ----------
    I. Loshchilov, F. Hutter, "SGDR: stochastic gradient descent with warm restarts", ICLR 2017.
    """

    def value_at(self, progress: float) -> float:
        """Return the value at a fraction of the cycle."""
        return self.start_value + ((self.end_value - self.start_value) / 2) * (1 - math.cos(math.pi * progress))


def _check(rule, value, least):
    if not is_integer(value, least):
        raise UsageError(f"Argument {rule}, but given {brief(value)}.", f"an integer, {least} or more.", "len(loader)")
