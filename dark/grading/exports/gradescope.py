"""Gradescope's results.json, one for each submission."""

import json
from pathlib import PurePosixPath
from urllib.parse import quote

from dark.course.judging.verdict import NOT_ATTEMPTED, HiddenTests
from dark.grading.exports.rows import counting, mark
from dark.grading.report.grade_table import notes_of

MOST_EVIDENCE = 1000  # characters


def gradescope_files(results: dict) -> dict[str, str]:
    """Return a file for each submission as an autograder of Gradescope writes it, by its name."""
    return {
        f"gradescope/{_stem(row)}.json": json.dumps(gradescope_result(row), indent=1) + "\n"
        for row in counting(results)
        if "page" in row
    }


def _stem(row):
    """Return the name of the page; with the student, if several have submitted it."""
    stem = PurePosixPath(row["page"]).stem
    student = (row.get("student") or row["owner"])["id"] if row.get("group") else ""
    return f"{stem}-{quote(student, safe='')}" if student else stem


def gradescope_result(record: dict) -> dict:
    """Return the content of Gradescope's results.json for one submission, a row of the results."""
    return {
        "score": mark(record) or 0,
        "execution_time": record["elapsed_seconds"],
        "output": _told(record),
        "output_format": "text",
        "tests": [
            {
                "name": each["exercise"],
                "score": each["earned"],
                "max_score": each["points"],
                "status": "passed" if has_passed(each) else "failed",
                "output": describe(each),
            }
            for each in record["exercises"]
        ],
    }


def _told(record):
    """Return why a submission is not graded, or the cost of lateness."""
    cost = record.get("penalty")
    late = f"{record['earned']} points, less {cost} for {record['late_days']} late days." if cost else ""
    return " ".join(filter(None, [record["message"], late, notes_of(record), record.get("comment")]))


def has_passed(exercise):
    """Return whether an exercise is right, or was manually given full points.

    >>> has_passed({"status": "wrong", "earned": 2, "points": 2, "by_hand": {"tests": 0, "comment": ""}})
    True
    """
    return exercise["earned"] >= exercise["points"] if "by_hand" in exercise else exercise["status"] == "right"


def _evidence(exercise):
    """Return the test that fails, and how, where the record has the details that a student may see."""
    failing = next((each for each in exercise.get("questions", ()) if each["status"] != "right"), None)
    if failing is None or exercise["status"] == NOT_ATTEMPTED:
        return ""
    inputs = ", ".join(f"{name} = {json.dumps(value)}" for name, value in failing["inputs"].items())
    for_inputs, error = f" For {inputs}:" * bool(inputs), failing["error"]
    found = [f"{error['type']}: {error['message']}"] if error else []
    found += [f"yours {each['yours']}, expected {each['expected']}" for each in failing["differences"][:1]]
    return f"Test: {failing['title']}{for_inputs} {'; '.join(found)}"[:MOST_EVIDENCE]


def describe(exercise):
    """Describe the verdict on an exercise in one or two sentences."""
    said = (exercise["diagnosis"], exercise["next_step"], _evidence(exercise))
    hidden = [HiddenTests(**each).text for each in exercise.get("hidden", ())]
    comment = exercise.get("by_hand", {}).get("comment")
    return " ".join([exercise["status"] + ".", *filter(None, said), *hidden, *([comment] if comment else ())])
