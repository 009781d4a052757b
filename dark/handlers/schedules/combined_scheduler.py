"""What schedules made of schedules share: saving and loading all of them, and copies that touch no optimiser."""

from abc import abstractmethod
from collections.abc import Sequence

from dark.errors import UsageError, ValueTypeError
from dark.handlers.checkpoints.loading import load_all
from dark.handlers.schedules.base_param_scheduler import BaseParamScheduler
from dark.handlers.schedules.dummy_optimizer import copied


class CombinedScheduler(BaseParamScheduler):
    """The base class of what is made of schedules.

    Parameters
    ----------
    schedulers : list of schedules
    param_name : str or list of str
    save_history : bool
        Keep the values. The schedules themselves then need not, and what they were told is left alone.
    """

    _state_dict_all_req_keys: tuple[str, ...] = ("schedulers", "event_index", "save_history")

    def __init__(self, schedulers, param_name, save_history):
        super().__init__(param_name, save_history)
        self.schedulers = list(schedulers)

    @property
    @abstractmethod
    def optimizer_param_groups(self):
        """The groups that are scheduled."""

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
                "one for each schedule.",
                "make the schedules as they were when their state was saved.",
            )
        load_all(list(zip(self.schedulers, self._unpacked(saved))), {})

    def _packed(self):
        return [scheduler.state_dict() for scheduler in self.schedulers]

    def _unpacked(self, states):
        return states


def optimizers_of(schedulers):
    """List the optimisers of schedules, each once."""
    found = {}
    for scheduler in schedulers if isinstance(schedulers, Sequence) else ():
        inner = getattr(scheduler, "schedulers", None)
        known = optimizers_of(inner) if inner else [scheduler.optimizer] if hasattr(scheduler, "optimizer") else []
        found.update({id(optimizer): optimizer for optimizer in known})
    return list(found.values())


def check_list_of_str(name, texts):
    """Refuse what is no list of text.

    Raises
    ------
    ValueTypeError, UsageError
    """
    if not isinstance(texts, (list, tuple)):
        raise ValueTypeError(
            f"Argument {name} should be list or tuple, but given {type(texts).__name__}.", "a list.", f"{name}=[…]"
        )
    if not all(isinstance(text, str) for text in texts):
        raise UsageError(
            f"Argument {name} should be list or tuple of strings, but given {texts}.", "text.", f'{name}=["lr"]'
        )
