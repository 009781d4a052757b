"""Collate: stacking and its inverse, structures, and errors that name the items."""

from collections import namedtuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from dark.data import collate
from dark.errors import ShapeError, UsageError, ValueTypeError
from tests.data.comparison import assert_same

Pair = namedtuple("Pair", ["x", "y"])
leaves = st.sampled_from(["number", "float", "array", "string"])
forms = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=3).map(tuple),
        st.lists(inner, min_size=1, max_size=3),
        st.dictionaries(st.sampled_from("abc"), inner, min_size=1),
        st.tuples(inner, inner).map(Pair._make),
    ),
    max_leaves=5,
)


def item_of_structure(form, n):
    """Return item n of a structure."""
    if isinstance(form, dict):
        return {key: item_of_structure(part, n) for key, part in form.items()}
    if isinstance(form, (tuple, list)):
        parts = [item_of_structure(part, n) for part in form]
        return Pair._make(parts) if isinstance(form, Pair) else type(form)(parts)
    return {"number": n, "float": n / 2, "array": np.full((2, 1), n, dtype=np.float32), "string": str(n)}[form]


def item_at(batch, n):
    """Return item n of a batch."""
    if isinstance(batch, dict):
        return {key: item_at(part, n) for key, part in batch.items()}
    if isinstance(batch, Pair):
        return Pair._make(item_at(part, n) for part in batch)
    if isinstance(batch, tuple) or (isinstance(batch, list) and not isinstance(batch[0], str)):
        return type(batch)(item_at(part, n) for part in batch)
    return batch[n]


@given(form=forms, n=st.integers(1, 4))
def test_every_item_can_be_recovered_from_the_batch(form, n):
    items = [item_of_structure(form, k) for k in range(n)]
    batch = collate(items)
    assert [str(item_at(batch, k)) for k in range(n)] == [str(item_at(collate([item]), 0)) for item in items]


@given(x=arrays.arrays(st.sampled_from([np.float32, np.int8, bool]), arrays.array_shapes(min_dims=1, max_dims=4)))
def test_collating_the_rows_of_an_array_gives_the_array(x):
    assert_same(collate([*x]), x)


@pytest.mark.parametrize(
    ("items", "dtype"),
    [([1, 2], np.int64), ([1.0, 2], np.float64), ([True, False], np.bool_), ([1j, 0], complex),
     ([np.float32(1), np.float32(2)], np.float32), ([np.array(1, dtype=np.int8)] * 2, np.int8)],
)  # fmt: skip
def test_numbers_become_a_one_dimensional_array_of_numpys_dtype(items, dtype):
    batch = collate(items)
    assert batch.shape == (2,) and batch.dtype == dtype


def test_a_bare_array_is_one_array_and_not_a_tuple():
    assert collate([np.arange(3), np.arange(3)]).shape == (2, 3)


def test_strings_and_bytes_are_listed():
    assert collate(["a", "bc"]) == ["a", "bc"]
    assert collate([np.str_("a"), np.str_("b")]) == ["a", "b"]
    assert collate([b"a", b"b"]) == [b"a", b"b"]


@pytest.mark.parametrize(
    ("items", "error", "text"),
    [
        ([np.ones(2), np.ones(3), np.ones(2)], ShapeError, r"equal shapes, got .* \(2,\) at 0, 2, shape \(3,\) at 1\."),
        ([(1, np.ones(n)) for n in range(7)], ShapeError, r"\(in \[1\] of each\) .* shape \(0,\) at 0, .*, and 3 more"),
        ([{"x": [np.ones(int(n < 6))]} for n in range(7)], ShapeError, r"in \['x'\]\[0\] of each.* at 0, 1, 2, 3, "),
        ([(1, 2), (1,)], ShapeError, "equal lengths, got length 2 at 0, length 1 at 1.\n  Expected: one length"),
        ([], UsageError, "collate: the list of items must not be empty"),
        ([{"a": 1}, {"b": 1}], UsageError, r"equal keys, but those of items 0 and 1 differ in \['a', 'b'\]"),
        ([1, "a"], UsageError, "item 0 is array and item 1 string"),
        ([(1, 2), [1, 2]], UsageError, "item 0 is tuple and item 1 list"),
        ([(1, None)], ValueTypeError, r"cannot collate item 0\[1\] of type NoneType"),
        ([object()], ValueTypeError, "cannot collate item 0 of type object"),
        ([2**70, 1], ValueTypeError, "an array of Python objects"),
    ],
)  # fmt: skip
def test_items_that_cannot_be_collated_are_named(items, error, text):
    with pytest.raises(error, match=text) as caught:
        collate(items)
    assert "\n  Expected: " in str(caught.value) and "\n  Try: " in str(caught.value)


@pytest.mark.oracle
@given(form=forms, n=st.integers(1, 3))
def test_batches_equal_those_of_pytorch(form, n):
    torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
    items = [item_of_structure(form, k) for k in range(n)]

    def plain(batch):
        if isinstance(batch, dict):
            return {key: plain(part) for key, part in batch.items()}
        if isinstance(batch, (tuple, list)):
            return [plain(part) for part in batch]
        return batch if isinstance(batch, str) else (str(batch.dtype).split(".")[-1], batch.tolist())

    assert plain(collate(items)) == plain(torch.utils.data.default_collate(items))


def test_the_structure_of_a_subclass_is_that_of_its_base():
    class Pair(tuple):
        pass

    class Name(str):
        pass

    batch = collate([Pair((1.0, Name("a"))), Pair((2.0, Name("b")))])
    assert batch[0].tolist() == [1.0, 2.0] and batch[1] == ["a", "b"]
