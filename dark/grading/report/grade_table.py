"""The table of grades: as CSV for a spreadsheet, and as plain text for a terminal."""

import csv
import io

from dark.course.judging.verdict import RIGHT, sign_of
from dark.grading.gradebook.by_hand import comments_of

FORMULA = ("=", "+", "-", "@")
POLICY = ("group", "submitted", "submitted_from", "deadline", "late_days", "late_days_used", "penalty", "final", "note")


def grades_csv(records: list[dict]) -> str:
    """Format the table of grades as CSV; a policy adds columns at the end. No cell is a formula for a spreadsheet."""
    several = len({record["module"] for record in records if record.get("module")}) > 1
    columns: dict[str, None] = {}
    for record in records:
        for exercise in record.get("exercises", ()):
            columns[_column(exercise, several)] = None
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    further = ["student", "student_name", *POLICY] if has_policy(records) else []
    texts_of = {"comment": comments_of, "notes": notes_of}
    last = {name: [without_formula(of(record)) for record in records] for name, of in texts_of.items()}
    said = [name for name, texts in last.items() if any(texts)]
    names = [without_formula(column) for column in columns]
    table.writerow(["name", "file", "status", "module", *names, "earned", "points", "percent", *further, *said])
    for number, record in enumerate(records):
        earned = {_column(each, several): each["earned"] for each in record.get("exercises", ())}
        texts = [record.get(key) for key in ("name", "file", "status", "module")]
        row = [without_formula(text) for text in texts] + [earned.get(column, "") for column in columns]
        total = [record["earned"], record["points"]] if record.get("points") else ["", ""]
        after = _policy_cells(record) if further else []
        table.writerow([*row, *total, percent(record), *after, *(last[name][number] for name in said)])
    return text.getvalue()


def notes_of(record):
    """Return the notes on a notebook as one string; some records have none.

    >>> notes_of({"notes": ["One.", "Two."]}), notes_of({})
    ('One. Two.', '')
    """
    return " ".join(record.get("notes", ()))


def has_policy(records):
    """Return whether the records have the columns of a policy."""
    return any("final" in record for record in records)


def _policy_cells(record):
    student = record.get("student") or {}
    values = [student.get("id"), student.get("name"), *(record.get(column) for column in POLICY)]
    return [without_formula(value) if isinstance(value, str) else value for value in values]


def _column(exercise, several):
    return f"{exercise['module']} {exercise['exercise']}" if several else exercise["exercise"]


def without_formula(text):
    """Return a string that no spreadsheet interprets as a formula, without control characters.

    >>> without_formula("=1+1"), without_formula("Ann")
    ("'=1+1", 'Ann')
    """
    text = printable(text or "")
    return f"'{text}" if text.startswith(FORMULA) else text


def percent(record):
    """Return the points of a record in percent, rounded down, so that 100 means full points.

    >>> percent({"earned": 199, "points": 200}), percent({})
    (99, '')
    """
    return int(round(100 * record["earned"], 6) // record["points"]) if record.get("points") else ""


def grades_text(records: list[dict]) -> str:
    """Format the table for a terminal.

    >>> print(grades_text([{"name": "ann", "status": "graded", "earned": 1, "points": 2, "failed": "f wrong"}]))
    name  points  percent  what failed
    ann   1/2     50 %     f wrong
    """
    head, further = ["name", "points", "percent", "what failed"], []
    if has_policy(records):
        head, further = ["name", "student", "points", "percent", "late", "final", "what failed"], records
    rows = [(printable(record["name"]), *_cells(record)) for record in records]
    for number, record in enumerate(further):
        name, points, percentage, failed = rows[number]
        student, late, final = (printable(cell) for cell in policy_texts(record))
        rows[number] = (name, student, points, percentage, late, final, failed)
    widths = [max(len(row[k]) for row in [head, *rows]) for k in range(len(head) - 1)]
    lines = []
    for row in [head, *rows]:
        start = "  ".join(cell.ljust(width) for cell, width in zip(row[:-1], widths, strict=True))
        lines.append(f"{start}  {row[-1]}".rstrip())
    return "\n".join(lines)


def policy_texts(record):
    """Return the id of the student, the late days with the free ones, and the final mark, as texts.

    >>> policy_texts({"student": {"id": "0042"}, "late_days": 3, "late_days_used": 1, "final": 9.5})
    ('0042', '3 (1 free)', '9.5')
    """
    days, used, final = (record.get(key) for key in ("late_days", "late_days_used", "final"))
    late = f"{days} ({used} free)" if used else str(days) if days else ""
    return (record.get("student") or {}).get("id", ""), late, "-" if final is None else str(final)


def grade_line(record):
    """Format one line about a graded submission."""
    points, percentage, failed = _cells(record)
    sign = sign_of(RIGHT) if record.get("complete") else "✗" if points != "-" else "!"
    told = f"{points} points, {percentage}" if points != "-" else f"{record['status']}"
    return f"{sign} {printable(record['name'])}: {told}. {failed}".rstrip()


def _cells(record):
    failed = printable(". ".join(filter(None, [record.get("failed"), notes_of(record)])))
    if record.get("points"):
        return f"{record['earned']}/{record['points']}", f"{percent(record)} %", failed
    return "-", "-", failed or record["status"]


def printable(text):
    """Replace control characters, which would move the cursor, color the terminal or break a row."""
    return "".join(c if c.isprintable() else "?" for c in text)
