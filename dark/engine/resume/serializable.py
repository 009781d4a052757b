"""State dicts: the interface of objects that can be saved and loaded, and the check of the keys of a state."""

from collections.abc import Mapping
from typing import Any

from dark.errors import UsageError, ValueTypeError


class Serializable:
    """A base class for objects with `state_dict` and `load_state_dict`, which checks the keys of a state.

    Examples
    --------
    >>> class Counter(Serializable):
    ...     _state_dict_all_req_keys = ("count",)
    >>> Counter().load_state_dict({})
    Traceback (most recent call last):
        ...
    dark.errors.UsageError: Counter: Required state attribute 'count' is absent in provided state_dict with [].
      Expected: the keys ['count'].
      Try: pass what state_dict() returned.
    """

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
            "pass what state_dict() returned.",
        )
    for key in required:
        if key not in state_dict:
            raise UsageError(
                f"{name}: Required state attribute '{key}' is absent in provided state_dict with {list(state_dict)}.",
                f"the keys {list(required)}.",
                "pass what state_dict() returned.",
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
            "pass what state_dict() returned.",
        )
