"""Merging the states of a metric that several processes have updated, each with its part of the data."""

from collections.abc import Mapping, Sequence
from functools import reduce
from itertools import chain
from operator import add
from typing import Any

from dark.checks import describe
from dark.errors import UsageError, ValueTypeError
from dark.metrics.metric import Metric
from dark.metrics.metric_state import PER_PROCESS, is_metric, state_of_process


def merge_states(metric: Metric, state_dicts: Sequence[Mapping[str, Any]]) -> None:
    """Set a metric to the state that it would have if it had been updated with the data of several processes.

    It was created like the metrics of the other processes; the states are what their `state_dict` returned, in the
    order of the ranks: ``strategy.all_gather(metric.state_dict())``. Sums and counts are added, stored outputs
    concatenated. Counts are exact; a sum of floats may differ in its last bits from that of one process, which adds in
    another order. A metric that depends on the order of all updates, as `RunningAverage` does, is refused, and
    unchanged.

    Examples
    --------
    >>> from dark.metrics import Accuracy
    >>> ranks = Accuracy(), Accuracy()
    >>> ranks[0].update(([1, 1], [1, 0]))
    >>> ranks[1].update(([0, 0, 1, 1], [0, 0, 1, 1]))
    >>> merge_states(ranks[0], [rank.state_dict() for rank in ranks])
    >>> ranks[0].compute()
    0.833...
    """
    if not isinstance(metric, Metric) or not isinstance(state_dicts, (list, tuple)):
        raise ValueTypeError(
            f"merge_states: metric is {describe(metric)}, state_dicts is {describe(state_dicts)}.",
            "a metric, and a list of states.",
            "merge_states(metric, strategy.all_gather(metric.state_dict()))",
        )
    if not state_dicts:
        raise UsageError("merge_states: no states.", "one of each process.", "strategy.all_gather(metric.state_dict())")
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
    """Merge states of a metric, whose attributes tell where other metrics are."""
    return {
        name: _merged(getattr(metric, name), [state[name] for state in states], _rule_of(metric, name))
        for name in states[0]
    }


def _rule_of(metric, name):
    rule = dict(metric._merge_rules).get(name, "sum")
    if rule is None:
        raise UsageError(
            f"merge_states: the states of {type(metric).__name__} cannot be merged: the result depends on the order of "
            "all updates.",
            "a metric of sums, counts or stored outputs.",
            "an Average; or update the metric in one process, with all outputs.",
        )
    return rule


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
