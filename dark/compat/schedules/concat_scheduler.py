"""Concatenation of schedules in time, and the base of schedules made of schedules."""

from __future__ import annotations

from abc import abstractmethod
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from dark.checks import integer, is_integer
from dark.compat.schedules.param_scheduler import ParamScheduler, copied
from dark.engine import Engine
from dark.errors import UsageError, ValueTypeError
from dark.handlers.checkpoints.loading import load_all
from dark.handlers.schedules.base_param_scheduler import BaseParamScheduler


class CombinedScheduler(BaseParamScheduler):
    """The base class of schedules that combine schedules, whose own `save_history` is not changed, and not needed."""

    _state_dict_all_req_keys: tuple[str, ...] = ("schedulers", "event_index", "save_history")

    def __init__(self, schedulers: Any, param_name: Any, save_history: bool) -> None:
        super().__init__(param_name, save_history)
        self.schedulers = list(schedulers)

    @property
    @abstractmethod
    def optimizer_param_groups(self) -> list[dict[str, Any]]:
        """The scheduled groups."""

    @classmethod
    def _to_simulate(cls, schedulers, *scheduler_args, **scheduler_kwargs):
        return cls(copied(schedulers, optimizers_of(schedulers)), *scheduler_args, **scheduler_kwargs)

    _members = "schedulers"

    def _saved(self, key):
        return self._packed() if key == "schedulers" else super()._saved(key)

    def _load(self, key, saved):
        if key != "schedulers":
            return super()._load(key, saved)
        if len(saved) != len(self.schedulers):
            raise UsageError(
                f"{type(self).__name__}: Input state_dict contains {len(saved)} state_dicts of {self._members}, "
                f"but {len(self.schedulers)} needed.",
                "one per schedule.",
                "create the same schedules as when the state was saved.",
            )
        load_all(list(zip(self.schedulers, self._unpacked(saved))), {})

    def _packed(self):
        return [scheduler.state_dict() for scheduler in self.schedulers]

    def _unpacked(self, states):
        return states


def optimizers_of(schedulers):
    """Return the optimizers of schedules, each once."""
    found = {}
    for scheduler in schedulers if isinstance(schedulers, Sequence) else ():
        inner = getattr(scheduler, "schedulers", None)
        own = optimizers_of(inner) if inner else [scheduler.optimizer] if hasattr(scheduler, "optimizer") else []
        found.update({id(optimizer): optimizer for optimizer in own})
    return list(found.values())


def check_strings(name, strings):
    """Check that an argument is a list of strings."""
    if not isinstance(strings, (list, tuple)):
        raise ValueTypeError(
            f"Argument {name} should be list or tuple, but given {type(strings).__name__}.", "a list.", f"{name}=[…]"
        )
    if not all(isinstance(string, str) for string in strings):
        raise UsageError(
            f"Argument {name} should be list or tuple of strings, but given {strings}.", "strings.", f'{name}=["lr"]'
        )


class ConcatScheduler(CombinedScheduler):
    """A sequence of schedules of the same option of the same optimizer, the last one without an end.

    `durations` are the numbers of events of the others. Each starts with its own first value. `event_index` counts the
    events over all schedules (in Ignite it stays 0), and `get_param` returns what the next event sets, also where the
    schedule changes; in Ignite it returns a value of the previous schedule. The history gets one list of values per
    event, of all groups that any of the schedules sets.

    >>> import dark
    >>> from dark.handlers import CosineAnnealingScheduler, LinearCyclicalScheduler
    >>> optimizer = dark.optim.SGD([dark.Parameter(3)], lr=0.5)
    >>> up = LinearCyclicalScheduler(optimizer, "lr", start_value=0.0, end_value=1.0, cycle_size=4)
    >>> down = CosineAnnealingScheduler(optimizer, "lr", start_value=1.0, end_value=0.0, cycle_size=3)
    >>> rows = ConcatScheduler.simulate_values(5, [up, down], durations=[2])
    >>> [round(value, 6) for _, value in rows], optimizer.param_groups[0]["lr"]
    ([0.0, 0.5, 1.0, 0.75, 0.25], 0.5)
    """

    _state_dict_all_req_keys = (*CombinedScheduler._state_dict_all_req_keys, "durations")
    _members = "concatenated schedulers"

    def __init__(self, schedulers: Any, durations: list[int], save_history: bool = False) -> None:
        _check_schedules(schedulers)
        _check_durations(durations, len(schedulers))
        optimizers, names = optimizers_of(schedulers), _names(schedulers)
        _check_single("optimizer", [type(optimizer).__name__ for optimizer in optimizers])
        _check_single("param_name", names)
        super().__init__(schedulers, names[0], save_history)
        self.optimizer, self.durations = optimizers[0], [int(duration) for duration in durations]

    @property
    def _current(self):
        return self.schedulers[bisect_right(list(accumulate(self.durations)), self.event_index)]

    @property
    def optimizer_param_groups(self) -> list[dict[str, Any]]:
        """The groups that any of the schedules sets."""
        scheduled = {id(group) for scheduler in self.schedulers for group in scheduler.optimizer_param_groups}
        return [group for group in self.optimizer.param_groups if id(group) in scheduled]

    def get_param(self) -> Any:
        """Return the value of the current schedule."""
        return self._current.get_param()

    def _act(self, engine):
        self._current._act(engine)
        self.event_index += 1
        return [group.get(self.param_name) for group in self.optimizer_param_groups]

    @classmethod
    def simulate_values(  # type: ignore[override]
        cls, num_events: int, schedulers: Any, durations: list[int], param_names: list[str] | None = None
    ) -> list[list[Any]]:
        """Return the values of the next events, without changing the schedules and their optimizer.

        The schedules continue from their current state. A row is the index of the event, and for each option
        (`param_names`, or the scheduled one) the values of all scheduled groups.
        """
        if param_names is not None:
            check_strings("param_names", param_names)
        num_events = integer(num_events, cls.__name__, "num_events", 0)
        scheduler, engine, rows = cls._to_simulate(schedulers, durations), Engine(lambda engine, batch: None), []
        for index in range(num_events):
            scheduler._act(engine)
            names, groups = param_names or [scheduler.param_name], scheduler.optimizer_param_groups
            rows.append([index, *(group.get(name) for name in names for group in groups)])
        return rows


def _names(schedulers):
    """Return the options that schedules set, each once."""
    names = [scheduler.param_name for scheduler in schedulers]
    return list(dict.fromkeys(name for one in names for name in ([one] if isinstance(one, str) else one)))


def _check_schedules(schedulers):
    expected = "two or more schedules of the same option of the same optimizer."
    if not isinstance(schedulers, Sequence):
        raise ValueTypeError(
            f"Argument schedulers should be a sequence, but given {schedulers!r}.", expected, "[first, second]"
        )
    if len(schedulers) < 2:
        raise UsageError(
            f"Argument schedulers should be of more than one parameter schedulers, but given {schedulers}.",
            expected,
            "attach a single schedule directly.",
        )
    for index, scheduler in enumerate(schedulers):
        if not isinstance(scheduler, (ParamScheduler, CombinedScheduler)):
            raise ValueTypeError(
                f"Value at index {index} of schedulers should be a parameter scheduler, but given "
                f"{type(scheduler).__name__}.",
                expected,
                "LRScheduler(…), around a schedule of dark.optim.lr_scheduler.",
            )


def _check_durations(durations, count):
    expected = f"{count - 1} numbers of events, one for each schedule except the last."
    if not isinstance(durations, (list, tuple)):
        raise ValueTypeError(
            f"Argument durations should be list/tuple, but given {durations!r}.", expected, "durations=[10]"
        )
    if not all(is_integer(duration, 0) for duration in durations):
        raise UsageError(
            f"Argument durations should be list/tuple of integers, 0 or more, but given {durations}.",
            expected,
            "int(duration)",
        )
    if len(durations) != count - 1:
        raise UsageError(
            f"Incorrect number schedulers or duration values, given {count} and {len(durations)}.",
            expected,
            "omit the last one: its schedule has no end.",
        )


def _check_single(what, found):
    if len(found) != 1:
        raise UsageError(
            f"ConcatScheduler: schedulers should be related to same {what}, but given {', '.join(found)}.",
            f"one {what}.",
            "ParamGroupScheduler, for schedules in parallel.",
        )
