"""Dates of a course: each is one moment, or it is refused."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from dark.errors import CourseError, near_misses

EXAMPLE = "2026-10-04T23:59:00"
FIRST, LAST = 1900, 9000  # years of a course; around them is room for extensions and time zones


def find_zone(name: str, where: str):
    """Return a time zone by its name in the IANA data base; an error begins with `where`."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        known = available_timezones()
    if not known:  # a system without time zones
        what = f"{where}: this system has no data of time zones."
        raise CourseError(what, "the data base of IANA.", "pip install tzdata") from None
    last = {zone.rpartition("/")[2].casefold(): zone for zone in sorted(known)}
    exact = last.get(name.rpartition("/")[2].casefold().replace(" ", "_"))
    close = exact or near_misses(name, sorted(known))
    what = f"{where}: unknown time zone {name!r}."
    advice = "Europe/Vienna, America/New_York or UTC" if close.startswith("one of ") else close
    raise CourseError(what, "a name of the IANA data base, a region and a city.", advice) from None


def to_moment(value, zone: ZoneInfo | None, where: str):
    """Return a date that TOML has read as one moment; refuse one that occurs twice or never because clocks change."""
    if isinstance(value, str):
        raise _no_date(f"{where} = {value!r} is a string, not a date.", value)
    if not isinstance(value, datetime):
        what = f"{where} = {value} has no time of day." if isinstance(value, date) else f"{where} = {value!r}."
        raise _no_date(what, f"{value}T23:59:00" if isinstance(value, date) else EXAMPLE)
    if not FIRST <= value.year <= LAST:
        raise _no_date(f"{where} = {value.isoformat()} is not in the years {FIRST} to {LAST}.", EXAMPLE)
    if value.tzinfo is not None:
        return value.astimezone(zone) if zone else value
    if zone is None:
        expected = 'a zone for all dates, such as timezone = "Europe/Vienna" in [course].'
        advice = f"add that line, or an offset to this date: {value.isoformat()}+02:00"
        raise CourseError(f"{where} = {value.isoformat()} has no time zone.", expected, advice)
    return _only_one(value, zone, where)


def _no_date(what, text):
    try:
        datetime.fromisoformat(text)
    except ValueError:
        text = EXAMPLE
    return CourseError(what, "a date with a time, without quotes.", str(text).replace(" ", "T"))


def _only_one(value, zone, where):
    """Refuse a local time that the change of clocks has twice or leaves out."""
    early, late = (value.replace(tzinfo=zone, fold=fold) for fold in (0, 1))
    if early.utcoffset() == late.utcoffset():
        return early
    exists = early.astimezone(UTC).astimezone(zone).replace(tzinfo=None) == value
    how = "occurs twice" if exists else "does not exist"
    first, second = sorted({each.strftime("%z") for each in (early, late)}, reverse=True)
    what = f"{where} = {value.isoformat()} {how} in {zone.key}: clocks change that night."
    advice = f"an hour later, or an offset: {value.isoformat()}{first[:3]}:{first[3:]} or {second[:3]}:{second[3:]}"
    raise CourseError(what, "a time that occurs once.", advice)


def local_moment(naive, zone):
    """Return a local time that a program has noted; of two, the earlier, in favor of the student.

    >>> local_moment(datetime(2026, 10, 25, 2, 30), ZoneInfo("Europe/Vienna")).isoformat()
    '2026-10-25T02:30:00+02:00'
    """
    return naive.replace(tzinfo=zone or UTC, fold=0)


def days_after(moment, days: int, zone=None):
    """Return the same local time, in a zone, some calendar days later; of two, the later, in favor of the student."""
    local = moment.astimezone(zone) if zone else moment
    if not days:
        return local
    later = local.replace(tzinfo=None) + timedelta(days=days)
    # a time that clocks leave out is as much later as they are put forward
    found = max(later.replace(tzinfo=local.tzinfo, fold=fold).astimezone(UTC) for fold in (0, 1))
    return found.astimezone(local.tzinfo)
