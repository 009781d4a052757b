"""Several schedules in parallel."""

from collections.abc import Sequence
from typing import Any

from dark.compat.schedules.concat_scheduler import CombinedScheduler, ConcatScheduler, check_strings
from dark.compat.schedules.param_scheduler import ParamScheduler
from dark.errors import UsageError, ValueTypeError


class ParamGroupScheduler(CombinedScheduler):
    """Several schedules in parallel, of several groups, options or optimizers.

    No two of them may set the same option of the same group. (In Ignite the last one wins.) Histories have the
    given names, by default the options; a history gets one list of values per event and name. (In Ignite, schedules of
    the same name append to one history in turn.)
    """

    _members = "param group schedulers"

    def __init__(self, schedulers: Any, names: list[str] | None = None, save_history: bool = False) -> None:
        _check_schedules(schedulers)
        names = [scheduler.param_name for scheduler in schedulers] if names is None else names
        check_strings("names", names)
        if len(names) != len(schedulers):
            raise UsageError(
                f"ParamGroupScheduler: the numbers of schedulers and names, {len(schedulers)} should be equal "
                f"{len(names)}.",
                "one name per schedule.",
                "omit names.",
            )
        super().__init__(schedulers, [scheduler.param_name for scheduler in schedulers], save_history)
        self.names, self.optimizer = list(names), [scheduler.optimizer for scheduler in schedulers]

    @property
    def optimizer_param_groups(self) -> list[dict[str, Any]]:
        """The groups of each schedule."""
        return [group for scheduler in self.schedulers for group in scheduler.optimizer_param_groups]

    def get_param(self) -> list[Any]:
        """Return the values of the schedules."""
        return [scheduler.get_param() for scheduler in self.schedulers]

    def _act(self, engine):
        values = [value for scheduler in self.schedulers for value in scheduler._act(engine)]
        self.event_index += 1
        return values

    def _entries(self, values):
        entries: dict[str, list[Any]] = {}
        rest = iter(values)
        for name, scheduler in zip(self.names, self.schedulers):
            entries.setdefault(name, []).extend(next(rest) for _ in scheduler.optimizer_param_groups)
        return entries

    def _packed(self):
        return list(zip(self.names, super()._packed()))

    def _unpacked(self, states):
        names = [name for name, _ in states]
        if names != self.names:
            raise UsageError(
                "ParamGroupScheduler: Name of scheduler from input state dict does not correspond to required one, "
                f"{names} vs {self.names}.",
                "the names with which the state was saved.",
                f"ParamGroupScheduler(schedulers, names={names})",
            )
        return [state for _, state in states]


def _check_schedules(schedulers):
    expected = "a list of schedules, for example one per group."
    if not isinstance(schedulers, Sequence):
        raise ValueTypeError(
            f"Argument schedulers should be a list/tuple, but given {schedulers!r}.", expected, "[first, second]"
        )
    if not schedulers or not all(isinstance(one, (ParamScheduler, ConcatScheduler)) for one in schedulers):
        raise UsageError(
            f"Argument schedulers should be a list/tuple of parameter schedulers, but given {schedulers}.",
            expected,
            "LRScheduler(…), around a schedule of dark.optim.lr_scheduler.",
        )
    taken = set()
    for scheduler in schedulers:
        for group in scheduler.optimizer_param_groups:
            if (id(group), scheduler.param_name) in taken:
                raise UsageError(
                    f"ParamGroupScheduler: only one schedule may set '{scheduler.param_name}' of a group, got two.",
                    "one schedule per group and option.",
                    "param_group_index=0 for the first, 1 for the second, and so on.",
                )
            taken.add((id(group), scheduler.param_name))
