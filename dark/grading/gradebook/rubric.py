"""Rubrics: manual points and comments, from a file that a teacher writes or downloads from the report's own page.

::

    [[mark]]                      # TOML; in CSV the same as columns, one mark a line
    student = "ann"               # any name or id of the student that a table shows, or the name of the submission
    exercise = "slope"            # an exercise: these points replace the questions' points
    points = 2.5
    comment = "Right idea; the sign is a typo."

    [[mark]]
    student = "ann"
    exercise = "report"           # with `of`: a part that is only marked manually, for the whole class
    points = 4
    of = 5                        # its most points; 0 makes it a bonus, or a deduction

    [[mark]]
    student = "bob"               # a comment alone; without an exercise, on the whole submission
    comment = "See me."
"""

import csv
import io
import math
import tomllib
from dataclasses import asdict, dataclass
from difflib import get_close_matches

from dark.errors import UsageError, near_misses

KEYS = ("student", "exercise", "points", "of", "comment")
MOST = 10_000  # points
LONGEST = 10_000  # characters of a comment


@dataclass(frozen=True)
class Mark:
    """A teacher's points and comment on an exercise of a student."""

    student: str  # the name of a submission, or a name or id of its student
    # an exercise, or a part that is only marked manually; empty for a comment on the whole submission
    exercise: str = ""
    points: float | None = None  # the points; None for a comment alone
    of: float | None = None  # the most points of a part that is only marked manually
    comment: str = ""  # plain text


def read_rubric(path) -> tuple[Mark, ...]:
    """Read and validate a rubric, a file that ends in .toml or .csv."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except (OSError, ValueError) as error:
        raise _wrong(path, f"it cannot be read ({error}).", "a file of text in UTF-8.", "check its name") from error
    entries = _csv_entries(path, text) if path.suffix.lower() == ".csv" else _toml_entries(path, text)
    marks = tuple(_mark(path, where, entry) for where, entry in entries)
    _check_together(path, [where for where, _ in entries], marks)
    return marks


def from_data(data):
    """Make marks of plain data, as `as_data` returns it."""
    return tuple(Mark(**each) for each in data or ())


def as_data(marks):
    """Return marks as plain data."""
    return [asdict(mark) for mark in marks]


def _toml_entries(path, text):
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _wrong(path, f"it is not valid TOML ({error}).", "[[mark]] with student, points, comment.") from error
    for key in data:
        if key != "mark":
            raise _wrong(path, f"{key!r} is not known.", "entries [[mark]].", f"[[{near_misses(key, ['mark'])}]]")
    marks = data.get("mark", [])
    if not isinstance(marks, list) or not all(isinstance(each, dict) for each in marks):
        raise _wrong(path, "`mark` is not a list of tables.", "entries [[mark]].", "[[mark]] with two brackets")
    return [(f"mark {number}", entry) for number, entry in enumerate(marks, 1)]


def _csv_entries(path, text):
    rows = csv.reader(io.StringIO(text, newline=""))
    try:
        head = [name.strip() for name in next(rows, [])]
        for name in head:
            _check_key(path, "line 1", name)
        if "student" not in head or len(set(head)) < len(head):
            raise _wrong(path, "line 1 must name the columns.", "each once: " + ", ".join(KEYS) + ".")
        entries = []
        for row in rows:
            if any(row):
                where = f"line {rows.line_num}"
                if len(row) != len(head):
                    raise _wrong(path, f"{where} has {len(row)} columns, not {len(head)}.", "as many as line 1.")
                entries.append((where, {name: cell for name, cell in zip(head, row) if cell != ""}))
    except csv.Error as error:
        raise _wrong(path, f"line {rows.line_num}: it is not valid CSV ({error}).", "a table of text.") from error
    numbers = ("points", "of")
    return [(where, {k: _number(v) if k in numbers else v for k, v in entry.items()}) for where, entry in entries]


def _number(text):
    """Return the number in a cell, or its content if it is not a number."""
    try:
        value = float(text)
    except ValueError:
        return text
    return int(value) if value.is_integer() else value


def _check_key(path, where, key):
    if key not in KEYS:
        expected = "only " + ", ".join(KEYS) + "."
        raise _wrong(path, f"{where}: {key!r} is not known.", expected, near_misses(key, KEYS))


def _mark(path, where, entry):
    for key in entry:
        _check_key(path, where, key)
    values = {key: entry.get(key) for key in KEYS}
    for key in ("student", "exercise", "comment"):
        text = values[key] = "" if values[key] is None else values[key]
        if not isinstance(text, str) or len(text) > LONGEST:
            raise _wrong(path, f"{where}: {key} is not a string of at most {LONGEST} characters.", f'{key} = "text".')
    for key in ("points", "of"):
        if values[key] is not None:
            values[key] = _points(path, where, key, values[key])
    if not values["student"]:
        raise _wrong(path, f"{where}: the student is missing.", 'student = "ann", as in grades.csv.')
    if values["points"] is not None and not values["exercise"]:
        raise _wrong(path, f"{where}: points require an exercise.", 'exercise = "slope", or a part of your own.')
    if values["of"] is not None and (values["of"] < 0 or values["points"] is None):
        raise _wrong(path, f"{where}: `of` requires points and must not be negative.", "points = 4 and of = 5.")
    if values["of"] and not 0 <= values["points"] <= values["of"]:
        expected = f"points from 0 to {values['of']}; of = 0 for a bonus or a deduction."
        raise _wrong(path, f"{where}: {values['points']} points are not from 0 to {values['of']}.", expected)
    if values["points"] is None and not values["comment"]:
        raise _wrong(path, f"{where}: it has neither points nor a comment.", "points, a comment, or both.")
    return Mark(**values)


def _points(path, where, key, value):
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
    if not is_number or abs(value) > MOST or round(value, 2) != value:
        raise _wrong(
            path,
            f"{where}: {key} must be a number, got {value!r}.",
            f"a number up to {MOST} with at most two decimals.",
        )
    return int(value) if value == int(value) else value


def _check_together(path, places, marks):
    seen: dict[tuple[str, str], str] = {}
    most: dict[str, float | None] = {}
    for where, mark in zip(places, marks):
        first = seen.setdefault((mark.student, mark.exercise), where)
        if first != where:
            what = f"{where}: {mark.student!r} has a mark for {mark.exercise or 'the whole'!r} in {first} already."
            raise _wrong(path, what, "one mark for each student and exercise.", "join the two")
        if mark.exercise and mark.points is not None:
            of = most.setdefault(mark.exercise, mark.of)
            if of != mark.of:
                what = f"{where}: {mark.exercise!r} is of {mark.of}, in an earlier mark of {of}."
                raise _wrong(path, what, "the same `of` in all marks of a part.", f"of = {of}" if of else "no `of`")


def check_names(path, marks, students, exercises):
    """Refuse marks for students or exercises that are not among the names that exist."""
    parts = {mark.exercise for mark in marks if mark.of is not None}
    for mark in marks:
        if not {mark.student, mark.student.removeprefix("'")} & set(students):
            what = f"{mark.student!r} has no submission."
            close = " or ".join(get_close_matches(mark.student, students))
            raise _wrong(path, what, "a name as in grades.csv, or an id.", close or "a name from grades.csv")
        if mark.exercise and mark.of is None and mark.exercise not in {*exercises, *parts}:
            what = f"{mark.exercise!r} is not an exercise."
            expected = "an exercise, or a part of your own with `of`, its most points."
            raise _wrong(path, what, expected, near_misses(mark.exercise, exercises))
        if mark.of is not None and mark.exercise in exercises:
            what = f"{mark.exercise!r} is an exercise and has an `of`."
            raise _wrong(path, what, "its points alone; its maximum is known.", "leave out `of`")


def _wrong(path, what, expected, advice="`REPORT/teacher/rubric.html` makes such a file, which you may edit"):
    return UsageError(f"{path}: {what}", expected, advice)
