"""Merging states: what several processes have seen equals what one would have seen."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dark import metrics as m
from dark.errors import UsageError, ValueTypeError
from tests.metrics.cases import CASES, NO_LAW, ROWS, feed, part, same

LAWFUL = sorted(set(CASES) - NO_LAW - {"VariableAccumulation"})


@pytest.mark.parametrize("name", LAWFUL)
@settings(max_examples=8)
@given(seed=st.integers(0, 99), owner=st.lists(st.integers(0, 3), min_size=ROWS, max_size=ROWS))
def test_merged_states_of_processes_equal_one_process(name, seed, owner):
    make, draw = CASES[name]
    whole, one, processes = draw(np.random.default_rng(seed)), make(), [make() for _ in range(4)]
    feed(one, whole)
    for rank, metric in enumerate(processes):
        if rank in owner:  # a process may have no examples
            feed(metric, part(whole, np.array(owner) == rank))
    states = [metric.state_dict() for metric in processes]
    m.merge_states(processes[1], states)
    assert same(processes[1].compute(), one.compute(), 1e-12)
    assert same(processes[0].state_dict(), states[0])  # the others are as they were


def test_merging_one_state_is_loading_it():
    one, other = m.Accuracy(), m.Accuracy()
    one.update(([1, 0], [1, 1]))
    m.merge_states(other, [one.state_dict()])
    assert same(other.state_dict(), one.state_dict())


def test_frequencies_of_processes_that_work_at_once_add_up():
    ranks = [m.Frequency(clock=lambda: 0.0) for _ in range(2)]
    ranks[0]._acc, ranks[0]._elapsed, ranks[1]._acc, ranks[1]._elapsed = 10, 2.0, 30, 4.0
    m.merge_states(ranks[0], [rank.state_dict() for rank in ranks])
    assert ranks[0].compute() == 10.0


@pytest.mark.parametrize(
    "metric",
    [
        m.RunningAverage(alpha=0.5, output_transform=float),
        m.VariableAccumulation(max),
        m.MetricGroup({"a": m.Accuracy(), "r": m.RunningAverage(m.Accuracy())}),
    ],
)
def test_what_depends_on_the_order_is_refused_and_unchanged(metric):
    before = metric.state_dict()
    with pytest.raises(UsageError, match=r"cannot be merged: the result depends on the order(.|\n)*Try: an Average"):
        m.merge_states(metric, [before, before])
    assert same(metric.state_dict(), before)


def test_wrong_states_are_refused_and_change_nothing():
    metric = m.Accuracy()
    metric.update(([1], [1]))
    before = metric.state_dict()
    for states, error, message in (
        ([], UsageError, r"at least one state.\n  Expected: one of each process"),
        (before, ValueTypeError, "Expected: a metric, and a list of states"),
        ([before, m.Loss(np.mean).state_dict()], UsageError, "state_dict"),
        ([before, {}], UsageError, "Incorrect state_dict object"),
    ):
        with pytest.raises(error, match=message):
            m.merge_states(metric, states)
        assert same(metric.state_dict(), before)
    with pytest.raises(ValueTypeError, match="expected a metric and a list, got 3 .int. and "):
        m.merge_states(3, [before])
