"""Objects and the states that belong to them: taken, matched, and put back all together or not at all."""

from collections.abc import Mapping
from copy import deepcopy

from dark.errors import UsageError, ValueTypeError, near_misses

SELF = "checkpointer"  # the key of a checkpoint's own state


def leaves(objects, method, path=()):
    """Go through the objects in nested mappings and lists, with the way to each.

    Parameters
    ----------
    objects : mapping, list, tuple or object
    method : str
        What each object must have: "state_dict" or "load_state_dict".

    Raises
    ------
    ValueTypeError
        If one has it not.
    """
    if callable(getattr(objects, method, None)):
        yield path, objects
    elif isinstance(objects, Mapping):
        for key, value in objects.items():
            yield from leaves(value, method, (*path, key))
    elif isinstance(objects, (list, tuple)):
        for index, value in enumerate(objects):
            yield from leaves(value, method, (*path, index))
    else:
        raise ValueTypeError(
            f"Object {type(objects)} should have `{method}` method; it stands at {_written(path)}.",
            "modules, optimisers, engines, handlers: what can be saved and loaded.",
            "plain numbers as engine.state_dict_user_keys.",
        )


def states_of(objects):
    """Take the state of each object, in mappings and lists as the objects stand."""
    if callable(getattr(objects, "state_dict", None)):
        return objects.state_dict()
    if isinstance(objects, Mapping):
        return {key: states_of(value) for key, value in objects.items()}
    return [states_of(value) for value in objects]


def under_keys(to_load, states):
    """Put the state of the one object that was saved alone, without its key, under the key.

    Examples
    --------
    >>> under_keys({"model": None}, {"weight": 1.0})
    {'model': {'weight': 1.0}}
    >>> under_keys({"model": None}, {"model": {"weight": 1.0}})
    {'model': {'weight': 1.0}}
    """
    keys = [key for key in to_load if key != SELF]
    if len(keys) != 1 or not isinstance(states, Mapping) or keys[0] in states:
        return states
    mine = states.get(SELF)
    if not isinstance(mine, Mapping) or "_saved" not in mine:
        return {keys[0]: states}
    return {keys[0]: {key: value for key, value in states.items() if key != SELF}, SELF: mine}


def pairs(to_load, states, path=()):
    """List each object with its state; extra states are passed over.

    Raises
    ------
    UsageError
        If a key is missing, or a list has another length.
    """
    if callable(getattr(to_load, "load_state_dict", None)):
        return [(to_load, states)]
    if isinstance(to_load, Mapping):
        if not isinstance(states, Mapping):
            raise _other_kind(path, "a mapping", states)
        found = []
        for key, value in to_load.items():
            if key not in states:
                raise _missing(key, path, states)
            found += pairs(value, states[key], (*path, key))
        return found
    if not isinstance(states, (list, tuple)):
        raise _other_kind(path, f"a list of {len(to_load)}", states)
    if len(to_load) != len(states):
        raise UsageError(
            f"Size of y: {len(states)} does not match the size of x: {len(to_load)}, where x is what to load and y is "
            f"{_written(path)} in the checkpoint.",
            "as many objects as were saved.",
            f"{len(states)} objects.",
        )
    return [pair for index, value in enumerate(to_load) for pair in pairs(value, states[index], (*path, index))]


def load_all(matched, module_settings):
    """Load each state into its object; if one refuses, those before it get their old states back.

    Parameters
    ----------
    matched : list of (object, state)
    module_settings : dict
        Keywords such as `strict` for what has parameters; other objects do not get them.
    """
    before = []
    try:
        for index, (target, state) in enumerate(matched):
            is_last = index == len(matched) - 1  # after it, nothing can go wrong
            old = deepcopy(target.state_dict()) if not is_last and hasattr(target, "state_dict") else None
            target.load_state_dict(state, **(module_settings if hasattr(target, "named_parameters") else {}))
            if old is not None:
                before.append((target, old))
    except Exception:
        for target, old in reversed(before):
            target.load_state_dict(old)
        raise


def _missing(key, path, states):
    return UsageError(
        f"Key '{key}' from x is not found in y, where x is what to load and y is {_written(path)} in the checkpoint.",
        f"one of the keys {list(states)}.",
        near_misses(key, states) if states else "another checkpoint.",
    )


def _other_kind(path, wanted, states):
    return UsageError(
        f"load_objects: {_written(path)} in the checkpoint is a {type(states).__name__}.",
        f"{wanted}, as in what to load.",
        "mappings and lists as they were saved.",
    )


def _written(path):
    return "".join(f"[{key!r}]" for key in path) or "the whole"
