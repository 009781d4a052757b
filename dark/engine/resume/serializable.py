"""The interfaces of objects that can be saved, loaded and reset, and the check of the keys of a state."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from dark.errors import UsageError, ValueTypeError

if TYPE_CHECKING:
    from dark.engine.engine import Engine


class Serializable:
    """A base class for objects with `state_dict` and `load_state_dict`, which checks the keys of a state."""

    _state_dict_all_req_keys: tuple[str, ...] = ()  # that every state must have
    _state_dict_one_of_opt_keys: tuple[tuple[str, ...], ...] = ()  # groups; a state must have exactly one key of each

    def state_dict(self) -> Mapping[str, Any]:
        """Return the state as a dict."""
        raise NotImplementedError

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Check the keys of a state; subclasses load it."""
        check_keys(self, state_dict)


def check_keys(owner: Any, state_dict: object) -> None:
    """Check that a state dict has the keys that its owner requires, in the attributes of `Serializable`."""
    name, required = type(owner).__name__, owner._state_dict_all_req_keys
    if not isinstance(state_dict, Mapping):
        raise ValueTypeError(
            f"{name}: Argument state_dict should be a dictionary, but given {type(state_dict).__name__}.",
            "a mapping from names to values.",
            "pass the result of state_dict().",
        )
    for key in required:
        if key not in state_dict:
            raise UsageError(
                f"{name}: Required state attribute '{key}' is absent in provided state_dict with {list(state_dict)}.",
                f"the keys {list(required)}.",
                "pass the result of state_dict().",
            )
    for group in getattr(owner, "_state_dict_one_of_opt_keys", ()):
        _check_group(name, group, state_dict)


def _check_group(name: str, group: tuple[str, ...], state_dict: Mapping[str, Any]) -> None:
    if not group:
        raise UsageError(
            f"Empty group found in '{name}._state_dict_one_of_opt_keys'.",
            "at least one key in each group.",
            "remove the group.",
        )
    present = [key for key in group if key in state_dict]
    if len(present) != 1:
        raise UsageError(
            f"{name}: state_dict should contain exactly one of '{group}' keys; it has {present}.",
            f"one of {list(group)}.",
            "pass the result of state_dict().",
        )


class ResettableHandler(ABC):
    """A handler whose state can be reset, for example at the start of each run; `EarlyStopping` is one."""

    @abstractmethod
    def reset(self) -> None:
        """Reset the state of the handler."""

    @abstractmethod
    def attach(self, engine: Engine, *args: Any, **kwargs: Any) -> None:
        """Attach the handler to an engine."""
