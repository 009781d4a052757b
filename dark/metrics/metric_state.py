"""State dicts of metrics: plain data made of numbers, arrays, None, lists and dicts; and copies of metrics."""

from collections.abc import Mapping
from copy import copy, deepcopy

import numpy as np

from dark.engine.resume.serializable import check_keys
from dark.errors import UsageError, ValueTypeError

PER_PROCESS = "__metric_state_per_rank"  # Ignite's key of a list with one state per process


def is_metric(value):
    """Return whether a value is a metric."""
    return hasattr(type(value), "_packed_state")


def packed(value):
    """Copy a value into plain data; a metric becomes the dict of its state."""
    if is_metric(value):
        return value._packed_state()
    if value is None or isinstance(value, (int, float, np.number, np.bool_)):
        return value
    if isinstance(value, Mapping):
        return {key: packed(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [packed(item) for item in value]
    if hasattr(value, "__array__"):
        return deepcopy(value)
    raise ValueTypeError(
        "Found attribute of unsupported type. Currently, supported types include numeric types, arrays, Metric "
        f"or sequence/mapping of metrics; this is a {type(value).__name__}.",
        "numbers, arrays, None, metrics, and lists and dicts of them.",
        "remove other attributes from _state_dict_all_req_keys.",
    )


def packed_attributes(metric):
    """Copy the attributes named in `_state_dict_all_req_keys` into plain data."""
    names = metric._state_dict_all_req_keys
    for name in names:
        if name not in vars(metric):
            raise UsageError(
                f"{type(metric).__name__}: Found a value in _state_dict_all_req_keys that is not among metric "
                f"attributes: {name}.",
                "names of attributes.",
                "set it in reset().",
            )
    return {name: packed(getattr(metric, name)) for name in names}


def load_attributes(metric, state):
    """Set the attributes named in `_state_dict_all_req_keys` from packed data."""
    check_keys(metric, state)
    names = metric._state_dict_all_req_keys
    vars(metric).update({name: unpacked(getattr(metric, name), state[name]) for name in names})


def unpacked(present, saved):
    """Return the value of packed data; metrics in the present value load their states and are kept."""
    if is_metric(present):
        present._unpack_state(saved)
        return present
    if not _contains_metric(present):
        return _copied(saved)
    keys, items = _items(present), _items(saved) if isinstance(saved, (Mapping, list, tuple)) else None
    if items is None or isinstance(saved, Mapping) != isinstance(present, Mapping) or items.keys() != keys.keys():
        raise UsageError(
            f"Incorrect state_dict object: the state of {list(keys)} is "
            f"{f'a {type(saved).__name__}' if items is None else list(items)}.",
            "the state of metrics combined in the same way.",
            "create the metrics as when the state was saved.",
        )
    new = {key: unpacked(value, items[key]) for key, value in keys.items()}
    return new if isinstance(present, Mapping) else type(present)(new.values())


def state_of_process(state_dict):
    """Return the state of this process, the only one, from a state dict of a metric."""
    if not isinstance(state_dict, Mapping):
        problem = f"Argument state_dict should be a dictionary, but given {type(state_dict).__name__}."
        raise ValueTypeError(problem, "what state_dict() returned.", "metric.load_state_dict(metric.state_dict()).")
    if list(state_dict) != [PER_PROCESS]:
        raise UsageError(
            "Incorrect state_dict object. Argument state_dict should be a dictionary provided by Metric.state_dict(); "
            f"this has the keys {list(state_dict)}.",
            f"the single key {PER_PROCESS!r}.",
            "pass what state_dict() returned.",
        )
    states = state_dict[PER_PROCESS]
    if len(states) != 1:
        raise UsageError(
            "Incorrect state_dict object. Expected a list of state_dicts of size equal world_size: 1, "
            f"but got {len(states)}.",
            "the state of one process.",
            "load it with the number of processes that saved it.",
        )
    return states[0]


def without_constants(operands):
    """Return a list or dict of operands with None in place of everything that is not a metric."""
    if isinstance(operands, dict):
        return {name: value if is_metric(value) else None for name, value in operands.items()}
    return [value if is_metric(value) else None for value in operands]


def independent_copy(metric, copies=None):
    """Copy a metric so that the two share no state; functions are shared.

    A metric that occurs in it twice occurs twice in the copy, too: `copies` holds the copies by id of the original.
    """
    copies = {} if copies is None else copies
    if id(metric) not in copies:
        copies[id(metric)] = new = copy(metric)
        vars(new).update({name: _copy_metrics(value, copies) for name, value in vars(new).items()})
    return copies[id(metric)]


def _copy_metrics(value, copies):
    if is_metric(value):
        return independent_copy(value, copies)
    if isinstance(value, dict):
        return {key: _copy_metrics(item, copies) for key, item in value.items()}
    if type(value) in (list, tuple):
        return type(value)(_copy_metrics(item, copies) for item in value)
    return value.copy() if isinstance(value, (np.ndarray, set)) else value


def _items(value):
    return dict(value) if isinstance(value, Mapping) else dict(enumerate(value))


def _contains_metric(value):
    is_container = isinstance(value, (Mapping, list, tuple))
    return is_metric(value) or (is_container and any(map(_contains_metric, _items(value).values())))


def _copied(saved):
    if isinstance(saved, Mapping):
        return {key: _copied(item) for key, item in saved.items()}
    if isinstance(saved, (list, tuple)):
        return [_copied(item) for item in saved]
    return saved[()] if isinstance(saved, np.ndarray) and not saved.ndim else deepcopy(saved)
