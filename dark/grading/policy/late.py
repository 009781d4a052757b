"""Compute the cost of lateness: the days, the free ones among them, and the mark that is left."""

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from dark.grading.policy.dates import days_after

DAY = 24 * 60 * 60  # seconds
CENT = Decimal("0.01")  # marks are rounded to two decimals


@dataclass(frozen=True)
class Late:
    """The rules of lateness, as the table ``[late]`` of course.toml states them."""

    free_days: int = 0  # late days that each student may use without a penalty, in the whole course
    free_days_per_module: int | None = None  # the most of them for one module; None for no limit of its own
    percent_per_day: float = 0  # penalty for each further day, in percent of the points earned
    max_percent: float = 100  # the largest penalty
    max_days: int | None = None  # a later submission has a mark of 0; None for no limit
    grace_minutes: float = 0  # up to this late is still on time


@dataclass(frozen=True)
class Charge:
    """The cost of a late submission."""

    late_days: int = 0  # days after the deadline, each begun day counted
    used: int = 0  # how many of them are free
    percent: float = 0  # the penalty for the others, in percent of the points earned
    is_closed: bool = False  # whether it came after the last day, which costs all points and no free day


def count_late_days(submitted, deadline, grace_minutes: float = 0) -> int:
    """Count the calendar days after a deadline, in its time zone; each begun day is a whole one."""
    moment = submitted.timestamp()  # in the same zone, Python would subtract local times
    beyond = moment - deadline.timestamp()
    if beyond <= 60 * grace_minutes:  # what is later is late from the deadline on
        return 0
    days = max(1, int(beyond // DAY) - 1)  # clocks change by less than a day
    try:
        while moment > days_after(deadline, days).timestamp():
            days += 1
    except OverflowError:  # a name may say that it is of the year 9999
        return int(-(-beyond // DAY))
    return days


def charge(rules: Late, late_days: int, left: int) -> Charge:
    """Return the cost of late days for a student with some free days left."""
    if rules.max_days is not None and late_days > rules.max_days:
        return Charge(late_days, percent=100, is_closed=True)
    most = left if rules.free_days_per_module is None else min(left, rules.free_days_per_module)
    used = max(0, min(late_days, most))
    return Charge(late_days, used, min(rules.max_percent, rules.percent_per_day * (late_days - used)))


def final_mark(earned: float, percent: float) -> float:
    """Return the points that are left after a penalty, rounded to two decimals; never more than the raw points.

    >>> final_mark(37, 0), final_mark(37, 10), final_mark(40, 10), final_mark(37, 100)
    (37, 33.3, 36, 0)
    """
    if percent == 0:
        return earned
    exact = Decimal(str(earned)) * (100 - Decimal(str(percent))) / 100
    rounded = min(exact.quantize(CENT, ROUND_HALF_UP), Decimal(str(earned)))
    return int(rounded) if rounded == rounded.to_integral_value() else float(rounded)
