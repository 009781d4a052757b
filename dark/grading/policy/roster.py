"""The roster: who takes the course, and the ids that each student has in other systems.

A table for this course has the columns ``id`` and ``name``, and any of those in `COLUMNS`. The tables that Canvas
(Export Gradebook), Moodle (grading worksheet) and Gradescope (roster) write are read as they are.
"""

import csv
import io
from difflib import get_close_matches
from pathlib import Path

from dark.errors import CourseError, UsageError, near_misses
from dark.grading.policy.students import UNIQUE, Roster, Student, several

COLUMNS = ("id", "name", "canvas", "moodle", "gradescope", "email", "login", "section", "sis_user_id", "sis_login_id")
LAYOUTS = (  # tables of other systems: columns that tell them apart, and the columns here of those there
    (
        {"Student", "ID", "Section"},
        {"Student": "name", "ID": "canvas", "SIS User ID": "sis_user_id", "SIS Login ID": "sis_login_id"}
        | {"Section": "section"},
    ),
    ({"Identifier", "Full name"}, {"Identifier": "moodle", "Full name": "name", "Email address": "email"}),
    ({"First Name", "Last Name", "SID"}, {"SID": "gradescope", "Email": "email", "Section": "section"}),
)
LARGEST_BYTES = 16 << 20


def read_roster(path) -> Roster:
    """Read a roster, a CSV file."""
    path = Path(path)
    head, rows = read_table(path, "roster")
    columns = next((names for marks, names in LAYOUTS if marks <= set(head)), None)
    if columns is None:
        columns = {name: name for name in check_columns(head, COLUMNS, ("id",), path)}
    students = [_student(row, columns) for _, row in rows if not _is_of_canvas(row, columns)]
    lines = [line for line, row in rows if not _is_of_canvas(row, columns)]
    seen: dict[tuple[str, str], int] = {}
    for line, student in zip(lines, students, strict=True):
        if not student.id.strip():
            raise CourseError(f"{path}, line {line}: a student without an id.", "an id in each row.", "fill it in")
        for key, value in [("id", student.id), *student.ids.items()]:
            first = seen.setdefault((key, value), line) if key in UNIQUE else line
            if first != line:
                what = f"{path}, line {line}: the {key} {value!r} must be unique; line {first} has it, too."
                raise CourseError(what, "each id once.", "remove one of the two lines")
    if not students:
        raise CourseError(f"{path} contains no student.", "a row for each.", "id,name\n0042,Ann Bee")
    return Roster(students)


def on_roster(roster: Roster | None, text: str, where: str) -> str:
    """Return the id of the only student whom an id or a name means; without a roster, the text is the id."""
    found = roster.named(text) if roster else ()
    if roster is None or len(found) == 1:
        return found[0].id if found else text
    if found:
        what = f"{where}: {text!r} is ambiguous; {several(found)}."
        raise CourseError(what, "a value that only one student has.", f"the id, such as {found[0].id}")
    near = roster.near([text])
    advice = " or ".join(near) if near else f"an id as in the roster, such as {roster.students[0].id}"
    raise CourseError(f"{where}: {text!r} is not on the roster.", "an id of the roster.", advice)


def _student(row, columns):
    found = {column: row.get(name, "") for name, column in columns.items()}
    if "First Name" in row and "name" not in found:
        found["name"] = f"{row['First Name']} {row['Last Name']}".strip()
    if "moodle" in found and "Identifier" in row:
        found["moodle"] = found["moodle"].removeprefix("Participant ")
    first = ("id", "sis_user_id", "gradescope", "canvas", "moodle", "email")
    number = found.get("id") if "id" in found else next((found[key] for key in first if found.get(key)), "")
    ids = {key: value for key, value in found.items() if key not in ("id", "name") and value}
    return Student(number or "", found.get("name", ""), ids)


def _is_of_canvas(row, columns):
    """Return whether it is a row that Canvas adds, of possible points or of its test student."""
    return "Student" in columns and (
        not row.get("ID") or row["Student"].strip() in ("Points Possible", "Student, Test")
    )


def read_table(path: Path, what: str):
    """Read a CSV file as spreadsheets save it; return the columns, and of each line its number and cells by column."""
    try:
        text = path.read_bytes()[:LARGEST_BYTES].decode("utf-8-sig")
    except OSError as error:
        what = f"{path}: the {what} cannot be read ({error.strerror})."
        raise UsageError(what, "a CSV file, found from the folder of course.toml.", "its name") from error
    except UnicodeDecodeError as error:
        what = f"{path}: the {what} is not UTF-8 (byte {error.start})."
        raise CourseError(what, "a CSV file in UTF-8.", "save it as CSV UTF-8 in the spreadsheet") from error
    first = text.partition("\n")[0]
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=";" if first.count(";") > first.count(",") else ",")
    try:
        table = [(lines.line_num, row) for row in lines if any(map(str.strip, row))]
    except csv.Error as error:
        raise CourseError(f"{path}, line {lines.line_num}: {error}.", "a CSV file.", "that line") from error
    if not table:
        raise CourseError(f"{path}: the {what} is empty.", "a header and a row for each student.", "id,name")
    head = [name.strip() for name in table[0][1]]
    return head, [(line, dict(zip(head, row, strict=False))) for line, row in table[1:]]


def check_columns(head, known, needed, path):
    """Return the columns that are known; refuse a missing one, or one that is nearly known.

    >>> check_columns(["id", "phone"], ("id", "name"), ("id",), "roster.csv")
    ['id']
    """
    for name in head:
        close = get_close_matches(name.casefold().replace(" ", "_"), known, n=1, cutoff=0.75)
        if name not in known and close:
            what = f"{path}: unknown column {name!r}; did you mean {close[0]!r}?"
            raise CourseError(what, f"columns of {', '.join(known)}; others have no similar name.", close[0])
    for name in needed:
        if name not in head:
            what = f"{path}: the column {name!r} is missing."
            raise CourseError(what, f"columns of {', '.join(known)}.", near_misses(name, head))
    if twice := next((name for name in head if head.count(name) > 1 and name in known), None):
        raise CourseError(f"{path}: the column {twice!r} occurs twice.", "each column once.", "rename one")
    return [name for name in head if name in known]
