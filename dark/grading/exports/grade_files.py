"""The files of grades that Canvas and Moodle import: of Canvas a column, of Moodle a file for each module."""

import csv
import io
from typing import Any

from dark.grading.exports.rows import counting, mark
from dark.grading.gradebook.by_hand import comments_of
from dark.grading.report.grade_table import notes_of, without_formula

CANVAS_HEAD = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
MOODLE_HEAD = ["Identifier", "Full name", "Grade", "Maximum Grade", "Feedback comments"]


def canvas_files(results: dict) -> dict[str, str]:
    """Return the file for Grades, Import in Canvas; an empty cell, of a student without points, changes no grade."""
    rows = counting(results, "canvas")
    modules = graded_modules(rows)
    table = [[*CANVAS_HEAD, *(f"Module {module}" for module in modules)]]
    table.append(["    Points Possible", "", "", "", "", *modules.values()])
    students: dict[str, tuple[Any, dict[str, Any]]] = {}
    for row in rows:
        _, grades = students.setdefault(row["owner"]["id"], (row, {}))
        if mark(row) != "":
            grades[row["module"]] = mark(row)
    for number, (row, grades) in students.items():
        known = row.get("student") or {}
        others = [known.get(key, "") for key in ("sis_user_id", "sis_login_id", "section")]
        marks = [grades.get(module, "") for module in modules]
        table.append([without_formula(row["owner"]["name"]), number, *others, *marks])
    return {"canvas.csv": as_csv(table)}


def moodle_files(results: dict) -> dict[str, str]:
    """Return the grading worksheets that Moodle imports; a student who could not be graded is left out."""
    rows = counting(results, "moodle")
    files = {}
    for module, points in graded_modules(rows).items():
        graded = [row for row in rows if row["module"] == module and mark(row) != ""]
        table = [MOODLE_HEAD] + [
            [
                f"Participant {row['owner']['id']}",
                without_formula(row["owner"]["name"]),
                mark(row),
                points,
                without_formula(" ".join(filter(None, [row["failed"], notes_of(row), comments_of(row)]))),
            ]
            for row in graded
        ]
        files[f"moodle-{module}.csv"] = as_csv(table)
    return files


def graded_modules(rows):
    """Map each module to its points, in order."""
    return dict(sorted({row["module"]: row["points"] for row in rows if row["points"]}.items()))


def as_csv(rows):
    """Format rows as CSV, with the line ends that both systems write.

    >>> as_csv([["ID", "Grade"], ["0042", 3]])
    'ID,Grade\\r\\n0042,3\\r\\n'
    """
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    return text.getvalue()
