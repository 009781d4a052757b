"""The file results.json: a heading, and a line for each submission, so that it is never in memory as a whole."""

import json

from dark.atomic_write import replace_file
from dark.grading.report.record import compact_json


def light(record):
    """Return a record without the details of its questions, most of its size, which the database holds.

    Examples
    --------
    >>> light({"name": "ann", "exercises": [{"exercise": "add", "questions": [1, 2, 3]}]})
    {'name': 'ann', 'exercises': [{'exercise': 'add'}]}
    """
    exercises = [{key: value for key, value in each.items() if key != "questions"} for each in record["exercises"]]
    return record | {"exercises": exercises}


def with_questions(row, record) -> dict:
    """Return a row with the details of its questions again, and without the entries for teachers.

    Parameters
    ----------
    row : dict
        As `light` leaves it, with or without further columns.
    record : dict or None
        The record of the same submission.
    """
    row = {key: value for key, value in row.items() if key != "hidden"}
    if not row.get("exercises"):
        return row
    known = {each["exercise"]: each.get("questions", []) for each in (record or {}).get("exercises", ())}
    exercises = [{"questions": known.get(each["exercise"], []), **each} for each in row["exercises"]]
    return row | {"exercises": exercises}


def results_lines(heading, rows):
    """Yield the lines of the file.

    Parameters
    ----------
    heading : dict
        What stands before the submissions.
    rows : iterable of dict
        The submissions.

    Yields
    ------
    str

    Examples
    --------
    >>> print(*results_lines({"schema": 1}, [{"name": "ann"}, {"name": "bob"}]), sep="", end="")
    {
    "schema": 1,
    "submissions": [
    {"name": "ann"},
    {"name": "bob"}
    ]
    }
    """
    yield "{\n"
    for key, value in heading.items():
        yield f"{json.dumps(key)}: {compact_json(value)},\n"
    yield '"submissions": ['
    between = "\n"
    for row in rows:
        yield between + compact_json(row)
        between = ",\n"
    yield "\n]\n}\n"


def save_lines(path, lines):
    """Write lines to a file, atomically, one at a time."""
    with replace_file(path) as part, open(part, "w", encoding="utf-8", newline="\n") as file:
        file.writelines(lines)
