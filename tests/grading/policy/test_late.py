"""Laws of lateness: free days stay within their budget, and no mark exceeds the points."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dark.grading.policy.dates import days_after
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


VIENNA = ZoneInfo("Europe/Vienna")
ZONES = ("Europe/Vienna", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia", "UTC")


def local(text, zone=VIENNA, fold=0):
    return datetime.fromisoformat(text).replace(tzinfo=zone, fold=fold)


@pytest.mark.parametrize(
    ("deadline", "last"),
    [
        ("2026-10-24T20:00", "2026-10-25T20:00"),  # 25 hours
        ("2026-03-28T20:00", "2026-03-29T20:00"),  # 23 hours
        ("2026-10-24T02:30", "2026-10-25T02:30"),  # the second of two
        ("2026-03-28T02:30", "2026-03-29T03:30"),  # there is no 2:30: it is as much later as clocks are put forward
        ("2026-10-25T20:00", "2026-10-26T20:00"),
    ],
)
def test_one_day_late_is_until_the_same_local_time_of_the_next_day(deadline, last):
    due, until = local(deadline), local(last, fold=1).astimezone(UTC)
    assert days_after(due, 1).astimezone(UTC) == until
    assert [count_late_days(until + timedelta(seconds=k), due) for k in (-1, 0, 1)] == [1, 1, 2]
    assert [count_late_days((until + timedelta(seconds=k)).astimezone(VIENNA), due) for k in (0, 1)] == [1, 2]
    assert count_late_days(until.astimezone(ZoneInfo("Asia/Tokyo")), due) == 1


def test_times_of_one_zone_are_compared_as_moments():
    due = local("2026-10-25T02:30")  # the first of two
    assert count_late_days(local("2026-10-25T02:10", fold=1), due) == 1
    assert count_late_days(local("2026-10-25T02:10", fold=1), due, grace_minutes=40) == 0
    assert count_late_days(local("2026-10-25T02:10"), due) == 0 and days_after(due, 0).fold == 0


def test_a_time_of_any_year_is_counted():
    for zone in ZONES:
        due = local("2026-10-24T20:00", ZoneInfo(zone))
        assert count_late_days(local("0001-01-01T00:00", ZoneInfo(zone)), due) == 0
        assert count_late_days(local("9999-12-31T23:59:59", ZoneInfo(zone)), due) > 2_000_000


@given(
    st.sampled_from(ZONES), st.datetimes(datetime(2005, 1, 1), datetime(2035, 1, 1)), st.integers(0, 40 * 86400),
    st.integers(0, 1440),
)  # fmt: skip
def test_days_are_those_of_the_calendar(zone, naive, seconds, grace):
    due = naive.replace(tzinfo=UTC).astimezone(ZoneInfo(zone))
    moment = due.astimezone(UTC) + timedelta(seconds=seconds)
    found = count_late_days(moment, due, grace)
    if seconds <= 60 * grace:
        assert found == 0
    else:
        assert moment <= days_after(due, found) and (found == 1 or moment > days_after(due, found - 1))
    assert days_after(due, found) >= due and days_after(due, found + 1) > days_after(due, found)


@given(st.sampled_from(ZONES), st.datetimes(datetime(2005, 1, 1), datetime(2035, 1, 1)), st.integers(1, 40))
def test_a_day_later_is_the_same_local_time_or_one_in_favor_of_the_student(zone, naive, days):
    due = naive.replace(tzinfo=UTC).astimezone(ZoneInfo(zone))
    wanted = due.replace(tzinfo=None) + timedelta(days=days)
    found = days_after(due, days)
    assert found.replace(tzinfo=None) >= wanted
    assert found.replace(tzinfo=None) == wanted or wanted != _round(wanted, zone)
    assert found >= wanted.replace(tzinfo=ZoneInfo(zone), fold=0)


def _round(naive, zone):
    """Return a local time after a way to UTC and back, which changes one that does not exist."""
    return naive.replace(tzinfo=ZoneInfo(zone)).astimezone(UTC).astimezone(ZoneInfo(zone)).replace(tzinfo=None)
