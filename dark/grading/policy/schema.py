"""The keys of course.toml: the kind of each value, its check, and an example. Tests hold the three together."""

import re
from dataclasses import dataclass
from datetime import date
from difflib import get_close_matches
from typing import Any

from dark.errors import CourseError
from dark.grading.uploads import ATTEMPTS

MODULE_ID = re.compile(r"\d\d")
SEE = "`dark grade --example-course` prints a file with every key"
SOURCES = ("times", "name", "file")
MISSING_MARKS = ("blank", "zero")


@dataclass(frozen=True)
class Kind:
    """A kind of value."""

    expected: str  # the kind in words
    accepts: object  # ``accepts(value)`` returns whether a value is of it
    example: str  # one, as it is written


def _number(what, most, example, kinds=(int,)):
    def accepts(value):
        return isinstance(value, kinds) and not isinstance(value, bool) and 0 <= value <= most

    return Kind(f"{what}, 0 to {most}.", accepts, example)


def _choice(values):
    return Kind(f"{' or '.join(repr(each) for each in values)}.", lambda value: value in values, f'"{values[0]}"')


def _is_text(value):
    return isinstance(value, str) and bool(value.strip())


def _is_texts(value):
    return isinstance(value, list) and bool(value) and all(map(_is_text, value))


def _text(what, example):
    return Kind(f"{what}, in quotes.", _is_text, example)


def _texts(what, example):
    return Kind(f"{what}, as a list of strings.", _is_texts, example)


_DATE = Kind(
    "a date with a time, without quotes.",
    lambda value: isinstance(value, date) or _is_text(value),  # of a date in quotes more is said elsewhere
    "2026-10-04T23:59:00",
)
_RULES = {
    "free_days_per_module": _number("a number of days, an integer", 366, "2"),
    "percent_per_day": _number("a percentage", 100, "10", (int, float)),
    "max_percent": _number("a percentage", 100, "50", (int, float)),
    "max_days": _number("a number of days, an integer", 366, "7"),
    "grace_minutes": _number("minutes", 1440, "10", (int, float)),
}
COURSE = {
    "name": _text("the name of the course", '"Deep learning"'),
    "timezone": _text("the zone of all dates, a name of the IANA data base", '"Europe/Vienna"'),
    "roster": _text("a CSV file, found from the folder of course.toml", '"roster.csv"'),
    "attempt": _choice(ATTEMPTS),
    "time_from": Kind(
        "a list of some of 'times', 'name' and 'file', each once.",
        lambda value: _is_texts(value) and set(value) <= set(SOURCES) and len(set(value)) == len(value),
        '["times", "name", "file"]',
    ),
    "times": _text("a CSV file, found from the folder of course.toml", '"times.csv"'),
    "missing": _choice(MISSING_MARKS),
}
LATE = {
    "free_days": _number("a number of days, an integer", 366, "3"),
    **_RULES,
    "earlier_reports": _texts("folders of reports, found from the folder of course.toml", '["report-01"]'),
}
MODULE = {"deadline": _DATE, "attempt": _choice(ATTEMPTS), **_RULES}
EXTENSION = {
    "student": _text("the id of a student", '"0042"'),
    "group": _text("the name of a group", '"owls"'),
    "module": _text("the id of a module", '"01"'),
    "deadline": _DATE,
    "days": _number("a number of days, an integer", 366, "3"),
    "reason": _text("why, for your own records", '"ill"'),
}
GROUP = {
    "name": _text("the name of the group", '"owls"'),
    "members": _texts("ids of students", '["0042", "0043"]'),
    "modules": _texts("ids of modules", '["03"]'),
}
TABLES = {"course": COURSE, "late": LATE, "modules": MODULE, "extensions": EXTENSION, "groups": GROUP}
TITLES = {
    "course": "[course]", "late": "[late]", "modules": "[modules.01]", "extensions": "[[extensions]]",
    "groups": "[[groups]]",
}  # fmt: skip


def check_tables(data: dict, name: str):
    """Refuse unknown tables and keys, with near misses, and values of a wrong kind."""
    for table, content in data.items():
        if table not in TABLES:
            raise _unknown(table, TABLES, "", name)
        title, is_list = TITLES[table], table in ("extensions", "groups")
        wanted: Any = list if is_list else dict
        if not isinstance(content, wanted):
            raise CourseError(f"{name}: {table} is not a table.", f"a line {title}, and its keys below.", SEE)
        if table == "modules":
            for module, rules in content.items():
                if not MODULE_ID.fullmatch(module):
                    raise no_module(f"[modules.{module}]", module, name)
                _check_table(rules, table, f"[modules.{module}]", name)
        else:
            for each in content if is_list else [content]:
                _check_table(each, table, title, name)


def _check_table(content, table, title, name):
    if not isinstance(content, dict):
        raise CourseError(f"{name}: {title} is not a table.", f"a line {title}, and its keys below.", SEE)
    for key, value in content.items():
        kind = TABLES[table].get(key)
        if kind is None:
            raise _unknown(key, TABLES[table], title, name)
        if not kind.accepts(value):
            written = repr(value) if len(repr(value)) < 80 else type(value).__name__
            raise CourseError(f"{name}, {title} {key}: {written} is invalid.", kind.expected, f"{key} = {kind.example}")


def _unknown(key, known, title, name):
    """Return the error for an unknown key; it names a near miss, or the table to which the key belongs."""
    where, close = f" in {title}" if title else "", get_close_matches(key, known, n=1, cutoff=0.6)
    others = [TITLES[table] for table, keys in TABLES.items() if key in keys]
    meant = f"; did you mean {close[0]!r}?" if close else "."
    if others and not close:
        meant = f"; it belongs to {' or '.join(others)}."
    what = "key" if title else "table"
    advice = close[0] if close else others[0] if others else SEE
    return CourseError(f"{name}: unknown {what} {key!r}{where}{meant}", f"one of {', '.join(known)}.", advice)


def no_module(where, module, name):
    """Return the error for a string that is not the id of a module."""
    digits = f"{int(module):02d}" if module.isascii() and module.isdigit() and int(module) < 100 else "01"
    return CourseError(f"{name}, {where}: {module!r} is not a module.", "an id of two digits, such as 01.", digits)


EXAMPLE = """\
# course.toml: who is graded, which attempt counts, until when, and what lateness costs.
# Every key is optional. Points never change by it: what it computes are further columns of the report.

[course]
name = "Deep learning from nothing"
timezone = "Europe/Vienna"              # of all dates here, and of times that name no zone
roster = "roster.csv"                   # columns id, name; optional: canvas, moodle, gradescope, email, login
attempt = "latest"                      # or "best": the highest mark after penalties (default: "latest")
time_from = ["times", "name", "file"]   # where the time of submission is looked for, in this order (default)
times = "times.csv"                     # columns student, submitted; optional: module, file
missing = "blank"                       # without a submission; or "zero", after the deadline (default: "blank")

[late]
free_days = 3                           # of each student, without penalty, in the whole course (default: 0)
free_days_per_module = 2                # the most of them for one module (default: all that are left)
percent_per_day = 10                    # of the points earned, for each further day begun (default: 0)
max_percent = 50                        # the largest penalty (default: 100)
max_days = 7                            # anything later has 0 points (default: no limit)
grace_minutes = 10                      # up to this late is still on time (default: 0)
earlier_reports = ["report-01"]         # reports whose free days are spent already (default: none)

[modules.01]
deadline = 2026-10-04T23:59:00

[modules.02]
deadline = 2026-10-18T23:59:00+02:00    # an offset is possible, too
attempt = "best"                        # this, and the keys of [late] but the first and last, may differ for a module
max_days = 0

[[extensions]]
student = "0042"                        # or: group = "owls"
module = "01"
days = 3                                # or: deadline = 2026-10-07T23:59:00
reason = "ill"

[[groups]]
name = "owls"                           # a submission by a member, or with this name, counts for each member
members = ["0042", "0043"]
modules = ["02"]                        # (default: all)
"""
