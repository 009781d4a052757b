"""What has a state that can be saved and loaded, and what can be reset: the two forms that checkpoints know."""

from abc import ABC, abstractmethod
from collections.abc import Mapping

from dark.errors import UsageError, ValueTypeError


class Serializable:
    """The base class of what `state_dict` and `load_state_dict` save and load.

    Attributes
    ----------
    _state_dict_all_req_keys : tuple of str
        Keys that every state has.
    _state_dict_one_of_opt_keys : tuple of tuples of str
        Groups; a state has exactly one key of each.

    Examples
    --------
    >>> class Counter(Serializable):
    ...     _state_dict_all_req_keys = ("count",)
    ...
    ...     def state_dict(self):
    ...         return {"count": 3}
    >>> Counter().load_state_dict({})
    Traceback (most recent call last):
        ...
    dark.errors.UsageError: Counter: Required state attribute 'count' is absent in provided state_dict with [].
      Expected: the keys ['count'].
      Try: give what state_dict() returned.
    """

    _state_dict_all_req_keys: tuple[str, ...] = ()
    _state_dict_one_of_opt_keys: tuple[tuple[str, ...], ...] = ()

    def state_dict(self):
        """Return the state as a dict."""
        raise NotImplementedError

    def load_state_dict(self, state_dict):
        """Check that a state has the keys it needs; subclasses go on from there.

        Raises
        ------
        ValueTypeError, UsageError
            See `check_keys`.
        """
        check_keys(self, state_dict)


def check_keys(owner, state_dict):
    """Check that a state has the keys that its owner's class asks for, see `Serializable`.

    Raises
    ------
    ValueTypeError
        If it is no mapping.
    UsageError
        If a key is missing, or there is more than one of a group.
    """
    name, required = type(owner).__name__, owner._state_dict_all_req_keys
    if not isinstance(state_dict, Mapping):
        raise ValueTypeError(
            f"{name}: Argument state_dict should be a dictionary, but given {type(state_dict).__name__}.",
            "a mapping from names to values.",
            "give what state_dict() returned.",
        )
    for key in required:
        if key not in state_dict:
            raise UsageError(
                f"{name}: Required state attribute '{key}' is absent in provided state_dict with {list(state_dict)}.",
                f"the keys {list(required)}.",
                "give what state_dict() returned.",
            )
    for group in owner._state_dict_one_of_opt_keys:
        _check_group(name, group, state_dict)


def _check_group(name, group, state_dict):
    if not group:
        raise UsageError(
            f"Empty group found in '{name}._state_dict_one_of_opt_keys'.",
            "one key or more in each group.",
            "leave the group out.",
        )
    present = [key for key in group if key in state_dict]
    if len(present) != 1:
        raise UsageError(
            f"{name}: state_dict should contain exactly one of '{group}' keys; it has {present}.",
            f"one of {list(group)}.",
            "give what state_dict() returned.",
        )


class ResettableHandler(ABC):
    """A handler whose own state can be put back to its start, for example at the start of each run.

    Examples
    --------
    >>> class Counter(ResettableHandler):
    ...     def reset(self):
    ...         self.count = 0
    ...
    ...     def attach(self, engine):
    ...         engine.add_event_handler("STARTED", self.reset)
    >>> from dark.engine import Engine
    >>> engine, counter = Engine(lambda engine, batch: None), Counter()
    >>> counter.attach(engine)
    >>> state = engine.run([1])
    >>> counter.count
    0
    """

    @abstractmethod
    def reset(self):
        """Put the handler's own state back to its start."""

    @abstractmethod
    def attach(self, engine, *args, **kwargs):
        """Attach the handler to an engine."""
