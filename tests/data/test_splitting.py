"""Split: exact sizes, classes in proportion, disjoint parts that cover the dataset, reproducible by seed."""

import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dark.data import Subset, TensorDataset, datasets, split
from dark.data.splitting import part_sizes
from dark.errors import MissingExtraError, ShapeError, UsageError, ValueTypeError
from tests.data.comparison import numbered
from tests.examples import examples

some_fractions = st.lists(st.integers(1, 20), min_size=1, max_size=5).map(lambda parts: np.array(parts) / sum(parts))


@examples(30)
@given(
    counts=st.lists(st.integers(5, 40), min_size=1, max_size=12),
    weights=st.lists(st.integers(1, 9), min_size=2, max_size=5),
    seed=st.integers(0, 2**40),
)
def test_each_class_is_divided_in_proportion_up_to_rounding(counts, weights, seed):
    labels = np.repeat(np.arange(len(counts)), counts)
    sizes = part_sizes(len(labels), np.array(weights) / sum(weights))
    for part in split(labels, sizes, seed=seed)[: len(sizes) if min(sizes) >= len(counts) else 0]:
        exact = np.array(counts) * len(part) / len(labels)
        allowed = 1 if len(sizes) == 2 else len(sizes)
        assert (np.abs(np.bincount(labels[part.indices], minlength=len(counts)) - exact) < allowed).all()


@given(
    counts=st.lists(st.integers(3, 6), min_size=1, max_size=12),
    cut=st.integers(0, 2**16),
    seed=st.integers(0, 3),
)
def test_parts_smaller_than_the_number_of_classes_are_split_too(counts, cut, seed):
    labels = np.repeat(np.arange(len(counts)), counts)
    small = 1 + cut % (len(labels) - 2)
    parts = split(labels, [small, 1, len(labels) - small - 1], seed=seed)
    assert [len(part) for part in parts] == [small, 1, len(labels) - small - 1]
    assert sorted(np.concatenate([part.indices for part in parts])) == [*range(len(labels))]


def test_only_a_stratified_split_needs_scikit_learn(monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn.model_selection", None)
    assert sorted(np.concatenate([part.indices for part in split("abcd", (0.5, 0.5), stratify=False)])) == [0, 1, 2, 3]
    with pytest.raises(MissingExtraError, match="scikit-learn is not installed.\n  Expected: the extra 'lab'"):
        split([0, 0, 1, 1], (0.5, 0.5))


@given(n=st.integers(1, 5000), fractions=some_fractions)
def test_part_sizes_sum_to_n_and_differ_from_the_exact_size_by_less_than_one(n, fractions):
    if n < 20 * 5:
        n += 100
    sizes = part_sizes(n, fractions)
    assert sum(sizes) == n
    assert (np.abs(np.array(sizes) - fractions * n) < 1).all()


@examples(50)
@given(
    counts=st.lists(st.integers(5, 30), min_size=1, max_size=5),
    fractions=some_fractions.filter(lambda f: min(f) > 0.2),
    seed=st.integers(0, 3),
    names=st.sampled_from([np.arange(5), np.array(["ant", "bee", "cat", "dog", "eel"]), np.arange(5.0) - 2]),
)
def test_parts_are_disjoint_cover_the_dataset_and_hold_every_class(counts, fractions, seed, names):
    labels = np.random.default_rng(seed).permutation(np.repeat(names[: len(counts)], counts))
    parts = split(labels, fractions, seed=seed)
    assert sorted(np.concatenate([part.indices for part in parts])) == [*range(len(labels))]
    assert [len(part) for part in parts] == part_sizes(len(labels), fractions)
    for part in parts:
        for name, count in zip(names, counts):
            exact, found = count * len(part) / len(labels), np.count_nonzero(labels[part.indices] == name)
            assert abs(found - exact) < (1 if len(parts) == 2 else len(parts))
    again = split(labels, fractions, seed=seed)
    assert [part.indices.tolist() for part in again] == [part.indices.tolist() for part in parts]


def test_another_seed_gives_other_parts_and_a_part_is_in_random_order():
    labels = np.repeat([0, 1], 50)
    a, b = (split(labels, (0.5, 0.5), seed=seed)[0].indices for seed in (0, 1))
    assert set(a) != set(b)
    assert a.tolist() != sorted(a) and set(labels[a[:25]]) == {0, 1}


def test_labels_come_from_the_dataset_from_the_argument_or_are_not_needed():
    data = datasets.iris()
    for parts in (
        split(data, (0.8, 0.2)),
        split(TensorDataset(data.inputs, data.targets), (0.8, 0.2)),
        split(data.inputs, (0.8, 0.2), labels=data.targets),
        split([*data.targets.tolist()], [120, 30]),
    ):
        assert [np.bincount(data.targets[part.indices]).tolist() for part in parts] == [[40] * 3, [10] * 3]
        assert all(isinstance(part, Subset) for part in parts)
    plain = split(datasets.diabetes(), (0.5, 0.25, 0.25), stratify=False)
    assert [len(part) for part in plain] == [221, 111, 110]


def test_a_part_can_be_split_again():
    train, rest = split(datasets.digits(), (0.6, 0.4))
    validation, test = split(rest, (0.5, 0.5))
    indices = [train.indices, rest.indices[validation.indices], rest.indices[test.indices]]
    assert sorted(np.concatenate(indices)) == [*range(1797)]
    assert np.ptp(np.bincount(validation.targets) - np.bincount(test.targets)) <= 2


LABELS = np.repeat([0, 1], [8, 2])


@pytest.mark.parametrize(
    ("wrong", "error", "text"),
    [
        (lambda: split(LABELS, (0.5, 0.4)), UsageError, r"\[0.5, 0.4\] must .* sum to 0.9.\n  Expected: fractions"),
        (lambda: split(LABELS, (5, 6)), UsageError, r"\[5, 6\] must .* sum to 11.\n.* or sizes that sum to 10"),
        (lambda: split(LABELS, (0.99, 0.01)), UsageError,
         r"split: every part needs an item, but \[0.99, 0.01\] gives parts of \[10, 0\] items"),
        (lambda: split(LABELS, (1.5, -0.5)), UsageError, "split: every part needs an item"),
        (lambda: split(LABELS, (np.nan, 0.5)), UsageError, "sum to nan"),
        (lambda: split(LABELS, ()), ValueTypeError, r"split: fractions must be a nonempty sequence of .*, got \(\)"),
        (lambda: split(LABELS, 0.8), ValueTypeError, "split: fractions must be a nonempty sequence of .*, got 0.8"),
        (lambda: split(LABELS, ("a", "b")), ValueTypeError, "split: fractions must be a nonempty sequence"),
        (lambda: split(LABELS, (0.4, 0.3, 0.3)), UsageError, "at least 3 members, but 1 has 2.\n.*: at least 3"),
        (lambda: split([*"abbb"], (0.5, 0.5)), UsageError, "each class must have at least 2 members, but 'a' has 1"),
        (lambda: split([(1, 2)] * 4, (0.5, 0.5)), UsageError, "list has no targets to.*\n.*\n.*stratify=False"),
        (lambda: split(numbered(4), (0.5, 0.5), labels=[0, 1]), ShapeError, r"4 items, got labels of shape \(2,\)"),
        (lambda: split(np.eye(4), (0.5, 0.5), labels=np.eye(4)), ShapeError, r"shape \(4, 4\).*\n.*\n.*argmax"),
        (lambda: split([0.5, 0.25], (0.5, 0.5)), ValueTypeError, "split: labels of dtype float64 are not class labels"),
        (lambda: split([None, 1], (0.5, 0.5)), ValueTypeError, "labels of dtype object"),
        (lambda: split([], (0.5, 0.5)), UsageError, "split: the dataset must not be empty"),
        (lambda: split(LABELS, (0.5, 0.5), seed=-1), UsageError, "split: seed must be 0 or more, got -1"),
        (lambda: split(LABELS, (0.5, 0.5), seed=None), ValueTypeError, "split: seed must be an integer, got None"),
    ],
)  # fmt: skip
def test_invalid_arguments_raise_errors_with_three_parts(wrong, error, text):
    with pytest.raises(error, match=text) as caught:
        wrong()
    assert "\n  Expected: " in str(caught.value) and "\n  Try: " in str(caught.value)
