"""The loader: every item once, in the order of seed and epoch; resuming anywhere; checks of arguments."""

import json
import random
from itertools import islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dark
from dark.data import (
    BatchSampler,
    DataLoader,
    RandomSampler,
    Sampler,
    Subset,
    SubsetRandomSampler,
    TensorDataset,
    WeightedRandomSampler,
    collate,
    datasets,
)
from dark.errors import IndexingError, ShapeError, UsageError, ValueTypeError
from tests.data.comparison import assert_same, indices_of, numbered, with_noise
from tests.examples import examples

sizes, seeds = st.integers(1, 13), st.integers(0, 3)
SETTINGS = {
    "in order": lambda n: {"batch_size": 3},
    "shuffled": lambda n: {"batch_size": 2, "shuffle": True},
    "full batches": lambda n: {"batch_size": min(n, 4), "shuffle": True, "drop_last": True},
    "weighted": lambda n: {"batch_size": 3, "sampler": WeightedRandomSampler(np.arange(n) + 1, n + 2)},
    "with replacement": lambda n: {"batch_size": 3, "sampler": RandomSampler(range(n), replacement=True)},
    "some": lambda n: {"batch_size": 2, "sampler": SubsetRandomSampler(range(0, n, 2))},
    "a list": lambda n: {"batch_size": 2, "sampler": [*range(n)][::-1]},
    "negative": lambda n: {"batch_size": 2, "sampler": range(-n, 0)},
    "batches": lambda n: {"batch_sampler": BatchSampler(RandomSampler(range(n)), 4)},
    "a list of batches": lambda n: {"batch_sampler": [[0], [*range(n)], [n - 1, 0]]},
    "transformed": lambda n: {"batch_size": 3, "shuffle": True, "transform": with_noise},
    "drawn twice": lambda n: {"batch_size": 3, "sampler": [0, n - 1] * 4, "transform": with_noise},
}
every_setting = pytest.mark.parametrize("made", SETTINGS.values(), ids=SETTINGS)


def epochs(loader, n=2):
    """Return several epochs as lists."""
    return [[*loader] for _ in range(n)]


@given(n=sizes, size=st.integers(1, 14), shuffle=st.booleans(), drop_last=st.booleans(), seed=seeds)
def test_an_epoch_holds_every_item_once_except_dropped_ones(n, size, shuffle, drop_last, seed):
    if drop_last:
        size = min(n, size)
    loader = DataLoader(numbered(n), size, shuffle, drop_last=drop_last, seed=seed)
    for batches in epochs(loader):
        indices, kept = indices_of(batches), n // size * size if drop_last else n
        assert len(batches) == len(loader) and len(indices) == len(set(indices)) == kept
        assert shuffle or indices == [*range(kept)]


@every_setting
@given(n=sizes, seed=seeds)
def test_the_fast_path_equals_reading_single_items(made, n, seed):
    data = numbered(n)
    fast, slow, collated = (
        DataLoader(dataset, seed=seed, **made(n), **more)
        for dataset, more in (
            (data, {}),
            ([data[i] for i in range(n)], {}),
            (data, {"collate_fn": lambda items: collate(items)}),
        )
    )
    right = epochs(fast)
    assert_same(right, epochs(slow))
    assert_same(right, epochs(collated))


@every_setting
@examples(30)
@given(n=sizes, seed=seeds, epoch=st.integers(1, 3), data=st.data())
def test_a_loader_resumed_anywhere_equals_the_uninterrupted_one(made, n, seed, epoch, data):
    whole = DataLoader(numbered(n), seed=seed, **made(n))
    right = epochs(whole, 5)
    cut = data.draw(st.integers(0, len(right[epoch - 1])))
    first = DataLoader(numbered(n), seed=seed, **made(n))
    epochs(first, epoch - 1)
    [*islice(first, cut)]
    state = json.loads(json.dumps(first.state_dict()))
    second = DataLoader(numbered(n), seed=99, **made(n))
    second.load_state_dict(state)
    assert (second.seed, second.epoch, second.position) == (seed, epoch, cut)
    if cut < len(right[epoch - 1]):
        assert_same([*second], right[epoch - 1][cut:])
    assert_same(epochs(second, 5 - epoch), right[epoch:])


def test_a_state_may_be_loaded_into_its_own_loader_and_twice():
    loader = DataLoader(numbered(10), 3, shuffle=True, seed=1)
    running = iter(loader)
    next(running)
    state = loader.state_dict()
    left = [*running]
    for _ in range(2):
        loader.load_state_dict(state)
        assert_same([*loader], left)
        assert loader.state_dict() == {**state, "position": 4}
        [*loader]


def test_a_state_from_before_the_first_epoch_starts_at_the_first():
    loader, other = (DataLoader(numbered(5), shuffle=True, seed=seed) for seed in (1, 2))
    other.load_state_dict(loader.state_dict())
    assert_same([*other], [*loader])


def test_breaking_out_of_a_loop_and_iterating_again_starts_the_next_epoch():
    loader = DataLoader(numbered(10), 3, shuffle=True, seed=0)
    right = epochs(DataLoader(numbered(10), 3, shuffle=True, seed=0), 3)
    for _ in loader:
        break
    assert (loader.epoch, loader.position) == (1, 1)
    assert_same([*loader], right[1])
    assert (loader.epoch, loader.position) == (2, 4)


def test_two_simultaneous_iterations_are_different_epochs():
    loader = DataLoader(numbered(6), 2, shuffle=True, seed=0)
    right = epochs(DataLoader(numbered(6), 2, shuffle=True, seed=0))
    pairs = [*zip(loader, loader)]
    assert_same([a for a, _ in pairs], right[0])
    assert_same([b for _, b in pairs], right[1])
    assert iter(iter(loader)) is not None


def test_epochs_differ_seeds_differ_and_the_same_seed_repeats():
    make = lambda seed: epochs(DataLoader(numbered(50), 50, shuffle=True, seed=seed), 3)
    assert_same(make(0), make(0))
    orders = [tuple(indices_of(batches)) for seed in range(3) for batches in make(seed)]
    assert len(set(orders)) == 9


def test_without_a_seed_one_is_drawn_once():
    one, other = (DataLoader(numbered(50), 50, shuffle=True) for _ in range(2))
    assert one.seed != other.seed and 0 <= one.seed < 2**63
    assert_same([*one], [*DataLoader(numbered(50), 50, shuffle=True, seed=one.seed)])


def test_the_state_of_numpys_global_generator_does_not_change():
    before = np.random.get_state()[1].tolist()
    epochs(DataLoader(numbered(5), shuffle=True, transform=with_noise))
    assert np.random.get_state()[1].tolist() == before


@given(n=sizes, seed=seeds, size=st.integers(1, 5))
def test_the_draws_of_a_transform_depend_on_seed_epoch_and_index_only(n, seed, size):
    def draws(**settings):
        loader = DataLoader(numbered(n), seed=seed, transform=with_noise, **settings)
        return [{i: x.tolist() for xs, ys in epoch for i, x in zip(ys.tolist(), xs)} for epoch in epochs(loader)]

    first = draws(batch_size=1)
    assert first == draws(batch_size=size, shuffle=True) == draws(batch_size=size, sampler=range(-n, 0))
    assert first[0] != first[1]


def test_an_item_that_occurs_twice_in_an_epoch_gets_two_draws():
    loader = DataLoader(np.zeros(3), 4, sampler=[1, 1, -2, 1], transform=lambda x, generator: generator.random())
    assert len({*next(iter(loader)).tolist()}) == 4


def test_set_epoch_of_a_sampler_is_called_as_in_pytorch():
    class Rotating:
        def set_epoch(self, epoch):
            self.epoch = epoch

        def __iter__(self):
            return iter([(i + self.epoch) % 3 for i in range(3)])

    loader = DataLoader(range(3), 3, sampler=Rotating())
    assert [batch.tolist() for _ in range(2) for batch in loader] == [[1, 2, 0], [2, 0, 1]]
    with pytest.raises(TypeError, match="no len"):
        len(loader)
    assert repr(loader).startswith("DataLoader(3 items in batches of 3, seed")
    batches = DataLoader(range(3), batch_sampler=BatchSampler(Rotating(), 2))
    assert [batch.tolist() for batch in batches] == [[1, 2], [0]]


def test_a_custom_sampler_depends_on_seed_and_epoch():
    class Pairs(Sampler):
        def order(self, generator=None):
            return generator.permutation(2).repeat(2)

        def __len__(self):
            return 4

    loader = DataLoader(range(2), 4, sampler=Pairs(), seed=0)
    assert len({tuple(batch.tolist()) for _ in range(9) for batch in loader}) == 2


def test_a_dataset_may_grow_between_epochs():
    data = [0, 1]
    loader = DataLoader(data, 2)
    [*loader]
    data.append(2)
    assert [batch.tolist() for batch in loader] == [[0, 1], [2]]


@pytest.mark.parametrize("items", [[1, 2, 3], np.arange(3), range(3), Subset(range(9), [1, 2, 3]), datasets.iris()])
def test_any_dataset_can_be_loaded(items):
    assert len([*DataLoader(items, 2)]) == len(DataLoader(items, 2)) == -(-len(items) // 2)


def test_named_arrays_give_batches_that_are_dicts():
    batch = next(iter(DataLoader(TensorDataset(x=np.ones((4, 2)), y=np.arange(4)), 3)))
    assert batch["x"].shape == (3, 2) and batch["y"].tolist() == [0, 1, 2]


def test_the_loader_is_reachable_after_import_dark():
    assert dark.data.DataLoader is DataLoader


def test_repr_shows_batches_seed_and_epoch():
    assert repr(DataLoader(numbered(10), 4, seed=7)) == "DataLoader(10 items in 3 batches of 4, seed 7, epoch 0)"
    assert (
        repr(DataLoader("ab", batch_sampler=[[0], [1]], seed=7)) == "DataLoader(2 items in 2 batches, seed 7, epoch 0)"
    )


DATA = numbered(3)


@pytest.mark.parametrize(
    ("wrong", "error", "text"),
    [
        (lambda: DataLoader([]), UsageError, "DataLoader: the dataset must not be empty"),
        (lambda: DataLoader(iter([1])), ValueTypeError, "DataLoader: list_iterator is not a dataset"),
        (lambda: DataLoader({"a": 1, "b": 2}), ValueTypeError, "the dataset is a dict whose keys are not 0 to 1"),
        (lambda: DataLoader(DATA, worker_init_fn=3), ValueTypeError, "worker_init_fn must be callable, got 3 .int."),
        (lambda: DataLoader(DATA, worker_init_fn=lambda: 3), ValueTypeError, "worker_init_fn must accept 1 positional"),
        (lambda: DataLoader(DATA, prefetch_factor=2**70), UsageError,
         "prefetch_factor must have at most 64 bits, got 118"),
        (lambda: DataLoader(DATA, 0), UsageError,
         "DataLoader: batch_size must be 1 or more, got 0.\n  Expected: an integer, 1 or more"),
        (lambda: DataLoader(DATA, 2.0), ValueTypeError, "DataLoader: batch_size must be an integer, got 2.0 .float."),
        (lambda: DataLoader(DATA, None), ValueTypeError, "batch_size must be an integer, got None"),
        (lambda: DataLoader(DATA, True), ValueTypeError, "batch_size must be an integer, got True"),
        (lambda: DataLoader(DATA, 4, drop_last=True), UsageError, "got 3 items, batch_size 4, drop_last=True"),
        (lambda: DataLoader(DATA, sampler=[]), UsageError, "at least one batch, got 3 items"),
        (lambda: DataLoader(DATA, batch_sampler=[]), UsageError, "at least one batch, got 3 items"),
        (lambda: DataLoader(DATA, shuffle=True, sampler=[0]), UsageError, "shuffle and sampler are mutually exclusive"),
        (lambda: DataLoader(DATA, sampler=iter([0])), ValueTypeError, "is of type list_iterator, which is exhausted"),
        (lambda: DataLoader(DATA, 2, True, sampler=[0], drop_last=True, batch_sampler=[[0]]), UsageError,
         "batch_sampler and batch_size, shuffle, sampler, drop_last are mutually exclusive"),
        (lambda: DataLoader(DATA, batch_sampler=3), ValueTypeError, "batch_sampler is of type int"),
        (lambda: DataLoader(DATA, num_workers=-1), UsageError, "num_workers must be 0 or more, got -1"),
        (lambda: DataLoader(DATA, prefetch_factor=0), UsageError, "prefetch_factor must be 1 or more, got 0"),
        (lambda: DataLoader(DATA, seed=-1), UsageError, "seed must be 0 or more, got -1"),
        (lambda: DataLoader(DATA, seed="a"), ValueTypeError, "seed must be an integer, got 'a'"),
        (lambda: DataLoader(DATA, timeout="a"), ValueTypeError, "timeout must be a number, got 'a'"),
        (lambda: DataLoader(DATA, timeout=-1), UsageError, "timeout must be 0 or more, got -1"),
        (lambda: DataLoader(DATA, timeout=float("nan")), UsageError, "timeout must be a finite number, got nan"),
        (lambda: DataLoader(DATA, transform=lambda item: item), ValueTypeError,
         r"transform must accept 2 positional arguments, got transform\(item\)\.\n"
         r".*: transform\(item, generator\).\n  Try: lambda item"),
        (lambda: DataLoader(DATA, transform=3), ValueTypeError, "transform must be callable, got 3 .int."),
        (lambda: DataLoader(DATA, collate_fn="list"), ValueTypeError, "collate_fn must be callable, got .list. .str."),
        (lambda: [*DataLoader(DATA, batch_sampler=[[0.5]])], ValueTypeError, "indices must be integers, got float64"),
        (lambda: [*DataLoader(DATA, batch_sampler=[0, 1])], ShapeError, r"DataLoader: indices must be one-dimensional"),
        (lambda: [*DataLoader([1], batch_sampler=[[]])], UsageError, "collate: the list of items must not be empty"),
    ],
)  # fmt: skip
def test_invalid_arguments_are_named(wrong, error, text):
    with pytest.raises(error, match=text) as caught:
        wrong()
    assert "\n  Expected: " in str(caught.value) and "\n  Try: " in str(caught.value)


@pytest.mark.parametrize(
    ("change", "error", "text"),
    [
        ({"items": 4}, UsageError, "the state must be of a loader with items 3, got 4"),
        ({"batch_size": 2}, UsageError, "of a loader with batch_size 1, got 2"),
        (
            {"more": 2},
            UsageError,
            r"the state must have .* got \['seed', .*'more'\].\n  Expected: a dict with the keys seed, epoch",
        ),
        ({"epoch": -1}, UsageError, "DataLoader: epoch must be 0 or more, got -1"),
        ({"position": "a"}, ValueTypeError, "DataLoader: position must be an integer, got 'a'"),
    ],
)
def test_an_incompatible_state_raises_and_changes_nothing(change, error, text):
    loader = DataLoader(DATA, seed=0)
    [*loader]
    before = loader.state_dict()
    with pytest.raises(error, match=text):
        loader.load_state_dict({**before, **change})
    assert loader.state_dict() == before
    with pytest.raises(UsageError, match="the state must have .* got int"):
        loader.load_state_dict(3)


def test_an_error_names_the_item_and_the_batch():
    class Broken(list):
        def __getitem__(self, index):
            if index == 2:
                raise OSError("no such file")
            return index

    with pytest.raises(OSError, match="no such file") as caught:
        [*DataLoader(Broken(range(20)), 10)]
    assert caught.value.__notes__ == [
        "while reading item 2 of Broken", "in the batch of the items 0, 1, 2, 3, 4, 5, 6, 7, …"
    ]  # fmt: skip


def test_an_error_for_ragged_items_names_them():
    with pytest.raises(ShapeError, match=r"shape \(1,\) at 0, shape \(2,\) at 1") as caught:
        [*DataLoader([np.ones(1), np.ones(2)], 2, sampler=[0, 1])]
    assert caught.value.__notes__ == ["in the batch of the items 0, 1"]
    assert [len(batch) for batch in DataLoader([np.ones(1), np.ones(2)], 2, collate_fn=list)] == [2]


def test_an_index_out_of_range_is_an_index_error_with_a_note():
    with pytest.raises(
        IndexError, match=r"DataLoader: index 3 is out of range.\n.*from 0 to 2\.\n.*the sampler"
    ) as caught:
        [*DataLoader(DATA, sampler=[0, 3])]
    assert caught.value.__notes__ == ["in the batch of the items 3"]


def test_a_dataset_that_raises_stop_iteration_does_not_end_the_epoch_silently():
    class Over(list):
        def __getitem__(self, index):
            raise StopIteration

    with pytest.raises(RuntimeError, match="StopIteration"):
        [*DataLoader(Over([1]))]


def test_a_function_without_a_signature_is_accepted():
    assert [*DataLoader([3, 1, 2], 3, collate_fn=min)] == [1]


def test_indexing_error_is_an_index_error():
    assert issubclass(IndexingError, IndexError)


def test_without_a_seed_the_order_depends_on_pythons_global_generator():
    def order():
        random.seed(7)
        return list(DataLoader(range(50), shuffle=True))

    first = order()
    random.random()
    assert order() == first
    assert list(DataLoader(range(50), shuffle=True)) != list(DataLoader(range(50), shuffle=True))
