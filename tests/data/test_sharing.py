"""Loading by several processes: each reads its rows of the same batches, in any number, and resumes with another."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dark.data import DataLoader, DistributedSampler, IterableDataset, TensorDataset
from dark.distributed import LocalBatch, OneProcess, Replicas, Strategy
from dark.distributed.shards import owned
from dark.errors import UsageError, ValueTypeError


class Process(Strategy):
    """One of several processes, without the others."""

    def __init__(self, rank, size, shards=8):
        super().__init__(rank, size, shards, owned(rank, size, shards))

    def reduce(self, arrays):
        """Not used here."""

    def all_gather(self, value):
        """Return the values of the processes; the first one is 77."""
        return [77]


class Items:
    """Notes which items are read."""

    def __init__(self, n):
        self.n, self.seen = n, []

    def __len__(self):
        return self.n

    def __getitem__(self, index):
        self.seen.append(int(index))
        return np.array([index, 10 * index])


def rows(batch):
    """Return the rows of a local or global batch."""
    batch = batch.batch if isinstance(batch, LocalBatch) else batch
    return np.empty((0, 2)) if batch is None else batch


@given(st.integers(1, 40), st.integers(1, 9), st.integers(1, 12), st.booleans(), st.data())
def test_the_processes_read_the_global_batches_each_item_once(n, shards, batch_size, drop_last, data):
    size = data.draw(st.integers(1, shards))
    options = {"batch_size": min(n, batch_size), "shuffle": True, "seed": 3, "drop_last": drop_last}
    whole = list(DataLoader(Items(n), **options))
    loaders = [DataLoader(Items(n), **options, strategy=Process(rank, size, shards)) for rank in range(size)]
    for expected, *parts in zip(whole, *loaders, strict=True):
        np.testing.assert_array_equal(np.concatenate([rows(part) for part in parts]), expected)
        assert all(part.total == len(expected) for part in parts if isinstance(part, LocalBatch))
    assert sum(len(loader.dataset.seen) for loader in loaders) == sum(map(len, whole))


@pytest.mark.parametrize("num_workers", [0, 2])
def test_the_shards_of_a_local_batch_are_those_of_the_global_one(num_workers):
    x, labels = np.arange(40.0).reshape(20, 2), np.arange(20)
    options = {"batch_size": 10, "shuffle": True, "seed": 1}
    whole = [Replicas().split(batch) for batch in DataLoader(TensorDataset(x, labels), **options)]
    for rank in range(3):
        strategy = Process(rank, 3)
        loader = DataLoader(TensorDataset(x, labels), **options, strategy=strategy, num_workers=num_workers)
        for batch, shards in zip(loader, whole, strict=True):
            for mine, shard in zip(strategy.split(batch), shards[strategy.own.start : strategy.own.stop], strict=True):
                assert (mine.index, mine.size, mine.total) == (shard.index, shard.size, shard.total)
                for part, expected in zip(mine.batch, shard.batch, strict=True):
                    np.testing.assert_array_equal(part, expected)


def test_draws_of_a_transform_do_not_depend_on_the_number_of_processes():
    options = {"batch_size": 6, "seed": 0, "transform": lambda item, rng: item + rng.random()}
    (whole,) = DataLoader(Items(6), **options)
    parts = [next(iter(DataLoader(Items(6), **options, strategy=Process(rank, 2)))).batch for rank in range(2)]
    np.testing.assert_array_equal(np.concatenate(parts), whole)


def test_a_position_saved_by_four_processes_is_resumed_by_two():
    options = {"batch_size": 4, "shuffle": True, "seed": 9}
    four = DataLoader(Items(20), **options, strategy=Process(0, 4))
    batches = iter(four)
    next(batches), next(batches)
    rest = []
    for rank in range(2):
        two = DataLoader(Items(20), **options, strategy=Process(rank, 2))
        two.load_state_dict(four.state_dict())
        rest.append([rows(batch) for batch in two])
    expected = list(DataLoader(Items(20), **options))[2:]
    for batch, *parts in zip(expected, *rest, strict=True):
        np.testing.assert_array_equal(np.concatenate(parts), batch)


def test_a_seed_that_is_drawn_is_that_of_the_first_process():
    assert DataLoader([1, 2], shuffle=True, strategy=Process(1, 2)).seed == 77


@pytest.mark.parametrize("strategy", [OneProcess(), Replicas(4), None])
def test_a_process_alone_gets_ordinary_batches(strategy):
    (batch,) = DataLoader(np.arange(4), batch_size=4, strategy=strategy)
    assert batch.tolist() == [0, 1, 2, 3]


def test_what_cannot_be_divided_is_refused():
    class Stream(IterableDataset):
        def __iter__(self):
            return iter(range(3))

    with pytest.raises(ValueTypeError, match=r"strategy must be a strategy of dark.distributed, got 4 \(int\)"):
        DataLoader([1, 2], strategy=4)
    with pytest.raises(UsageError, match=r"an IterableDataset cannot be divided(.|\n)*Try: omit strategy"):
        DataLoader(Stream(), strategy=Process(0, 2))


@given(st.integers(1, 30), st.integers(1, 8), st.booleans(), st.booleans())
def test_the_distributed_sampler_divides_like_pytorch(n, replicas, shuffle, drop_last):
    samplers = [DistributedSampler(range(n), replicas, r, shuffle, 5, drop_last) for r in range(replicas)]
    orders = [list(sampler) for sampler in samplers]
    assert {len(order) for order in orders} == {len(samplers[0])}
    interleaved = [index for indices in zip(*orders) for index in indices]
    start = list(DistributedSampler(range(n), 1, 0, shuffle, 5))
    assert interleaved == [start[k % n] for k in range(len(interleaved))]
    assert len(interleaved) == (n - n % replicas if drop_last else -(-n // replicas) * replicas)


@pytest.mark.oracle
@pytest.mark.parametrize("drop_last", [False, True])
def test_without_shuffling_the_indices_are_pytorchs(drop_last):
    data = pytest.importorskip("torch.utils.data", reason="the oracle extra (PyTorch) is not installed")
    for n, replicas in ((7, 3), (2, 5), (9, 3)):
        for rank in range(replicas):
            settings = {"num_replicas": replicas, "rank": rank, "shuffle": False, "drop_last": drop_last}
            if drop_last and n < replicas:
                continue
            theirs = data.DistributedSampler(range(n), **settings)
            assert list(DistributedSampler(range(n), **settings)) == list(theirs)


def test_the_loader_sets_the_epoch_of_a_distributed_sampler_and_resumes_it():
    def loader():
        return DataLoader(np.arange(9), 2, sampler=DistributedSampler(range(9), 2, 1, seed=4), seed=0)

    first = loader()
    epochs = [[batch.tolist() for batch in first] for _ in range(3)]
    assert epochs[0] != epochs[1] and first.batch_sampler.sampler.epoch == 3
    again = loader()
    again.load_state_dict({"seed": 0, "epoch": 2, "position": 1, "items": 9, "batch_size": 2})
    assert [batch.tolist() for batch in again] == epochs[1][1:]


@pytest.mark.parametrize(
    ("replicas", "rank", "says"),
    [
        (0, 0, "num_replicas must be 1 or more, got 0"),
        (2, 2, "rank must be from 0 to 1, got 2"),
        (2, -1, "rank must be from 0 to 1, got -1"),
    ],
)
def test_a_rank_out_of_range_is_refused(replicas, rank, says):
    with pytest.raises(UsageError, match=f"DistributedSampler: {says}"):
        DistributedSampler(range(4), replicas, rank)
