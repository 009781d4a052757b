"""Laws of lateness: free days stay within their budget, and no mark exceeds the points."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from dark.grading.policy.late import Late, charge, count_late_days, final_mark

NOON = datetime(2026, 10, 4, 12, tzinfo=UTC)
days = st.integers(0, 40)
percents = st.one_of(st.integers(0, 100), st.floats(0, 100).map(lambda value: round(value, 3)))
rules = st.builds(Late, days, st.none() | days, percents, percents, st.none() | days, st.integers(0, 1440))
points = st.one_of(st.integers(0, 500), st.floats(0, 500).map(lambda value: round(value, 4)))


@given(rules, days, days)
def test_free_days_are_neither_more_than_are_left_nor_more_than_the_late_ones(rules, late_days, left):
    cost = charge(rules, late_days, left)
    assert 0 <= cost.used <= min(left, late_days)
    assert rules.free_days_per_module is None or cost.used <= rules.free_days_per_module
    assert cost.is_closed == (rules.max_days is not None and late_days > rules.max_days)
    assert 0 <= cost.percent <= (100 if cost.is_closed else rules.max_percent)


@given(rules, days, days)
def test_a_later_day_and_fewer_free_ones_are_never_cheaper(rules, late_days, left):
    cost = charge(rules, late_days, left).percent
    assert charge(rules, late_days + 1, left).percent >= cost
    assert charge(rules, late_days, left + 1).percent <= cost


@given(points, percents, percents)
def test_a_mark_is_never_more_than_the_points_and_falls_with_the_penalty(earned, some, other):
    low, high = sorted((some, other))
    assert 0 <= final_mark(earned, high) <= final_mark(earned, low) <= earned
    assert (final_mark(earned, 0), final_mark(earned, 100)) == (earned, 0)


@given(st.integers(-100_000, 1_000_000), st.integers(0, 1440))
def test_begun_days_count_from_the_deadline(seconds, grace):
    found = count_late_days(NOON + timedelta(seconds=seconds), NOON, grace)
    if seconds <= 60 * grace:
        assert found == 0
    else:
        assert 86400 * (found - 1) < seconds <= 86400 * found
