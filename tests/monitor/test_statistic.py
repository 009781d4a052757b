"""`Statistic`: every result equals that of plain NumPy over the list of records, in constant memory."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import dark
from dark.errors import NotComputableError, ShapeError, UsageError, ValueTypeError
from dark.monitor import Exponential, Statistic

NUMBERS = st.floats(-1e6, 1e6)
RECORDS = st.integers(0, 3).flatmap(
    lambda n: st.lists(arrays(np.float64, (2,) * n, elements=NUMBERS), min_size=1, max_size=12)
)
BATCHES = st.lists(
    st.integers(1, 4).flatmap(lambda n: arrays(np.float64, (n, 2), elements=NUMBERS)), min_size=1, max_size=8
)
READERS = ("last_value", "average", "abs_average", "running_average", "running_abs_average", "std", "min", "max")


def filled(records, *args, **settings):
    """Return a statistic with these records."""
    statistic = Statistic(*args, **{"keep_abs_acc": True, **settings})
    for record in records:
        statistic.record(record)
    return statistic


def close(found, expected):
    """Compare with an error relative to the largest number in question."""
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9 * (1 + np.abs(expected).max(initial=1e6)))


def exponential(means, decay):
    """Return an exponential average written as the weighted sum that it is."""
    weights = (1 - decay) * decay ** np.arange(len(means))[::-1]
    return np.tensordot(weights, np.array(means), 1)


@given(RECORDS, st.none() | st.integers(1, 15), st.sampled_from([0.0, 0.5, 0.99]))
def test_all_results_equal_those_of_numpy_over_the_list_of_records(records, length, decay):
    statistic, stacked = filled(records, length, decays=[decay]), np.array(records)
    window = stacked[-(length or len(records)) :]
    close(statistic.average, stacked.mean(0))
    close(statistic.abs_average, np.abs(stacked).mean(0))
    close(statistic.running_average, window.mean(0))
    close(statistic.running_abs_average, np.abs(window).mean(0))
    close(statistic.std, stacked.std(0))
    np.testing.assert_array_equal(statistic.min, stacked.min(0))
    np.testing.assert_array_equal(statistic.max, stacked.max(0))
    np.testing.assert_array_equal(statistic.last_value, stacked[-1])
    raw, corrected = statistic.exponential(decay)
    close(raw, exponential(records, decay))
    close(corrected, exponential(records, decay) / (1 - decay ** len(records)))
    close(statistic.exponential(decay, absolute=True).raw, exponential(np.abs(records), decay))
    assert statistic.count == len(records) and statistic.max_length == length


@given(BATCHES, st.none() | st.integers(1, 10))
def test_batches_are_averaged_over_their_examples(batches, length):
    statistic, rows = filled(batches, length, reduce_1st_dim=True), np.concatenate(batches)
    window = np.concatenate(batches[-(length or len(batches)) :])
    close(statistic.average, rows.mean(0))
    close(statistic.abs_average, np.abs(rows).mean(0))
    close(statistic.running_average, window.mean(0))
    close(statistic.running_abs_average, np.abs(window).mean(0))
    close(statistic.std, rows.std(0))
    np.testing.assert_array_equal(statistic.min, rows.min(0))
    np.testing.assert_array_equal(statistic.max, rows.max(0))
    close(statistic.exponential().raw, exponential([b.mean(0) for b in batches], 0.99))
    assert statistic.count == len(rows)


@given(RECORDS, st.none() | st.integers(1, 4), st.integers(0, 12))
def test_a_statistic_that_was_saved_and_loaded_continues_as_if_nothing_had_happened(records, length, cut):
    whole, first, second = filled(records, length), filled(records[:cut], length), Statistic(keep_abs_acc=True)
    second.load_state_dict(first.state_dict())
    for record in records[cut:]:
        second.record(record)
    for name in READERS:
        np.testing.assert_array_equal(getattr(second, name), getattr(whole, name))
    np.testing.assert_array_equal(second.exponential(), whole.exponential())


def test_a_window_of_three_over_five_numbers():
    statistic = filled([1, -2, 3, -4, 5], max_length=3)
    assert (statistic.average, statistic.abs_average) == (0.6, 3.0)
    assert statistic.running_average == pytest.approx(4 / 3) and statistic.running_abs_average == 4.0
    assert statistic.last_value == 5 and type(statistic.last_value) is int and type(statistic.average) is float


def test_absolute_values_are_summed_apart_from_the_values():
    statistic = filled([[[1, -1], [3, -3]]], reduce_1st_dim=True)
    assert statistic.average.tolist() == [2, -2] and statistic.abs_average.tolist() == [2, 2]


def test_an_exponential_average_is_given_raw_and_corrected():
    raw, corrected = filled([1.0]).exponential(0.99)
    assert raw == pytest.approx(0.01) and corrected == pytest.approx(1)
    assert filled([2.0]).exponential(0.5) == Exponential(1.0, 2.0)


def test_any_decay_can_be_asked_for_while_all_records_are_there():
    statistic = filled([1.0, 3.0], max_length=2)
    assert statistic.exponential(0.5) == Exponential(1.75, 1.75 / 0.75)
    statistic.record(5.0)
    with pytest.raises(NotComputableError, match=r"sum is not kept.\n  Expected: decays=\(0.5,\)"):
        statistic.exponential(0.5)


def test_records_are_copies_and_so_are_results():
    array = np.array([1.0, 2.0])
    statistic = Statistic(max_length=2, keep_abs_acc=True)
    statistic.record(array)
    array[:] = 100
    statistic.record(np.array([3.0, 4.0]))
    assert statistic.running_average.tolist() == [2, 3]
    for name in READERS:
        getattr(statistic, name)[:] = 0
    statistic.window[0][:] = 0
    assert [record.tolist() for record in statistic.window] == [[1, 2], [3, 4]]
    assert statistic.max.tolist() == [3, 4] and statistic.average.tolist() == [2, 3]


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.int8, np.uint8, np.bool_])
def test_sums_and_differences_do_not_overflow_or_round_in_the_dtype_of_the_records(dtype):
    records = [np.array([1, 0, 1], dtype)] * 300
    statistic = filled(records, max_length=300)
    assert statistic.average.tolist() == [1, 0, 1] and statistic.running_average.tolist() == [1, 0, 1]
    assert statistic.average.dtype == np.float64 and statistic.last_value.dtype == dtype


def test_small_float32_records_are_not_lost_beside_large_ones():
    statistic = filled([np.float32(1e8), *[np.float32(1)] * 1000])
    assert statistic.average * 1001 == pytest.approx(1e8 + 1000, abs=1e-3)
    assert filled([np.int8(-128)]).abs_average == 128


def test_the_spread_survives_a_large_mean():
    records = 1e9 + np.arange(5.0)
    assert filled(records).std == pytest.approx(np.arange(5).std())


def test_nan_and_infinity_propagate():
    statistic = filled([np.array([1.0, np.nan, np.inf]), np.ones(3)])
    np.testing.assert_array_equal(statistic.average, [1, np.nan, np.inf])
    np.testing.assert_array_equal(statistic.std, [0, np.nan, np.nan])
    np.testing.assert_array_equal(statistic.max, [1, np.nan, np.inf])
    np.testing.assert_array_equal(filled([np.inf]).std, np.nan)


def test_memory_does_not_grow_with_the_number_of_records():
    statistic, record = filled([np.ones(1000)]), np.ones(1000)
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    for _ in range(300):
        statistic.record(record)
    grown = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert grown < 80_000


def test_a_node_is_recorded_by_its_value():
    x = dark.Parameter(np.array([1.0, 2.0]))
    assert filled([x, x * 3]).average.tolist() == [2, 4]


def test_a_window_can_be_changed():
    statistic = filled([1, 2, 3, 4], max_length=4)
    statistic.set_max_length(2)
    assert statistic.running_average == 3.5
    statistic.set_max_length(3)
    statistic.record(9)
    assert statistic.running_average == 16 / 3
    statistic.set_max_length(None)
    assert statistic.running_average == 19 / 5
    statistic.set_max_length(2)
    assert statistic.running_average == 9
    with pytest.raises(UsageError, match="which is not kept"):
        Statistic(3, keep_acc=False, keep_spread=False).set_max_length(None)


def test_a_batch_without_examples_changes_nothing():
    statistic = filled([np.ones((2, 3)), np.ones((0, 3))], reduce_1st_dim=True, max_length=5)
    assert statistic.count == 2 and len(statistic.window) == 1


@pytest.mark.parametrize("name", READERS)
def test_without_records_nothing_can_be_computed(name):
    with pytest.raises(NotComputableError, match=f"Statistic.{name if name != 'running_abs_average' else ''}"):
        getattr(Statistic(keep_abs_acc=True), name)
    with pytest.raises(NotComputableError, match="nothing was recorded"):
        getattr(Statistic(max_length=2), name)


def test_without_records_there_is_no_exponential_average_and_no_window():
    with pytest.raises(NotComputableError, match="nothing was recorded"):
        Statistic().exponential(0.99)
    assert Statistic().window == () and Statistic().count == 0


@pytest.mark.parametrize(
    ("settings", "name"),
    [
        ({"keep_acc": False}, "average"), ({"keep_abs_acc": False}, "abs_average"), ({"keep_spread": False}, "std"),
        ({"keep_abs_acc": False}, "running_abs_average"), ({"keep_extremes": False}, "min"),
        ({"keep_extremes": False}, "max"),
    ],
)  # fmt: skip
def test_what_is_not_kept_cannot_be_computed(settings, name):
    with pytest.raises(NotComputableError, match=next(iter(settings))):
        getattr(filled([1.0], **settings), name)


@pytest.mark.parametrize(
    ("settings", "records"),
    [
        ({}, [np.ones((2, 3)), np.ones((1, 3))]),
        ({}, [np.ones(2), 1.0]),
        ({"reduce_1st_dim": True}, [np.ones((2, 3)), np.ones((2, 4))]),
        ({"reduce_1st_dim": True}, [1.0]),
    ],
)
def test_unequal_shapes_are_refused_when_recorded_and_change_nothing(settings, records):
    statistic = filled(records[:-1], **settings)
    before = statistic.state_dict()
    with pytest.raises(ShapeError, match=r"Statistic.record: .*\n  Expected: .*\n  Try: "):
        statistic.record(records[-1])
    np.testing.assert_equal(statistic.state_dict(), before)


@pytest.mark.parametrize("value", ["1", None, [[1, 2], [3]], 1j, [np.ones(2), np.ones(3)], {"a": 1}, object()])
def test_what_is_not_numeric_is_refused_and_changes_nothing(value):
    statistic = Statistic()
    with pytest.raises(ValueTypeError, match="cannot be recorded"):
        statistic.record(value)
    assert statistic.count == 0


@pytest.mark.parametrize(
    ("settings", "error"),
    [
        ({"max_length": 0}, UsageError), ({"max_length": 2.0}, ValueTypeError), ({"keep_acc": 1}, ValueTypeError),
        ({"decays": [1.0]}, UsageError), ({"decays": ["a"]}, ValueTypeError),
        ({"decays": 0.9}, ValueTypeError), ({"keep_spread": None}, ValueTypeError),
    ],
)  # fmt: skip
def test_invalid_settings_are_refused(settings, error):
    with pytest.raises(error, match=next(iter(settings)).rstrip("s")):
        Statistic(**settings)


def test_a_state_of_other_settings_is_refused_and_changes_nothing():
    statistic, other = filled([1.0]), Statistic()
    with pytest.raises(UsageError, match="it has 0.99, absolute, high"):
        other.load_state_dict(statistic.state_dict())
    with pytest.raises(UsageError, match="'window' is absent"):
        other.load_state_dict({})
    assert other.count == 0
