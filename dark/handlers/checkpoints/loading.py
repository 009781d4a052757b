"""Objects and their states: taken, matched, and loaded into all objects or none."""

from collections.abc import Mapping
from copy import deepcopy
from pathlib import Path

from dark.errors import UsageError, ValueTypeError, near_misses
from dark.generators import RANDOM_STATES, is_module

SELF = "checkpointer"  # the key of a checkpoint's own state


def leaves(objects, method, path=()):
    """Yield the path and the object, which must have a method, for each object in nested mappings and lists."""
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
            f"Object {type(objects)} should have `{method}` method; it is at {_written(path)}.",
            "modules, optimizers, engines, handlers: objects that can be saved and loaded.",
            "engine.state_dict_user_keys, for plain numbers.",
        )


def states_of(objects):
    """Return the state of each object, nested as the objects are."""
    if callable(getattr(objects, "state_dict", None)):
        return objects.state_dict()
    if isinstance(objects, Mapping):
        return {key: states_of(value) for key, value in objects.items()}
    return [states_of(value) for value in objects]


def under_keys(to_load, states):
    """Return states with keys: the state of an object that was saved alone, without its key, gets the key.

    >>> under_keys({"model": None}, {"weight": 1.0})
    {'model': {'weight': 1.0}}
    >>> under_keys({"model": None}, {"model": {"weight": 1.0}})
    {'model': {'weight': 1.0}}
    """
    keys = [key for key in to_load if key != SELF]
    if len(keys) != 1 or not isinstance(states, Mapping) or keys[0] in states:
        return states
    entries = {SELF: "_saved", RANDOM_STATES: "generators"}
    added = {key: states[key] for key, entry in entries.items() if _has(states, key, entry)}
    if RANDOM_STATES in added:
        added[RANDOM_STATES] = _renamed(added[RANDOM_STATES], keys[0])
    return {keys[0]: {key: value for key, value in states.items() if key not in added}, **added}


def _has(states, key, entry):
    """Return whether states have the entry that a checkpoint adds under a key: a mapping with this entry."""
    return isinstance(states.get(key), Mapping) and entry in states[key]


def _renamed(saved, key):
    """Return the generators of an object that was saved alone, under the key of the object to load."""
    generators = [{**one, "names": [[key, *name[1:]] for name in one["names"]]} for one in saved["generators"]]
    return {**saved, "generators": generators}


def pairs(to_load, states, path=()):
    """Return a list of (object, state); additional states are ignored."""
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
            "the number of objects that were saved.",
            f"{len(states)} objects.",
        )
    return [pair for index, value in enumerate(to_load) for pair in pairs(value, states[index], (*path, index))]


def load_all(matched, module_settings):
    """Load each state into its object; if an object refuses it, the objects before it get their old states back.

    `module_settings` are keyword arguments such as `strict` for modules; other objects do not get them.
    """
    before = []
    try:
        for index, (target, state) in enumerate(matched):
            is_last = index == len(matched) - 1  # after it, nothing can go wrong
            old = deepcopy(target.state_dict()) if not is_last and hasattr(target, "state_dict") else None
            target.load_state_dict(state, **(module_settings if is_module(target) else {}))
            if old is not None:
                before.append((target, old))
    except Exception:
        for target, old in reversed(before):
            target.load_state_dict(old)
        raise


def check_source(checkpoint):
    """Check that a checkpoint is a file or its content."""
    if not isinstance(checkpoint, (Mapping, str, Path)):
        raise ValueTypeError(
            f"Argument checkpoint should be a string or a dictionary, but given {type(checkpoint).__name__}.",
            "the path of a file, or its content.",
            "Checkpoint.load_objects(to_load, checkpoint.last_checkpoint)",
        )


def check_saver(save_handler, disk_saver):
    """Check that a save handler is a `DiskSaver`, whose files can be found by name."""
    if not isinstance(save_handler, disk_saver):
        error = AttributeError(f"Checkpoint's `save_handler` should be of type `DiskSaver`, given {type(save_handler)}")
        error.add_note("  Try: Checkpoint.load_objects(to_load, mapping)")
        raise error


def _missing(key, path, states):
    return UsageError(
        f"Key '{key}' from x is not found in y, where x is what to load and y is {_written(path)} in the checkpoint.",
        f"one of the keys {list(states)}.",
        near_misses(key, states) if states else "another checkpoint.",
    )


def _other_kind(path, wanted, states):
    return UsageError(
        f"load_objects: {_written(path)} in the checkpoint cannot be loaded from a {type(states).__name__}.",
        f"{wanted}, as in what to load.",
        "mappings and lists as they were saved.",
    )


def _written(path):
    return "".join(f"[{key!r}]" for key in path) or "the top level"
