"""Laws of all metrics: two halves equal the whole, shards commute, a saved state resumes."""

import inspect
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dark import metrics
from dark.metrics.metric_state import independent_copy
from dark.storage import load_file, save_file
from tests.metrics.cases import CASES, NO_LAW, ROWS, feed, part, same

LAWFUL = sorted(set(CASES) - NO_LAW)
seeds = st.integers(0, 99)


def drawn(name, seed):
    make, draw = CASES[name]
    return make(), draw(np.random.default_rng(seed))


def result_of(metric, *batches):
    metric.reset()
    feed(metric, *batches)
    return metric.compute()


def test_every_metric_has_a_case():
    known = {type(make()).__name__ for make, _ in CASES.values()}
    public = {
        name
        for name, thing in vars(metrics).items()
        if inspect.isclass(thing) and issubclass(thing, metrics.Metric) and not inspect.isabstract(thing)
    }
    assert public <= known


@pytest.mark.parametrize("name", LAWFUL)
@settings(max_examples=10)
@given(seed=seeds, cut=st.integers(1, ROWS - 1))
def test_updating_in_two_parts_equals_updating_at_once(name, seed, cut):
    metric, whole = drawn(name, seed)
    parts = part(whole, slice(cut)), part(whole, slice(cut, None))
    assert same(result_of(metric, *parts), result_of(metric, whole), 1e-12)


@pytest.mark.parametrize("name", LAWFUL)
@settings(max_examples=10)
@given(seed=seeds, data=st.data())
def test_shards_in_any_order_equal_the_whole(name, seed, data):
    metric, whole = drawn(name, seed)
    owner = np.array(data.draw(st.lists(st.integers(0, 4), min_size=ROWS, max_size=ROWS)))
    shards = [part(whole, owner == k) for k in data.draw(st.permutations(range(5))) if (owner == k).any()]
    assert same(result_of(metric, *shards), result_of(metric, whole), 1e-12)


@pytest.mark.parametrize("name", [name for name in LAWFUL if name.split()[0] in ("Accuracy", "Precision", "Recall")])
@settings(max_examples=10)
@given(seed=seeds, data=st.data())
def test_counts_are_exact(name, seed, data):
    metric, whole = drawn(name, seed)
    order = data.draw(st.permutations(range(ROWS)))
    rows = [part(whole, [row]) for row in order]
    assert same(result_of(metric, *rows), result_of(metric, whole), 1e-15 if "samples" in name else 0)


@pytest.mark.parametrize("name", sorted(CASES))
def test_reset_restores_the_initial_state(name):
    metric, whole = drawn(name, 1)
    state = metric.state_dict()
    feed(metric, whole)
    metric.reset()
    assert same(metric.state_dict(), state)


@pytest.mark.parametrize("name", sorted(CASES))
@settings(max_examples=10)
@given(seed=seeds, cut=st.integers(1, ROWS - 1))
def test_a_saved_state_resumes_to_the_bit(tmp_path_factory, name, seed, cut):
    metric, whole = drawn(name, seed)
    feed(metric, part(whole, slice(cut)))
    path = tmp_path_factory.mktemp("saved") / "state"
    save_file(metric.state_dict(), path)
    feed(metric, part(whole, slice(cut, None)))
    resumed = CASES[name][0]()
    resumed.load_state_dict(load_file(path))
    feed(resumed, part(whole, slice(cut, None)))
    assert same(resumed.state_dict(), metric.state_dict())
    if name != "Frequency":
        assert same(resumed.compute(), metric.compute())


@pytest.mark.parametrize("name", sorted(CASES))
def test_a_saved_state_is_a_copy(name):
    metric, whole = drawn(name, 2)
    feed(metric, whole)
    state = metric.state_dict()
    before = pickle.loads(pickle.dumps(state))
    feed(metric, whole)
    assert same(state, before)
    metric.load_state_dict(state)
    feed(metric, whole)
    assert same(state, before)


@pytest.mark.parametrize("name", sorted(CASES))
def test_an_independent_copy_shares_no_state(name):
    metric, whole = drawn(name, 3)
    feed(metric, whole)
    state, other = metric.state_dict(), independent_copy(metric)
    assert same(other.state_dict(), state)
    feed(other, whole)
    assert same(metric.state_dict(), state)
    other.reset()
    assert same(metric.state_dict(), state)


@pytest.mark.parametrize("make", [metrics.Accuracy, lambda: metrics.Fbeta(1), lambda: 1 - metrics.Recall()[[0, 1]]])
def test_metrics_can_be_pickled(make):
    metric, output = make(), (np.eye(3), [0, 1, 1])
    feed(metric, output)
    assert same(pickle.loads(pickle.dumps(metric)).compute(), metric.compute())
