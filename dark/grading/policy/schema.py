"""The keys of course.toml: what each holds. Tests hold the checks, and the example at the end, to these tables."""

from dataclasses import dataclass
from datetime import date

from dark.grading.uploads import ATTEMPTS

SOURCES = ("times", "name", "file")
MISSING_MARKS = ("blank", "zero")


@dataclass(frozen=True)
class Kind:
    """A kind of value.

    Parameters
    ----------
    expected : str
        The kind in words.
    accepts : callable
        ``accepts(value)`` returns whether a value is of it.
    example : str
        One, as it is written.
    """

    expected: str
    accepts: object
    example: str


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
