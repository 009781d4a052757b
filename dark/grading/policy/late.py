"""Compute the cost of lateness: the days, the free ones among them, and the mark that is left."""

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from dark.grading.policy.dates import days_after

DAY = 24 * 60 * 60  # seconds
CENT = Decimal("0.01")  # marks are rounded to two decimals


@dataclass(frozen=True)
class Late:
    """The rules of lateness, as the table ``[late]`` of course.toml states them.

    Parameters
    ----------
    free_days : int, default 0
        Late days that each student may use without a penalty, in the whole course.
    free_days_per_module : int or None
        The most of them for one module; None for no limit of its own.
    percent_per_day : float, default 0
        Penalty for each further day, in percent of the points earned.
    max_percent : float, default 100
        The largest penalty.
    max_days : int or None
        A later submission has a mark of 0; None for no limit.
    grace_minutes : float, default 0
        Up to this late is still on time.
    """

    free_days: int = 0
    free_days_per_module: int | None = None
    percent_per_day: float = 0
    max_percent: float = 100
    max_days: int | None = None
    grace_minutes: float = 0


@dataclass(frozen=True)
class Charge:
    """The cost of a late submission.

    Parameters
    ----------
    late_days : int
        Days after the deadline, each begun day counted.
    used : int
        How many of them are free.
    percent : float
        The penalty for the others, in percent of the points earned.
    is_closed : bool
        Whether it came after the last day, which costs all points and no free day.
    """

    late_days: int = 0
    used: int = 0
    percent: float = 0
    is_closed: bool = False


def count_late_days(submitted, deadline, grace_minutes=0):
    """Count the calendar days after a deadline, in its time zone; each begun day is a whole one.

    Parameters
    ----------
    submitted, deadline : datetime
        Both with a time zone.
    grace_minutes : float
        Up to this late is still on time; what is later is late from the deadline on.

    Returns
    -------
    int
        One until the same local time of the next day, also if clocks change that night.

    Examples
    --------
    >>> from datetime import UTC, datetime, timedelta
    >>> from zoneinfo import ZoneInfo
    >>> evening = datetime(2026, 10, 24, 20, tzinfo=ZoneInfo("Europe/Vienna"))
    >>> later = [evening.astimezone(UTC) + timedelta(hours=hours) for hours in (-1, 0, 1, 25, 26)]
    >>> [count_late_days(moment, evening) for moment in later]
    [0, 0, 1, 1, 2]
    """
    moment = submitted.timestamp()  # in the same zone, Python would subtract local times
    beyond = moment - deadline.timestamp()
    if beyond <= 60 * grace_minutes:
        return 0
    days = max(1, int(beyond // DAY) - 1)  # clocks change by less than a day
    try:
        while moment > days_after(deadline, days).timestamp():
            days += 1
    except OverflowError:  # a name may say that it is of the year 9999
        return int(-(-beyond // DAY))
    return days


def charge(rules, late_days, left) -> Charge:
    """Return the cost of late days.

    Parameters
    ----------
    rules : Late
        The rules.
    late_days : int
        As `count_late_days` returns them.
    left : int
        Free days that the student has left.

    Examples
    --------
    >>> charge(Late(free_days=3, percent_per_day=10), 4, left=1)
    Charge(late_days=4, used=1, percent=30, is_closed=False)
    """
    if rules.max_days is not None and late_days > rules.max_days:
        return Charge(late_days, percent=100, is_closed=True)
    most = left if rules.free_days_per_module is None else min(left, rules.free_days_per_module)
    used = max(0, min(late_days, most))
    return Charge(late_days, used, min(rules.max_percent, rules.percent_per_day * (late_days - used)))


def final_mark(earned, percent):
    """Return the points that are left after a penalty, rounded to two decimals.

    Parameters
    ----------
    earned : int or float
        The raw points.
    percent : float
        The penalty.

    Returns
    -------
    int or float
        Never more than the raw points; an int if it is whole.

    Examples
    --------
    >>> final_mark(37, 0), final_mark(37, 10), final_mark(40, 10), final_mark(37, 100)
    (37, 33.3, 36, 0)
    """
    if percent == 0:
        return earned
    exact = Decimal(str(earned)) * (100 - Decimal(str(percent))) / 100
    rounded = min(exact.quantize(CENT, ROUND_HALF_UP), Decimal(str(earned)))
    return int(rounded) if rounded == rounded.to_integral_value() else float(rounded)
