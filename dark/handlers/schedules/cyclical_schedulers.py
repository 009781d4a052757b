"""Rules that repeat: a line there and back, and half a wave of the cosine."""

import math
from abc import abstractmethod

from dark.errors import UsageError
from dark.handlers.schedules.param_scheduler import ParamScheduler


class CyclicalScheduler(ParamScheduler):
    """The base class of rules that repeat themselves in cycles, each of them longer, higher or lower if you like.

    A subclass defines `value_at`, the value at a part of a cycle.

    Parameters
    ----------
    optimizer, param_name
        See `ParamScheduler`.
    start_value, end_value : float
        Between which the value moves.
    cycle_size : int
        Events in a cycle, 2 or more. On ITERATION_STARTED, that is most often the number of batches in an epoch.
    cycle_mult, start_value_mult, end_value_mult : float, default 1.0
        What these are multiplied by after each cycle; the size is cut to a whole number, and is never less than 1.
    warmup_duration : int, default 0
        Events between two cycles, on a straight line from `end_value` to the next `start_value`.
    save_history, param_group_index
        See `ParamScheduler`.

    Attributes
    ----------
    event_index : int
        Events so far in this cycle and the warm-up after it.
    cycle : int
        Cycles that are over.

    Raises
    ------
    UsageError
        If `cycle_size` is below 2, or `warmup_duration` below 0.

    Notes
    -----
    `get_param` is what the next event sets, at the end of a cycle and in the warm-up, too. In Ignite a subclass
    defines `get_param` itself, which knows nothing of either.

    Examples
    --------
    >>> class Jump(CyclicalScheduler):
    ...     def value_at(self, progress):
    ...         return self.start_value if progress < 0.5 else self.end_value
    >>> rows = Jump.simulate_values(6, param_name="lr", start_value=1, end_value=2, cycle_size=2, end_value_mult=10)
    >>> [value for _, value in rows]
    [1, 2, 1.0, 20, 1.0, 200]
    """

    _state_dict_all_req_keys: tuple[str, ...] = (
        *ParamScheduler._state_dict_all_req_keys, "start_value", "end_value", "cycle_size", "cycle_mult", "cycle",
        "start_value_mult", "end_value_mult", "warmup_duration",
    )  # fmt: skip

    def __init__(
        self, optimizer, param_name, start_value, end_value, cycle_size, cycle_mult=1.0, start_value_mult=1.0,
        end_value_mult=1.0, warmup_duration=0, save_history=False, param_group_index=None,
    ):  # fmt: skip
        super().__init__(optimizer, param_name, save_history, param_group_index)
        _check("cycle_size should be positive and larger than 1", cycle_size, 2)
        _check("warmup_duration should not be negative", warmup_duration, 0)
        self.start_value, self.end_value = start_value, end_value
        self.cycle_size, self.warmup_duration, self.cycle = cycle_size, warmup_duration, 0
        self.cycle_mult, self.start_value_mult, self.end_value_mult = cycle_mult, start_value_mult, end_value_mult

    @property
    def total_cycle_size(self):
        """Events in a cycle and the warm-up after it."""
        return self.cycle_size + self.warmup_duration

    @abstractmethod
    def value_at(self, progress):
        """Return the value at a part of the cycle, a number from 0 to 1."""

    def get_param(self):
        """Return the value at `event_index`."""
        late = self.event_index - self.cycle_size
        if late > 0:
            return self.end_value + (self.start_value - self.end_value) * (late / self.warmup_duration)
        return self.value_at(self.event_index / self.cycle_size)

    def _count(self):
        super()._count()
        if self.event_index == self.cycle_size:
            self.start_value *= self.start_value_mult  # which the warm-up goes to
        if self.event_index == self.total_cycle_size:
            self.event_index, self.cycle = 0, self.cycle + 1
            self.end_value *= self.end_value_mult
            self.cycle_size = max(1, int(self.cycle_size * self.cycle_mult))
            self.warmup_duration = int(self.warmup_duration * self.cycle_mult)


class LinearCyclicalScheduler(CyclicalScheduler):
    """The value goes on a straight line to `end_value` and, in the second half of the cycle, back.

    Parameters
    ----------
    optimizer, param_name, start_value, end_value, cycle_size, cycle_mult, start_value_mult, end_value_mult
        See `CyclicalScheduler`.
    warmup_duration, save_history, param_group_index
        See `CyclicalScheduler`. A warm-up needs a cycle that ends at `end_value`, see `monotonic`.
    monotonic : bool, default False
        Go to `end_value` only, in the whole cycle.

    Raises
    ------
    UsageError
        If there is a warm-up without `monotonic`.

    Examples
    --------
    >>> import dark
    >>> optimizer = dark.optim.SGD([dark.Parameter(3)], lr=1.0)
    >>> trainer = dark.engine.Engine(lambda engine, batch: print(optimizer.param_groups[0]["lr"], end=" "))
    >>> LinearCyclicalScheduler(optimizer, "lr", start_value=0.0, end_value=1.0, cycle_size=4).attach(trainer)
    >>> state = trainer.run(range(6))
    0.0 0.5 1.0 0.5 0.0 0.5
    """

    _state_dict_all_req_keys = (*CyclicalScheduler._state_dict_all_req_keys, "monotonic")

    def __init__(self, *args, monotonic=False, **kwargs):
        super().__init__(*args, **kwargs)
        if self.warmup_duration > 0 and not monotonic:
            raise UsageError(
                f"Invalid combination: warmup_duration={self.warmup_duration} and monotonic=False.",
                "a warm-up goes on from end_value, where only a monotonic cycle ends.",
                "warmup_duration=0, or monotonic=True.",
            )
        self.monotonic = monotonic

    def value_at(self, progress):
        """Return the value at a part of the cycle."""
        if self.monotonic:
            return self.start_value + (self.end_value - self.start_value) * progress
        return self.end_value + (self.start_value - self.end_value) * abs(progress - 0.5) * 2


class CosineAnnealingScheduler(CyclicalScheduler):
    """The value goes to `end_value` along half a wave of the cosine, then starts anew.

    Parameters
    ----------
    optimizer, param_name, start_value, end_value, cycle_size, cycle_mult, start_value_mult, end_value_mult
        See `CyclicalScheduler`.
    warmup_duration, save_history, param_group_index
        See `CyclicalScheduler`.

    Notes
    -----
    ``start + (end - start) (1 - cos(π progress)) / 2``.

    References
    ----------
    I. Loshchilov, F. Hutter, "SGDR: stochastic gradient descent with warm restarts", ICLR 2017.

    Examples
    --------
    >>> rows = CosineAnnealingScheduler.simulate_values(
    ...     5, param_name="lr", start_value=1.0, end_value=0.0, cycle_size=3
    ... )
    >>> [round(value, 6) for _, value in rows]
    [1.0, 0.75, 0.25, 1.0, 0.75]
    """

    def value_at(self, progress):
        """Return the value at a part of the cycle."""
        return self.start_value + ((self.end_value - self.start_value) / 2) * (1 - math.cos(math.pi * progress))


def _check(rule, value, least):
    if value < least:
        raise UsageError(f"Argument {rule}, but given {value}.", f"{least} or more.", "count events.")
