"""State dicts of metrics, plain data of numbers, arrays, None, lists and dicts; merged states; copies of metrics."""

from collections.abc import Mapping, Sequence
from copy import copy, deepcopy
from functools import reduce
from itertools import chain
from operator import add
from typing import TYPE_CHECKING, Any

import numpy as np

from dark.checks import describe
from dark.engine.resume.serializable import check_keys
from dark.errors import UsageError, ValueTypeError

if TYPE_CHECKING:
    from dark.metrics.metric import Metric

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
        raise ValueTypeError(problem, "the result of state_dict().", "metric.load_state_dict(metric.state_dict()).")
    if list(state_dict) != [PER_PROCESS]:
        raise UsageError(
            "Incorrect state_dict object. Argument state_dict should be a dictionary provided by Metric.state_dict(); "
            f"this has the keys {list(state_dict)}.",
            f"the single key {PER_PROCESS!r}.",
            "pass the result of state_dict().",
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


def merge_states(metric: "Metric", state_dicts: Sequence[Mapping[str, Any]]) -> None:
    """Set a metric to the state that it would have if it had been updated with the data of several processes.

    It was created like the metrics of the other processes; the states are what their `state_dict` returned, in the
    order of the ranks: ``strategy.all_gather(metric.state_dict())``. Sums and counts are added, stored outputs
    concatenated. Counts are exact; a sum of floats may differ in its last bits from the sum in one process, which adds
    in another order. A metric that depends on the order of all updates, as `RunningAverage` does, is refused, and
    unchanged.

    >>> from dark.metrics import Accuracy
    >>> ranks = Accuracy(), Accuracy()
    >>> ranks[0].update(([1, 1], [1, 0]))
    >>> ranks[1].update(([0, 0, 1, 1], [0, 0, 1, 1]))
    >>> merge_states(ranks[0], [rank.state_dict() for rank in ranks])
    >>> ranks[0].compute()
    0.833...
    """
    if not is_metric(metric) or not isinstance(state_dicts, (list, tuple)):
        raise ValueTypeError(
            f"merge_states: expected a metric and a list, got {describe(metric)} and {describe(state_dicts)}.",
            "a metric, and a list of states.",
            "merge_states(metric, strategy.all_gather(metric.state_dict()))",
        )
    if not state_dicts:
        raise UsageError(
            "merge_states: there must be at least one state.",
            "one of each process.",
            "strategy.all_gather(metric.state_dict())",
        )
    states, before = [state_of_process(state) for state in state_dicts], metric.state_dict()
    try:
        for state in states:  # refuses a state of another metric
            metric.load_state_dict({PER_PROCESS: [state]})
        merged = _merged_metric(metric, states)
    except BaseException:
        metric.load_state_dict(before)
        raise
    metric.load_state_dict({PER_PROCESS: [merged]})


def _merged_metric(metric, states):
    """Merge states of a metric, whose attributes show the places of other metrics."""
    rules = {**dict.fromkeys(states[0], "sum"), **dict(metric._merge_rules)}
    if None in rules.values():
        raise UsageError(
            f"merge_states: the states of {type(metric).__name__} cannot be merged: the result depends on the order of "
            "all updates.",
            "a metric of sums, counts or stored outputs.",
            "an Average; or update the metric in one process, with all outputs.",
        )
    return {name: _merged(getattr(metric, name), [state[name] for state in states], rules[name]) for name in states[0]}


def _merged(present, values, rule):
    if is_metric(present):
        return _merged_metric(present, values)
    found = [value for value in values if value is not None]
    if not found or rule == "first":
        return found[0] if found else None
    if isinstance(present, Mapping):
        return {key: _merged(present[key], [value[key] for value in found], rule) for key in found[0]}
    if isinstance(present, (list, tuple)) and any(map(is_metric, present)):
        return [_merged(item, list(items), rule) for item, items in zip(present, zip(*found))]
    if isinstance(found[0], (list, tuple)):
        return list(chain.from_iterable(found))
    if isinstance(found[0], bool):
        return any(found)
    return max(found) if rule == "largest" else reduce(add, found)
