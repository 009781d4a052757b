"""The fixed tree: the same bits for every distribution of shards over replicas."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dark.distributed import Replicas, tree_sum
from dark.distributed.over_shards import layout_of
from dark.distributed.shards import bounds, owned
from dark.distributed.tree import merge
from dark.errors import ShapeError, UsageError, ValueTypeError


@st.composite
def distributions(draw):
    """Draw arrays, one per shard, whose sum depends on the order, and a replica for each shard."""
    shards = draw(st.integers(1, 20))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    arrays = [rng.normal(size=5) * 10.0 ** rng.integers(-12, 12, size=5) for _ in range(shards)]
    replicas = draw(st.integers(1, shards))
    return arrays, [draw(st.integers(0, replicas - 1)) for _ in range(shards)]


@given(distributions())
def test_any_distribution_of_shards_over_replicas_gives_the_same_bits(case):
    arrays, owners = case
    sums = {}
    for replica in set(owners):
        own = {(k, k + 1): array for k, array in enumerate(arrays) if owners[k] == replica}
        sums |= merge(own, len(arrays))
    (total,) = merge(sums, len(arrays)).values()
    np.testing.assert_array_equal(total.view(np.uint64), tree_sum(arrays).view(np.uint64))


@given(distributions(), st.data())
def test_replicas_add_like_the_tree_whatever_their_number(case, data):
    arrays, _ = case
    k = data.draw(st.integers(1, len(arrays)))
    total = Replicas(k, shards=len(arrays)).reduce(arrays)
    np.testing.assert_array_equal(total.view(np.uint64), tree_sum(arrays).view(np.uint64))


@given(distributions())
def test_the_sum_is_right_up_to_rounding(case):
    arrays, _ = case
    exact = np.array([float(sum(map(int, column * 2.0**60))) for column in np.transpose(arrays)]) / 2.0**60
    scale = np.abs(arrays).sum(axis=0)
    assert (abs(tree_sum(arrays) - exact) <= 1e-14 * scale + 1e-15).all()


def test_the_tree_of_five_shards_has_four_on_the_left():
    class Symbol(str):
        def __add__(self, other):
            return Symbol(f"({self}+{other})" if isinstance(other, Symbol) else str(self) + other)

    assert tree_sum([Symbol(k) for k in "01234"]) == "(((0+1)+(2+3))+4)"


@given(st.integers(0, 100), st.integers(1, 20))
def test_parts_are_even_and_cover_everything_once(count, parts):
    edges = bounds(count, parts)
    sizes = np.diff(edges)
    assert edges[0] == 0 and edges[-1] == count and set(sizes) <= {count // parts, -(-count // parts)}


@given(st.integers(1, 30), st.data())
def test_each_shard_belongs_to_one_replica_and_each_replica_has_one(shards, data):
    size = data.draw(st.integers(1, shards))
    ranges = [owned(rank, size, shards) for rank in range(size)]
    assert [k for own in ranges for k in own] == list(range(shards)) and all(ranges)


@given(st.lists(st.lists(st.integers(0, 3), max_size=3), min_size=1, max_size=5), st.integers(0, 99))
def test_a_buffer_holds_arrays_of_any_shape_and_returns_them(shapes, seed):
    rng = np.random.default_rng(seed)
    arrays = [rng.normal(size=shape) for shape in shapes]
    layout = layout_of(arrays)
    for array, back in zip(arrays, layout.unpack(layout.pack(arrays)), strict=True):
        np.testing.assert_array_equal(array, back)
        assert np.shape(back) == array.shape


def test_a_buffer_keeps_float32_and_integers():
    arrays = [np.ones(2, np.float32), 0.25, 3]
    layout = layout_of(arrays)
    assert layout.dtype == np.float32
    first, half, three = layout.unpack(layout.pack(arrays))
    assert first.dtype == np.float32 and half == 0.25 and three == 3 and type(three) is int
    assert layout_of([np.ones(2, np.float32), np.array(2**40)]).dtype == np.float64


def test_what_cannot_be_added_is_refused():
    with pytest.raises(ValueTypeError, match="the function must return arrays or numbers, got a str"):
        layout_of(["a"])
    with pytest.raises(ShapeError, match=r"the arrays of all shards must have the same shapes, got \[\(3,\)\] after"):
        layout_of([np.ones(2)]).pack([np.ones(3)])


@pytest.mark.parametrize("empty", [[], (), np.zeros((0, 3)), iter([])])
def test_the_sum_of_no_arrays_is_refused(empty):
    with pytest.raises(UsageError, match=r"tree_sum: the sequence must not be empty\.\n  Expected: at least one"):
        tree_sum(empty)


@pytest.mark.parametrize("value", [3, None, 2.5, "abc", {1: 2}, np.array(3.0), np.float64(2.0)])
def test_the_sum_of_what_is_not_a_sequence_is_refused(value):
    with pytest.raises(ValueTypeError, match=r"tree_sum: .* is not a sequence of arrays"):
        tree_sum(value)


@pytest.mark.parametrize("values", [[None], [[1], [2]], [np.ones(2), "a"], ["a", "b"], [object()], [(1,), (2,)]])
def test_the_sum_of_what_is_not_an_array_is_refused(values):
    with pytest.raises(ValueTypeError, match=r"tree_sum: .* is not an array"):
        tree_sum(values)


def test_the_sum_of_arrays_of_different_shapes_is_refused():
    with pytest.raises(ShapeError, match=r"tree_sum: all arrays must have the same shape, got \(2,\), \(3,\)"):
        tree_sum([np.ones(2), np.ones(3)])


def test_the_sum_of_any_iterable_of_numbers_is_computed():
    assert tree_sum(iter([1.0, 2.0])) == tree_sum((1, 2)) == 3 and tree_sum(np.ones((3, 2))).tolist() == [3, 3]
