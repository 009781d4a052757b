"""Iterable datasets: batches as PyTorch's, in one process and in several, their length, resuming, and errors."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dark
from dark.data import DataLoader, IterableDataset, get_worker_info
from dark.engine import DeterministicEngine, Engine
from dark.errors import UsageError, ValueTypeError
from tests.data.comparison import assert_same


class Counting(IterableDataset):
    """The numbers below n; each worker gets a part of them if `shards` is set."""

    def __init__(self, n, shards=True):
        self.n, self.shards = n, shards

    def __iter__(self):
        worker = get_worker_info() if self.shards else None
        return iter(range(self.n) if worker is None else range(worker.id, self.n, worker.num_workers))


class Sized(Counting):
    """The same with a length."""

    def __len__(self):
        return self.n


class Noisy(IterableDataset):
    """Numbers from NumPy's global generator."""

    def __iter__(self):
        return (np.random.rand() for _ in range(7))


class Failing(IterableDataset):
    """Two items, then an error."""

    def __iter__(self):
        yield from (0, 1)
        raise OSError("the connection is lost")


def lists(loader):
    return [batch.tolist() for batch in loader]


@pytest.mark.oracle
@settings(max_examples=12, deadline=None)
@given(
    n=st.integers(0, 12), size=st.integers(1, 4), drop=st.booleans(), workers=st.integers(0, 2), shards=st.booleans()
)
def test_the_batches_are_pytorchs(n, size, drop, workers, shards):
    torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")

    class Theirs(torch.utils.data.IterableDataset):
        def __iter__(self):
            worker = torch.utils.data.get_worker_info() if shards else None
            return iter(range(n) if worker is None else range(worker.id, n, worker.num_workers))

    right = torch.utils.data.DataLoader(Theirs(), size, drop_last=drop, num_workers=workers)
    assert lists(DataLoader(Counting(n, shards), size, drop_last=drop, num_workers=workers)) == lists(right)


@pytest.mark.parametrize("workers", [0, 2])
def test_without_a_batch_size_items_come_alone(workers):
    loader = DataLoader(Counting(5), None, num_workers=workers)
    assert list(loader) == [0, 1, 2, 3, 4] and loader.batch_size is None
    assert list(DataLoader(Counting(3), None, collate_fn=lambda item: item * 10)) == [0, 10, 20]


def test_the_length_is_that_of_the_dataset_or_unknown():
    assert [len(DataLoader(Sized(7), 3, drop_last=drop)) for drop in (False, True)] == [3, 2]
    assert len(DataLoader(Sized(7), None)) == 7
    with pytest.raises(TypeError, match="(?s)the number of batches is unknown: Counting has no length.*Expected.*Try"):
        len(DataLoader(Counting(7)))
    assert repr(DataLoader(Counting(7), 2, seed=1)) == "DataLoader(Counting in batches of 2, seed 1, epoch 0)"
    assert repr(DataLoader(Sized(7), 2, seed=1)) == "DataLoader(7 items in 4 batches of 2, seed 1, epoch 0)"


def test_an_empty_stream_yields_nothing():
    for workers in (0, 2):
        loader = DataLoader(Counting(0), 2, num_workers=workers)
        assert list(loader) == [] == list(loader) and loader.epoch == 2


@pytest.mark.parametrize("workers", [0, 1, 2])
@pytest.mark.parametrize("done", [0, 1, 3])
def test_a_stream_resumes_after_any_batch(workers, done):
    make = lambda: DataLoader(
        Counting(11), 2, num_workers=workers, seed=0, transform=lambda item, generator: item + generator.normal()
    )
    loader, resumed = make(), make()
    batches = iter(loader)
    for _ in range(done):
        next(batches)
    resumed.load_state_dict(json.loads(json.dumps(loader.state_dict())))
    assert_same(list(resumed), list(batches))
    assert_same(list(resumed), list(loader))
    assert resumed.state_dict() == loader.state_dict()


def test_a_state_at_the_end_of_a_stream_goes_on_with_the_next_epoch():
    loader = DataLoader(Counting(5), 2, seed=0)
    list(loader)
    state = loader.state_dict()
    assert state == {"seed": 0, "epoch": 1, "position": 3, "items": None, "batch_size": 2}
    for read, expected in ((lambda x: list(x.rest()), 0), (list, 3)):
        other = DataLoader(Counting(5), 2)
        other.load_state_dict(state)
        assert len(read(other)) == expected
    with pytest.raises(UsageError, match="the state must be of a loader with items 5, got None"):
        DataLoader(Sized(5), 2).load_state_dict(state)


def test_a_position_is_kept_in_a_file(tmp_path):
    loader = DataLoader(Counting(5), 2, seed=0)
    next(iter(loader))
    dark.save(loader.state_dict(), tmp_path / "position.safetensors")
    resumed = DataLoader(Counting(5), 2)
    resumed.load_state_dict(dark.load(tmp_path / "position.safetensors"))
    assert lists(resumed) == [[2, 3], [4]]


def test_random_numbers_of_workers_are_repeated_when_a_stream_is_resumed():
    make = lambda: DataLoader(Noisy(), 2, num_workers=2, seed=5)
    loader, resumed = make(), make()
    whole = [batch.tolist() for batch in loader]
    assert len({x for batch in whole for x in batch}) == 14
    batches = iter(resumed)
    assert [next(batches).tolist() for _ in range(3)] == whole[:3]
    state = resumed.state_dict()
    batches.close()
    again = make()
    again.load_state_dict(state)
    assert lists(again) == whole[3:]
    assert lists(again) == lists(loader) != whole


@pytest.mark.parametrize("kind", [Engine, DeterministicEngine])
@pytest.mark.parametrize("stop", [1, 3, 5])
def test_an_engine_resumes_inside_a_stream(kind, stop):
    def run(state=None, stop=None):
        seen = []

        def step(engine, batch):
            seen.append(batch.tolist())
            if engine.state.iteration == stop:
                engine.interrupt()

        engine = kind(step)
        if state is not None:
            engine.load_state_dict(state)
        engine.run(DataLoader(Counting(7), 3, seed=0), max_epochs=3)
        return seen, engine.state_dict()

    first, state = run(stop=stop)
    rest, _ = run(json.loads(json.dumps(state)))
    assert first + rest == [[0, 1, 2], [3, 4, 5], [6]] * 3 and len(first) == stop


@pytest.mark.parametrize("workers", [0, 1])
def test_an_error_of_a_stream_is_raised(workers):
    batches = iter(DataLoader(Failing(), 1, num_workers=workers))
    assert [next(batches).tolist(), next(batches).tolist()] == [[0], [1]]
    with pytest.raises(OSError, match="the connection is lost"):
        next(batches)
    assert next(batches, None) is None


@pytest.mark.parametrize(
    ("wrong", "error", "text"),
    [
        (lambda: DataLoader(Counting(3), shuffle=True), UsageError, "an IterableDataset and shuffle are mutually"),
        (lambda: DataLoader(Counting(3), sampler=[0]), UsageError, "an IterableDataset and sampler are mutually"),
        (lambda: DataLoader(Counting(3), batch_sampler=[[0]]), UsageError, "an IterableDataset and batch_sampler are"),
        (lambda: DataLoader(Counting(3), None, drop_last=True), UsageError, "batch_size=None and drop_last are mutual"),
        (lambda: DataLoader(Counting(3), 0), UsageError, "batch_size must be 1 or more, got 0"),
        (lambda: DataLoader(Counting(3), 2.0), ValueTypeError, "batch_size must be an integer, got 2.0"),
    ],
)
def test_invalid_arguments_are_named(wrong, error, text):
    with pytest.raises(error, match=text) as caught:
        wrong()
    assert "\n  Expected: " in str(caught.value) and "\n  Try: " in str(caught.value)


def test_the_base_class_is_abstract():
    with pytest.raises(TypeError, match="abstract method '?__iter__"):
        IterableDataset()
