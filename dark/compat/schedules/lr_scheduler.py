"""Schedules of `dark.optim.lr_scheduler` as handlers."""

from copy import deepcopy
from typing import Any

from dark.compat.schedules.param_scheduler import ParamScheduler, copied
from dark.engine.events.signatures import fits, signature_of
from dark.errors import ValueTypeError


class LRScheduler(ParamScheduler):
    """A learning rate schedule that takes a step at each event except the first, with `use_legacy` also at the first.

    On ITERATION_STARTED, the n-th optimizer step uses the n-th learning rate, as if ``lr_scheduler.step()`` were called
    after each ``optimizer.step()``; `use_legacy` is for events after the optimizer step, such as ITERATION_COMPLETED.
    The schedule determines the rates, whatever was set in the groups in between. Ignite does not call `step`: it
    computes the rates of a later epoch from the current rates of the groups, and the step counter of the schedule does
    not change. Here `step` is called, and `get_param` calls it on a copy.

    Parameters
    ----------
    lr_scheduler : LRScheduler of dark.optim.lr_scheduler
        Or one of PyTorch: an object with `step` without arguments, `get_last_lr`, `state_dict`, `load_state_dict`, and
        an `optimizer`. `ReduceLROnPlateau` requires a metric: see `ReduceLROnPlateauScheduler`.

    Examples
    --------
    >>> import dark
    >>> optimizer = dark.optim.SGD([dark.Parameter(3)], lr=1.0)
    >>> halving = LRScheduler(dark.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.5))
    >>> trainer = dark.engine.Engine(lambda engine, batch: print(optimizer.param_groups[0]["lr"], end=" "))
    >>> halving.attach(trainer)
    >>> state = trainer.run(range(4))
    1.0 0.5 0.25 0.125
    """

    _state_dict_all_req_keys = ("lr_scheduler", *ParamScheduler._state_dict_all_req_keys)

    def __init__(self, lr_scheduler: Any, save_history: bool = False, use_legacy: bool = False) -> None:
        _check_schedule(lr_scheduler)
        super().__init__(lr_scheduler.optimizer, "lr", save_history)
        self.lr_scheduler = lr_scheduler
        self.event_index = int(use_legacy)

    def get_param(self) -> Any:
        """Return the learning rate that the next event sets: a list, if there are several groups."""
        schedule = copied(self, [self.optimizer]) if self.event_index else self
        return schedule._next_values()

    def _next_values(self):
        if self.event_index:  # the schedule is one event behind: at the last optimizer step
            self._set(list(self.lr_scheduler.get_last_lr()))
            self.lr_scheduler.step()
        rates = list(self.lr_scheduler.get_last_lr())
        return rates[0] if len(rates) == 1 else rates

    @classmethod
    def _to_simulate(cls, lr_scheduler, **scheduler_kwargs):
        _check_schedule(lr_scheduler)
        return cls(copied(lr_scheduler, [lr_scheduler.optimizer]), **scheduler_kwargs)

    def _saved(self, key):
        return deepcopy(self.lr_scheduler.state_dict()) if key == "lr_scheduler" else super()._saved(key)

    def _load(self, key, saved):
        if key != "lr_scheduler":
            return super()._load(key, saved)
        self.lr_scheduler.load_state_dict(deepcopy(saved))


def _check_schedule(schedule):
    needed = ("optimizer", "step", "get_last_lr", "state_dict", "load_state_dict")
    lacking = [name for name in needed if not hasattr(schedule, name)]
    if lacking:
        raise ValueTypeError(
            f"Argument lr_scheduler should be a learning rate schedule, but given {type(schedule).__name__}, "
            f"which has no {', '.join(lacking)}.",
            "one of dark.optim.lr_scheduler.",
            "LRScheduler(dark.optim.lr_scheduler.StepLR(optimizer, 10))",
        )
    if not fits(signature_of(schedule.step, "step"), (), {}):
        raise ValueTypeError(
            f"Argument lr_scheduler should have step() without arguments; {type(schedule).__name__}.step needs one.",
            "a schedule that depends on the number of steps alone.",
            "ReduceLROnPlateauScheduler(optimizer, metric_name), which reads a metric.",
        )
