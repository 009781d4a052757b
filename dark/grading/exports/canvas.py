"""The file of grades that Canvas imports: one column for each module."""

from typing import Any

from dark.grading.exports.rows import as_csv, counting, graded_modules, mark
from dark.grading.report.grade_table import without_formula

HEAD = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]


def canvas_files(results):
    """Return the file for Grades, Import in Canvas.

    Parameters
    ----------
    results : dict
        The content of results.json.

    Returns
    -------
    dict of str to str
        Content by name of the file. A student who could not be graded has an empty cell, which changes no grade.

    Notes
    -----
    Canvas finds a student by the column ID, and asks for which assignment a column is.
    """
    rows = counting(results, "canvas")
    modules = graded_modules(rows)
    table = [[*HEAD, *(f"Module {module}" for module in modules)]]
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
