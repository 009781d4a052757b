"""Schedules of an optimizer's options, such as its learning rate, and of a dummy optimizer, for simulation."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from copy import deepcopy
from typing import Any

from dark.checks import is_integer
from dark.errors import UsageError, ValueTypeError, near_misses
from dark.handlers.schedules.base_param_scheduler import BaseParamScheduler
from dark.handlers.schedules.milestones import interpolate, split_pairs


class DummyOptimizer:
    """An optimizer with the options of given parameter groups, and no parameters."""

    def __init__(self, groups):
        self.param_groups = [
            {**deepcopy({key: value for key, value in group.items() if key != "params"}), "params": []}
            for group in groups
        ]

    def step(self):
        """Do nothing."""

    # PyTorch's schedules check that an optimizer step was taken before, and warn if not.
    step._wrapped_by_lr_sched = True  # type: ignore[attr-defined]
    _opt_called = True


def copied(schedulers, optimizers):
    """Return copies of a schedule, or of a list of schedules, with a dummy for each of their optimizers."""
    return deepcopy(schedulers, {id(optimizer): DummyOptimizer(optimizer.param_groups) for optimizer in optimizers})


class ParamScheduler(BaseParamScheduler):
    """The base class of schedules that set an option of an optimizer's groups each time an event is fired.

    A subclass defines `get_param`, which returns the value at `event_index`, the number of events so far, from 0: one
    for all groups, or a list with one per group. Attach it to ITERATION_STARTED, so that the first step uses the first
    value. Values are absolute: they do not depend on the previous value of the option, which is kept until the first
    event. For a resumed run to have the right value before the next event, load the state of the optimizer, too.

    Parameters
    ----------
    optimizer : Optimizer
        Or any object with `param_groups`, a list of dictionaries. A single group is refused: an optimizer that loads a
        state replaces its groups by new dictionaries.
    param_name : str
        The option: "lr", "momentum", "weight_decay". If no group has it, there is a warning.
    save_history : bool, default False
        Append the values of all groups, one list per event, to ``state.param_history[param_name]``.
    param_group_index : int, optional
        The index of the group to schedule; all groups if not given.

    Examples
    --------
    >>> import dark
    >>> class Harmonic(ParamScheduler):
    ...     def get_param(self) -> float:
    ...         return 1 / (1 + self.event_index)
    >>> optimizer = dark.optim.SGD([dark.Parameter(3)], lr=1.0)
    >>> trainer = dark.engine.Engine(lambda engine, batch: optimizer.param_groups[0]["lr"])
    >>> Harmonic(optimizer, "lr", save_history=True).attach(trainer)
    >>> trainer.run([0, 0, 0, 0]).param_history
    {'lr': [[1.0], [0.5], [0.3333333333333333], [0.25]]}
    """

    _state_dict_all_req_keys: tuple[str, ...] = (*BaseParamScheduler._state_dict_all_req_keys, "param_group_index")

    def __init__(
        self, optimizer: Any, param_name: str, save_history: bool = False, param_group_index: int | None = None
    ) -> None:
        super().__init__(param_name, save_history)
        _check(optimizer, param_group_index)
        self.optimizer, self.param_group_index = optimizer, param_group_index
        _warn_of_new(param_name, self.optimizer_param_groups)

    @property
    def optimizer_param_groups(self) -> list[dict[str, Any]]:
        """The scheduled groups."""
        groups = self.optimizer.param_groups
        return groups if self.param_group_index is None else [groups[self.param_group_index]]

    def _act(self, engine):
        values = self._set(self._next_values())
        self._count()
        return values

    def _next_values(self):
        """Return the values of this event, which may change the schedule."""
        return self.get_param()

    def _count(self):
        self.event_index += 1

    def _set(self, value):
        """Set the value of each group."""
        groups = self.optimizer_param_groups
        values = value if isinstance(value, list) else [value] * len(groups)
        if len(values) != len(groups):
            raise UsageError(
                f"{type(self).__name__}: size of value is different than optimizer_param_groups "
                f"{len(values)} != {len(groups)}.",
                "one value, or a list with one value per group.",
                "a tuple, if all groups share several numbers, such as betas.",
            )
        for group, one in zip(groups, values):
            group[self.param_name] = one
        return list(values)

    @classmethod
    def _to_simulate(cls, *scheduler_args, **scheduler_kwargs):
        """Return the schedule with a dummy optimizer: with the groups of the given optimizer, or a single group."""
        if scheduler_args:  # as of the class: the optimizer is the first
            optimizer, *others = scheduler_args
            return cls(DummyOptimizer(optimizer.param_groups), *others, **scheduler_kwargs)
        settings = dict(scheduler_kwargs)
        if "optimizer" in settings:
            groups = settings.pop("optimizer").param_groups
        else:
            settings.pop("param_group_index", None)
            groups = [{"lr": 0.0, settings.get("param_name", "lr"): 0.0}]
        return cls(optimizer=DummyOptimizer(groups), **settings)


class PiecewiseLinear(ParamScheduler):
    """Set the value by piecewise linear interpolation between milestones; it is constant outside.

    `milestones_values` are event indices, counted from 0 and in order, and their values; see `ParamScheduler`.
    """

    _state_dict_all_req_keys = (*ParamScheduler._state_dict_all_req_keys, "milestones", "values")

    def __init__(
        self, optimizer: Any, param_name: str, milestones_values: list[tuple[int, float]], save_history: bool = False,
        param_group_index: int | None = None,
    ) -> None:  # fmt: skip
        super().__init__(optimizer, param_name, save_history, param_group_index)
        self.milestones, self.values = split_pairs(milestones_values)

    def get_param(self) -> float:
        """Return the value at `event_index`."""
        return interpolate(self.milestones, self.values, self.event_index)


def _check(optimizer, param_group_index):
    groups = getattr(optimizer, "param_groups", None)
    if not isinstance(groups, Sequence):
        raise ValueTypeError(
            f"Argument optimizer should have param_groups as a list or tuple, but given {type(optimizer).__name__}.",
            "an optimizer, or an object with param_groups.",
            "for a single group: the optimizer, and param_group_index=0.",
        )
    if param_group_index is not None and not (
        is_integer(param_group_index) and -len(groups) <= param_group_index < len(groups)
    ):
        raise UsageError(
            f"Argument param_group_index should be an index of {len(groups)} groups, got {param_group_index!r}.",
            f"an integer below {len(groups)}.",
            "omit it to schedule all groups.",
        )


def _warn_of_new(name, groups):
    known = sorted({key for group in groups for key in group if key != "params"})
    if name not in known:
        advice = f" Did you mean {near_misses(name, known)}?" if known else ""
        warnings.warn(
            f"No group has the option '{name}', which the schedule will create.{advice}", UserWarning, stacklevel=4
        )
