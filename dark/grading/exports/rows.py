"""The rows of results that are exported, and tables of them as CSV."""

import csv
import io
from functools import partial


def counting(results, system=None):
    """Return the records that count, of all students or of the students with an id in a system.

    Parameters
    ----------
    results : dict
        The content of results.json.
    system : str, optional
        "canvas", "moodle" or "gradescope".

    Returns
    -------
    list of dict
        Where a roster says whose a submission is, the owner is the student of the roster. Of a student who is known,
        no other file has a row.
    """
    rows = [record for record in results["submissions"] if record.get("counts", True) and "exercises" in record]
    if system is None:
        return rows
    owned = [row for row in map(partial(_owned, system=system), rows) if row]
    known = {row["owner"]["id"] for row in owned if row.get("student")}
    return [row for row in owned if row.get("student") or row["owner"]["id"] not in known]


def _owned(row, system):
    """Return a row with its owner in a system; None if it has none there, or it is in doubt."""
    owner, student = row.get("owner") or {}, row.get("student")
    own = owner if owner.get("system") == system and not row.get("doubt") else {}
    if student:
        is_known = student.get(system) or row.get("group") or not own
        number = student.get(system) if is_known else own["id"]  # also of a member of a group
        return number and row | {"owner": {"system": system, "id": number, "name": student["name"] or row["name"]}}
    return row if own else None


def mark(row):
    """Return the final mark of a row, or the points without a policy; empty if it has none.

    Examples
    --------
    >>> mark({"earned": 9, "points": 10}), mark({"earned": 9, "points": 10, "final": 8.1}), mark({"points": 0})
    (9, 8.1, '')
    """
    found = row.get("final") if "final" in row else row["earned"] if row["points"] else None
    return "" if found is None else found


def graded_modules(rows):
    """Map each module to its points, in order."""
    return dict(sorted({row["module"]: row["points"] for row in rows if row["points"]}.items()))


def as_csv(rows):
    """Format rows as CSV, with the line ends that both systems write.

    Examples
    --------
    >>> as_csv([["ID", "Grade"], ["0042", 3]])
    'ID,Grade\\r\\n0042,3\\r\\n'
    """
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    return text.getvalue()
