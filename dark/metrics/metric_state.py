"""The state of metrics as plain data, and back: numbers, arrays, None, metrics, and lists and dicts of these."""

from collections.abc import Mapping
from copy import copy, deepcopy

import numpy as np

from dark.errors import UsageError, ValueTypeError

PER_PROCESS = "__metric_state_per_rank"  # Ignite's key; below it a list with one state for each process


def is_metric(value):
    """Say whether a value is a metric."""
    return hasattr(type(value), "_packed_state")


def packed(value):
    """Copy a value into plain data; a metric in it becomes the dict of its own state.

    Raises
    ------
    ValueTypeError
        If there is something else in it.
    """
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
        "leave what is no data out of _state_dict_all_req_keys.",
    )


def packed_attributes(metric, names):
    """Copy attributes of a metric into plain data.

    Raises
    ------
    UsageError
        If it has not one of them.
    """
    for name in names:
        if name not in vars(metric):
            raise UsageError(
                f"{type(metric).__name__}: Found a value in _state_dict_all_req_keys that is not among metric "
                f"attributes: {name}.",
                "names of attributes.",
                "set it in reset().",
            )
    return {name: packed(getattr(metric, name)) for name in names}


def unpacked(present, saved):
    """Return the value that saved data stands for; metrics in the present value load their states and stay.

    Raises
    ------
    UsageError
        If the present value holds metrics and the saved one is of another form.
    """
    if is_metric(present):
        present._unpack_state(saved)
        return present
    if not _holds_metric(present):
        return _copied(saved)
    keys, items = _items(present), _items(saved) if isinstance(saved, (Mapping, list, tuple)) else None
    if items is None or isinstance(saved, Mapping) != isinstance(present, Mapping) or items.keys() != keys.keys():
        raise UsageError(
            f"Incorrect state_dict object: the state of {list(keys)} is "
            f"{f'a {type(saved).__name__}' if items is None else list(items)}.",
            "the state of metrics that are put together in the same way.",
            "build the metrics as when the state was saved.",
        )
    new = {key: unpacked(value, items[key]) for key, value in keys.items()}
    return new if isinstance(present, Mapping) else type(present)(new.values())


def state_of_process(state_dict):
    """Return the state of this process from a whole one; there is one process.

    Raises
    ------
    ValueTypeError, UsageError
        If it is not what `Metric.state_dict` gives.
    """
    if not isinstance(state_dict, Mapping):
        raise ValueTypeError(
            f"Argument state_dict should be a dictionary, but given {type(state_dict).__name__}.",
            "what state_dict() returned.",
            "metric.load_state_dict(metric.state_dict()).",
        )
    if list(state_dict) != [PER_PROCESS]:
        raise UsageError(
            "Incorrect state_dict object. Argument state_dict should be a dictionary provided by Metric.state_dict(); "
            f"this has the keys {list(state_dict)}.",
            f"the single key {PER_PROCESS!r}.",
            "give what state_dict() returned.",
        )
    states = state_dict[PER_PROCESS]
    if len(states) != 1:
        raise UsageError(
            "Incorrect state_dict object. Expected a list of state_dicts of size equal world_size: 1, "
            f"but got {len(states)}.",
            "the state of one process.",
            "load it in as many processes as saved it.",
        )
    return states[0]


def independent_copy(metric, made=None):
    """Return a metric that is defined as another one and shares no state with it; functions are shared.

    Parameters
    ----------
    metric : Metric
        The other one; one that stands in it twice stands twice in its independent_copy.
    made : dict, optional
        Twins by the id of their metrics.
    """
    made = {} if made is None else made
    if id(metric) not in made:
        made[id(metric)] = new = copy(metric)
        vars(new).update({name: _copy_metrics(value, made) for name, value in vars(new).items()})
    return made[id(metric)]


def _copy_metrics(value, made):
    if is_metric(value):
        return independent_copy(value, made)
    if isinstance(value, dict):
        return {key: _copy_metrics(item, made) for key, item in value.items()}
    if type(value) in (list, tuple):
        return type(value)(_copy_metrics(item, made) for item in value)
    return value.copy() if isinstance(value, (np.ndarray, set)) else value


def _items(value):
    return dict(value) if isinstance(value, Mapping) else dict(enumerate(value))


def _holds_metric(value):
    is_tree = isinstance(value, (Mapping, list, tuple))
    return is_metric(value) or (is_tree and any(map(_holds_metric, _items(value).values())))


def _copied(saved):
    if isinstance(saved, Mapping):
        return {key: _copied(item) for key, item in saved.items()}
    if isinstance(saved, (list, tuple)):
        return [_copied(item) for item in saved]
    return saved[()] if isinstance(saved, np.ndarray) and not saved.ndim else deepcopy(saved)
