"""The rows of results that are exported, and tables of them as CSV."""

import csv
import io


def counting(results, system=None):
    """Return the records that count, of all students or of those of one system.

    Parameters
    ----------
    results : dict
        The content of results.json.
    system : str, optional
        "canvas", "moodle" or "gradescope".

    Returns
    -------
    list of dict
    """
    rows = [record for record in results["submissions"] if record.get("counts", True) and "exercises" in record]
    return [row for row in rows if system is None or (row.get("owner") or {}).get("system") == system]


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
