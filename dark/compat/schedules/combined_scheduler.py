"""The base of schedules made of schedules: their state dicts, and copies that change no optimizer."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

from dark.compat.schedules.param_scheduler import copied
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
