"""Datasets: arrays, subsets, concatenations, and the protocol."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dark.data import (
    ConcatDataset,
    Dataset,
    Standardize,
    Subset,
    TensorDataset,
    WeightedRandomSampler,
    collate,
    split,
)
from dark.data.dataset import has_batch_method, read
from dark.errors import IndexingError, ShapeError, UsageError, ValueTypeError
from tests.data.comparison import assert_same, numbered

sizes = st.integers(1, 9)
DATASETS = [
    np.arange(12.0).reshape(4, 3),
    np.asfortranarray(np.arange(12.0).reshape(4, 3)),
    numbered(4),
    TensorDataset(np.arange(8.0).reshape(4, 2)[:, :1], np.array(["a", "b", "c", "d"])),
    TensorDataset(x=np.arange(4), y=np.ones((4, 2, 2), dtype=np.float32)),
    Subset(numbered(9), [8, 1, 1, 5]),
    Subset(list("abcd"), [3, 2, 1, 0]),
    Subset(Subset(numbered(9), [8, 1, 7, 5, 6]), [0, 2, -1, 1]),
    ConcatDataset([numbered(3), numbered(1)]),
    [(1, {"a": 2.0}, "x")] * 4,
]


@pytest.mark.parametrize("dataset", DATASETS)
@given(indices=st.lists(st.integers(-4, 3), min_size=1))
def test_a_batch_is_the_items_collated(dataset, indices):
    if isinstance(dataset, TensorDataset) and isinstance(dataset.arrays, tuple):  # collate lists strings
        dataset = TensorDataset(*[a for a in dataset.arrays if a.dtype.kind != "U"])
    assert_same(read(dataset, np.array(indices)), collate([dataset[i] for i in indices]))


@pytest.mark.parametrize("dataset", DATASETS)
def test_any_object_with_len_and_getitem_is_a_dataset(dataset):
    assert isinstance(dataset, Dataset)
    assert len(dataset) == 4


@given(parts=st.lists(sizes, min_size=1, max_size=4))
def test_a_concatenation_has_all_items_in_order(parts):
    flat = [(k, i) for k, n in enumerate(parts) for i in range(n)]
    both = ConcatDataset([[(k, i) for i in range(n)] for k, n in enumerate(parts)])
    assert [both[i] for i in range(len(both))] == flat
    assert [both[i - len(both)] for i in range(len(both))] == flat


@given(n=sizes, data=st.data())
def test_a_subset_of_a_subset_composes_the_indices(n, data):
    outer = data.draw(st.lists(st.integers(0, n - 1), min_size=1))
    inner = data.draw(st.lists(st.integers(0, len(outer) - 1), min_size=1))
    both = Subset(Subset(numbered(n), outer), inner)
    assert [int(both[k][1]) for k in range(len(both))] == [outer[i] for i in inner]
    assert both.targets.tolist() == both[:][1].tolist() == [outer[i] for i in inner]


def test_a_batch_is_a_copy_and_an_item_is_a_view():
    x = np.zeros((3, 2))
    data = TensorDataset(x)
    data.batch(np.array([0, 1]))[0][:] = 9
    assert not x.any()
    x[0] = 5
    assert data[0][0].tolist() == [5, 5]


def test_a_subclass_that_overrides_getitem_is_read_item_by_item():
    class Doubled(TensorDataset):
        def __getitem__(self, index):
            return tuple(2 * part for part in super().__getitem__(index))

    assert not has_batch_method(Doubled(np.arange(3)))
    assert read(Doubled(np.arange(3)), np.array([2, 1]))[0].tolist() == [4, 2]
    assert Subset(Doubled(np.arange(3)), [2]).batch(np.array([0]))[0].tolist() == [4]


def test_a_subclass_of_dataset_must_define_both_methods():
    class Half(Dataset):
        def __len__(self):
            return 1

    with pytest.raises(TypeError, match="abstract method '?__getitem__"):
        Half()


def test_slices_and_arrays_index_all_rows_at_once():
    data = numbered(4)
    assert data[1:3][1].tolist() == [1, 2]
    assert data[np.array([3, 0])][1].tolist() == [3, 0]
    assert data[-1][1] == 3


@pytest.mark.parametrize(
    ("dataset", "targets"),
    [
        (TensorDataset([1, 2], [3, 4]), [3, 4]),
        (TensorDataset(x=[1, 2], targets=[3, 4]), [3, 4]),
        (TensorDataset(y=[3, 4], x=[1, 2]), [3, 4]),
    ],
)
def test_the_targets_are_the_last_array_or_the_one_named_so(dataset, targets):
    assert dataset.targets.tolist() == targets


def test_a_dataset_without_targets_has_no_such_attribute():
    for dataset in (TensorDataset([1, 2]), TensorDataset(x=[1, 2]), Subset(TensorDataset([1, 2]), [0])):
        assert getattr(dataset, "targets", None) is None


def test_repr_shows_shapes_and_lengths():
    assert repr(numbered(3)) == "TensorDataset((3, 2), (3,))"
    assert repr(TensorDataset(x=[1, 2])) == "TensorDataset(x=(2,))"
    assert repr(Subset(numbered(3), [0])) == "Subset(1 of the 3 items of TensorDataset)"
    assert repr(ConcatDataset([[1], [2, 3]])) == "ConcatDataset(1, 2 items)"


class Tensor:
    """As a tensor of PyTorch that requires grad."""

    requires_grad = True

    def __array__(self, *args, **options):
        raise RuntimeError("cannot call numpy()")


@pytest.mark.parametrize(
    ("wrong", "error", "text"),
    [
        (lambda: TensorDataset(), UsageError, "TensorDataset: expected positional or named arrays, got 0 and 0"),
        (lambda: TensorDataset([1], x=[2]), UsageError, "expected positional or named arrays, got 1 and 1"),
        (
            lambda: TensorDataset(np.ones((3, 2)), np.ones(2)),
            ShapeError,
            r"arrays must have the same length .*, got shapes \(3, 2\), \(2,\).\n  Expected: the same",
        ),
        (lambda: TensorDataset(3.0), ShapeError, "array 0 is 0-d"),
        (
            lambda: TensorDataset([[1], [1, 2]]),
            ValueTypeError,
            r"TensorDataset: cannot convert array 0, \[\[1\], \[1, 2\]\]",
        ),
        (
            lambda: TensorDataset(x=Tensor()),
            ValueTypeError,
            "array x must not require grad, got a Tensor of another library",
        ),
        (lambda: Subset([1, 2], [[0], [0, 1]]), ValueTypeError, "Subset: cannot convert indices"),
        (
            lambda: Subset([1, 2], Tensor()),
            ValueTypeError,
            "Subset: indices must not require grad, got a Tensor of another library",
        ),
        (
            lambda: WeightedRandomSampler(Tensor(), 2),
            ValueTypeError,
            "weights must not require grad, got a Tensor of another library",
        ),
        (lambda: Standardize().fit([[1], [1, 2]]), ValueTypeError, "Standardize: cannot convert x"),
        (lambda: split([1, 2], [[1], [1, 2]]), ValueTypeError, "split: cannot convert fractions"),
        (
            lambda: TensorDataset(x=np.array([{}, []], dtype=object)),
            ValueTypeError,
            "array x must not contain Python objects",
        ),
        (
            lambda: Subset([1, 2], [2]),
            IndexingError,
            "Subset: index 2 is out of range.\n  Expected: indices from 0 to 1",
        ),
        (lambda: Subset([1, 2], [-3]), IndexingError, "index -3 is out of range"),
        (lambda: Subset([1, 2], [0.5]), ValueTypeError, "Subset: indices must be integers, got float64"),
        (
            lambda: Subset([1, 2], [True, False]),
            ValueTypeError,
            "indices must be integers, got bool.*\n.*\n  Try: np.flatnonzero",
        ),
        (lambda: Subset([1, 2], [[0]]), ShapeError, r"Subset: indices must be one-dimensional, got shape \(1, 1\)"),
        (lambda: Subset([], []), UsageError, "Subset: the dataset must not be empty"),
        (lambda: Subset(iter([1]), [0]), ValueTypeError, "Subset: list_iterator is not a dataset"),
        (lambda: Subset(np.float64(1), [0]), ValueTypeError, "float64 is not a dataset"),
        (lambda: Subset(np.array(1.0), [0]), ValueTypeError, "ndarray is not a dataset"),
        (lambda: Subset({1, 2}, [0]), ValueTypeError, "set is not a dataset"),
        (lambda: ConcatDataset(3), ValueTypeError, r"ConcatDataset: .*, got 3 \(int\).\n  Expected: a list of data"),
        (lambda: ConcatDataset([]), UsageError, "ConcatDataset: the list of datasets must not be empty"),
        (lambda: ConcatDataset([[1], []]), UsageError, "ConcatDataset: the dataset must not be empty"),
        (
            lambda: ConcatDataset([[1, 2]])[2],
            IndexingError,
            "index 2 is out of range.\n  Expected: an index from -2 to 1",
        ),
    ],
)
def test_invalid_datasets_raise_errors_with_three_parts(wrong, error, text):
    with pytest.raises(error, match=text) as caught:
        wrong()
    assert "\n  Expected: " in str(caught.value) and "\n  Try: " in str(caught.value)


def test_an_error_names_the_item_that_was_read():
    class Broken(list):
        def __getitem__(self, index):
            raise OSError("no such file")

    with pytest.raises(OSError, match="no such file") as caught:
        read(Broken([1, 2]), np.array([1]))
    assert caught.value.__notes__ == ["while reading item 1 of Broken"]
