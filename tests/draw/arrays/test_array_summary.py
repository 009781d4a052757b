"""Summaries of arrays: they agree with NumPy, raise no warnings, and are snapshots."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import dark
from dark.draw import Box
from dark.draw.arrays.array_summary import (
    MOST_CELLS,
    Summary,
    alt_text_of,
    caption_text,
    summarize,
    summary_lines,
    summary_of,
)

SHAPES = arrays.array_shapes(min_dims=1, max_dims=3, min_side=0, max_side=40)
DTYPES = st.sampled_from(["f2", "f4", "f8", "i1", "i8", "u1", "?"])


@given(arrays.arrays(DTYPES, SHAPES))
@pytest.mark.long
def test_any_numeric_array_is_summarized_without_a_warning(array):
    summary = summary_of(array)
    numbers = array[~np.isnan(array)].astype(float)
    assert (summary.shape, summary.dtype) == (array.shape, str(array.dtype))
    assert summary.nans == array.size - numbers.size
    if numbers.size:
        assert (summary.low, summary.high) == (numbers.min(), numbers.max())
    assert summary_lines(summary) and alt_text_of(array) and caption_text(array)


@given(arrays.arrays(DTYPES, arrays.array_shapes(min_dims=1, max_dims=2, min_side=1, max_side=70)))
def test_cells_are_at_most_16_by_16_and_between_minus_one_and_one(array):
    cells = np.array(summary_of(array).cells)
    if array.size <= 6:
        assert cells.size == 0
        return
    rows = 1 if array.ndim == 1 else array.shape[0]
    assert cells.shape == (min(rows, MOST_CELLS), min(array.shape[-1], MOST_CELLS))
    assert np.isnan(cells).any() == np.isnan(array).any()
    assert not (np.abs(cells[np.isfinite(cells)]) > 1).any()
    if not np.isnan(array).any():
        assert np.isinf(cells).any() == np.isinf(array).any()


@given(arrays.arrays("f8", (4, 5), elements=st.floats(-1e6, 1e6, allow_subnormal=False)))  # smaller ones round to 0
def test_a_cell_has_the_sign_of_its_element_and_the_largest_magnitude_is_one(array):
    cells = np.array(summary_of(array).cells)
    assert (np.signbit(cells) == (array < 0)).all()
    assert np.abs(cells).max() == pytest.approx(1) or np.ptp(array) == 0
    assert np.abs(cells).flat[np.abs(array).argmax()] == np.abs(cells).max()


def test_a_large_matrix_is_averaged_over_blocks():
    array = np.kron(np.arange(256.0).reshape(16, 16), np.ones((3, 5)))
    assert summary_of(array).cells == summary_of(np.arange(256.0).reshape(16, 16)).cells


def test_a_nan_is_shown_in_its_block_and_counted():
    array = np.ones((160, 160))
    array[35, 12] = np.nan
    summary = summary_of(array)
    assert [(r, c) for r, row in enumerate(summary.cells) for c, v in enumerate(row) if v != v] == [(3, 1)]
    assert summary_lines(summary) == ("min 1", "mean 1", "max 1", "1 NaN")


@pytest.mark.parametrize(
    ("array", "lines"),
    [
        (np.array([1.0, 2.5]), ("[1 2.5]",)),
        (np.array([[1, 2], [3, 4]]), ("[1 2]", "[3 4]")),
        (np.arange(6.0), ("[0 1 2", "3 4 5]")),
        (np.arange(6.0).reshape(6, 1), ("[0 1 2", "3 4 5]")),
        (np.array([1, np.nan, -np.inf]), ("[1 nan -inf]",)),
        (np.full(8, np.nan), ("8 NaN, no numbers",)),
        (np.array([np.inf, -np.inf, np.nan, 1, 2, 3, 4]), ("min -inf", "mean nan", "max inf", "2 infinite", "1 NaN")),
        (np.full(8, np.inf), ("min inf", "mean inf", "max inf", "8 infinite")),
        (np.array([1 + 2j, -1j]), ("[1+2j -0-1j]",)),
        (np.array([3 + 4j, 0, -5, 5j, 1j, 0, np.nan]), ("min |z| 0", "mean |z| 2.67", "max |z| 5", "1 NaN")),
        (np.array([True, False] * 4), ("min 0", "mean 0.5", "max 1")),
        (np.zeros((0, 3)), ("empty",)),
        (np.array(["a"]), ()),
    ],
)
def test_the_lines_of_an_array(array, lines):
    assert summary_lines(summary_of(array)) == lines


def test_numbers_strings_and_scalar_nodes_are_unchanged():
    node = dark.Parameter(3.0)
    for thing in (3.0, None, "text", np.float32(2.0), node):
        assert summarize(thing) is thing


def test_a_0d_array_becomes_a_scalar():
    array = np.array(2.0, dtype="float32")
    box = Box("parameter", None, array, array)
    array += 1
    assert box.value == box.grad == 2.0 and box.value.dtype == "float32"


def test_a_node_that_holds_an_array_is_summarized():
    assert summarize(dark.Parameter(np.ones(3))) == summarize(np.ones(3))


def test_an_object_with_a_shape_that_is_not_an_array_is_unchanged():
    class Odd:
        shape = (3,)

        def __array__(self, *args, **kwargs):
            raise RuntimeError

    odd = Odd()
    assert summarize(odd) is odd
    assert Box("constant", None, odd).value is odd


def test_masked_elements_count_as_nan():
    summary = summarize(np.ma.array([1, 2, 30], mask=[0, 0, 1]))
    assert summary.nans == 1 and summary.high == 2


def test_a_box_is_a_snapshot_of_its_array():
    array = np.zeros(3)
    box = Box("parameter", None, array, array)
    array += 1
    assert isinstance(box.value, Summary) and box.value.numbers == (0.0, 0.0, 0.0) == box.grad.numbers


def test_captions_have_the_numbers_of_small_arrays_and_the_sum_of_others():
    assert caption_text(np.ones((4, 8))) == "(4, 8) sum 32"
    assert caption_text(np.array([1.0, np.nan] * 4)) == "(8,) sum 4 and 4 NaN"
    assert caption_text(np.full(8, np.nan)) == "(8,) 8 NaN, no numbers"
    assert caption_text(np.zeros((0, 3))) == "(0, 3) empty"
    assert caption_text(np.arange(9) * 1j) == "(9,) min |z| 0 mean |z| 4 max |z| 8"
    assert alt_text_of(np.zeros((0, 3))) == "float64 (0, 3) empty"
    assert caption_text(None) == "–"
