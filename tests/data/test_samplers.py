"""Samplers: the indices of an epoch depend on the generator alone; counts agree with PyTorch."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dark.data import (
    BatchSampler,
    RandomSampler,
    Sampler,
    SequentialSampler,
    SubsetRandomSampler,
    WeightedRandomSampler,
)
from dark.errors import ShapeError, UsageError, ValueTypeError

sizes = st.integers(1, 12)
SAMPLERS = [
    lambda n: SequentialSampler(range(n)),
    lambda n: RandomSampler(range(n)),
    lambda n: RandomSampler(range(n), num_samples=2 * n + 1),
    lambda n: RandomSampler(range(n), replacement=True),
    lambda n: RandomSampler(range(n), replacement=True, num_samples=1),
    lambda n: SubsetRandomSampler(range(0, n, 2)),
    lambda n: WeightedRandomSampler(np.arange(n) + 1, 5),
    lambda n: WeightedRandomSampler(np.arange(n) + 1, n, replacement=False),
]


@pytest.mark.parametrize("make", SAMPLERS)
@given(n=sizes, seed=st.integers(0, 5))
def test_an_epoch_has_the_right_length_and_range_and_depends_only_on_the_generator(make, n, seed):
    sampler = make(n)
    order = sampler.order(np.random.default_rng(seed))
    assert len(order) == len(sampler) and order.dtype.kind == "i"
    assert ((order >= 0) & (order < n)).all()
    assert make(n).order(np.random.default_rng(seed)).tolist() == order.tolist()
    assert len([*sampler]) == len(sampler) and all(type(index) is int for index in sampler)


@given(n=sizes, rounds=st.integers(0, 3), rest=st.integers(0, 11))
def test_without_replacement_every_index_occurs_equally_often(n, rounds, rest):
    number = max(rounds * n + rest % n, 1)
    counts = np.bincount(RandomSampler(range(n), num_samples=number).order(), minlength=n)
    assert counts.sum() == number and counts.max() - counts.min() <= 1


@given(indices=st.lists(st.integers(-9, 9), min_size=1), seed=st.integers(0, 9))
def test_a_subset_is_shuffled_and_complete(indices, seed):
    assert sorted(SubsetRandomSampler(indices).order(np.random.default_rng(seed))) == sorted(indices)


def test_indices_occur_in_proportion_to_their_weights():
    drawn = WeightedRandomSampler([0, 1, 3], 40_000).order(np.random.default_rng(0))
    np.testing.assert_allclose(np.bincount(drawn) / 40_000, [0, 0.25, 0.75], atol=0.01)
    assert sorted(WeightedRandomSampler([1, 0, 2], 2, replacement=False)) == [0, 2]


@given(n=sizes, size=st.integers(1, 13), drop_last=st.booleans())
def test_batches_are_consecutive_chunks_of_the_order(n, size, drop_last):
    for inner in (SequentialSampler(range(n)), range(n)):
        sampler = BatchSampler(inner, size, drop_last)
        batches = [*sampler]
        kept = n // size * size if drop_last else n
        assert [index for batch in batches for index in batch] == [*range(kept)]
        assert len(batches) == len(sampler)
        assert all(len(batch) == size for batch in batches[:-1])


@pytest.mark.oracle
@given(n=sizes, size=st.integers(1, 13), drop_last=st.booleans())
def test_batches_are_pytorchs(n, size, drop_last):
    torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
    theirs = torch.utils.data.BatchSampler(torch.utils.data.SequentialSampler(range(n)), size, drop_last)
    actual = BatchSampler(SequentialSampler(range(n)), size, drop_last)
    assert [*actual] == [*theirs] and len(actual) == len(theirs)


def test_a_custom_sampler_must_define_two_methods():
    class Half(Sampler):
        def __len__(self):
            return 1

    with pytest.raises(TypeError, match="abstract method '?order"):
        Half()


@pytest.mark.parametrize(
    ("wrong", "error", "text"),
    [
        (lambda: SequentialSampler([]), UsageError, "SequentialSampler: the dataset must not be empty"),
        (lambda: RandomSampler(range(0)), UsageError, "RandomSampler: the dataset must not be empty"),
        (lambda: RandomSampler([1], num_samples=0), UsageError, "RandomSampler: num_samples must be 1 or more, got 0"),
        (
            lambda: RandomSampler([1], num_samples=1.5),
            ValueTypeError,
            "num_samples must be an integer, got 1.5 .float.",
        ),
        (
            lambda: SubsetRandomSampler([0.5]),
            ValueTypeError,
            "SubsetRandomSampler: indices must be integers, got float64",
        ),
        (
            lambda: WeightedRandomSampler([[1]], 1),
            ShapeError,
            r"WeightedRandomSampler: weights must be one-dimensional, got shape \(1, 1\)",
        ),
        (
            lambda: WeightedRandomSampler("ab", 1),
            ValueTypeError,
            r"WeightedRandomSampler: weights must be numeric, got 'ab' \(str\)",
        ),
        (lambda: WeightedRandomSampler([1, -1], 1), UsageError, "weights must be finite and not negative, got -1.0"),
        (lambda: WeightedRandomSampler([np.nan], 1), UsageError, "weights must be finite and not negative, got nan"),
        (lambda: WeightedRandomSampler([np.inf], 1), UsageError, "weights must be finite and not negative, got inf"),
        (lambda: WeightedRandomSampler([0, 0], 1), UsageError, "cannot draw 1 samples from 0 positive weights"),
        (lambda: WeightedRandomSampler([], 1), UsageError, "cannot draw 1 samples from 0 positive weights"),
        (
            lambda: WeightedRandomSampler([0, 1], 2, replacement=False),
            UsageError,
            "cannot draw 2 samples from 1 positive weights",
        ),
        (lambda: BatchSampler(range(3), 0), UsageError, "BatchSampler: batch_size must be 1 or more, got 0"),
        (lambda: BatchSampler(iter([1]), 2), ValueTypeError, "list_iterator, which is exhausted after one epoch"),
        (lambda: BatchSampler(3, 2), ValueTypeError, "sampler is of type int, which is not iterable"),
    ],
)
def test_invalid_arguments_are_named(wrong, error, text):
    with pytest.raises(error, match=text) as caught:
        wrong()
    assert "\n  Expected: " in str(caught.value) and "\n  Try: " in str(caught.value)


@pytest.mark.parametrize("sampler", [RandomSampler(range(20)), WeightedRandomSampler(np.ones(20), 9)])
def test_without_a_generator_the_order_depends_on_pythons_global_generator(sampler):
    random.seed(3)
    first, second = list(sampler), list(sampler)
    random.seed(3)
    assert (list(sampler), list(sampler)) == (first, second) and first != second


def test_an_invalid_generator_is_rejected():
    with pytest.raises(ValueTypeError, match=r"generator: 'a' \(str\): .*\n  Expected: a NumPy Generator"):
        RandomSampler(range(3)).order("a")
