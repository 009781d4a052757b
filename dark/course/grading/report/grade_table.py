"""The table of grades: as CSV for a spreadsheet, and as plain text for a terminal."""

import csv
import io

from dark.course.judging.verdict import RIGHT, sign_of

FORMULA = ("=", "+", "-", "@")


def grades_csv(records):
    """Format the table of grades as CSV.

    Parameters
    ----------
    records : list of dict
        One for each row.

    Returns
    -------
    str
        Comma-separated, with a header. Strings that a spreadsheet would interpret as a formula are
        prefixed with an apostrophe.

    Examples
    --------
    >>> print(grades_csv([{"name": "=1+1", "status": "not a notebook"}]).splitlines()[1])
    '=1+1,,not a notebook,,,,
    """
    several = len({record["module"] for record in records if record.get("module")}) > 1
    columns = {}
    for record in records:
        for exercise in record.get("exercises", ()):
            columns[_column(exercise, several)] = None
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(["name", "file", "status", "module", *columns, "earned", "points", "percent"])
    for record in records:
        earned = {_column(each, several): each["earned"] for each in record.get("exercises", ())}
        texts = [record.get(key) for key in ("name", "file", "status", "module")]
        row = [without_formula(text) for text in texts] + [earned.get(column, "") for column in columns]
        total = [record["earned"], record["points"]] if record.get("points") else ["", ""]
        table.writerow([*row, *total, percent(record)])
    return text.getvalue()


def _column(exercise, several):
    return f"{exercise['module']} {exercise['exercise']}" if several else exercise["exercise"]


def without_formula(text):
    """Return a string that no spreadsheet interprets as a formula, without control characters.

    Examples
    --------
    >>> without_formula("=1+1"), without_formula("Ann")
    ("'=1+1", 'Ann')
    """
    text = _printable(text or "")
    return f"'{text}" if text.startswith(FORMULA) else text


def percent(record):
    """Return the points of a record in percent, rounded down, so that 100 means full points.

    Examples
    --------
    >>> percent({"earned": 199, "points": 200}), percent({})
    (99, '')
    """
    return 100 * record["earned"] // record["points"] if record.get("points") else ""


def grades_text(records):
    """Format the table for a terminal.

    Parameters
    ----------
    records : list of dict
        One for each row.

    Returns
    -------
    str

    Examples
    --------
    >>> print(grades_text([{"name": "ann", "status": "graded", "earned": 1, "points": 2, "failed": "f wrong"}]))
    name  points  percent  what failed
    ann   1/2     50 %     f wrong
    """
    rows = [("name", "points", "percent", "what failed")]
    rows += [(_printable(record["name"]), *_cells(record)) for record in records]
    widths = [max(len(row[k]) for row in rows) for k in range(3)]
    lines = []
    for row in rows:
        start = "  ".join(cell.ljust(width) for cell, width in zip(row[:3], widths, strict=True))
        lines.append(f"{start}  {row[3]}".rstrip())
    return "\n".join(lines)


def grade_line(record):
    """Format one line about a graded submission.

    Examples
    --------
    >>> record = {"name": "ann", "status": "not a notebook", "failed": "Invalid JSON."}
    >>> print(grade_line(record))
    ! ann: not a notebook. Invalid JSON.
    """
    points, percentage, failed = _cells(record)
    sign = sign_of(RIGHT) if record.get("complete") else "✗" if points != "-" else "!"
    told = f"{points} points, {percentage}" if points != "-" else f"{record['status']}"
    return f"{sign} {_printable(record['name'])}: {told}. {failed}".rstrip()


def _cells(record):
    failed = _printable(record.get("failed") or "")
    if record.get("points"):
        return f"{record['earned']}/{record['points']}", f"{percent(record)} %", failed
    return "-", "-", failed or record["status"]


def _printable(text):
    """Replace control characters, which would move the cursor, color the terminal or break a row."""
    return "".join(c if c.isprintable() else "?" for c in text)
