"""The file results.json, by which a report is recognized: a heading, and a line for each submission."""

import json
import math
from pathlib import Path

from dark.atomic_write import replace_file
from dark.errors import UsageError

SCHEMA = 1


def light(record):
    """Return a record without the details of its questions, most of its size, which the database holds."""
    exercises = [{key: value for key, value in each.items() if key != "questions"} for each in record["exercises"]]
    return record | {"exercises": exercises}


def with_questions(row: dict, record: dict | None) -> dict:
    """Return a row with the details of its questions again, and without the entries for teachers."""
    row = {key: value for key, value in row.items() if key != "hidden"}
    if not row.get("exercises"):
        return row
    known = {each["exercise"]: each.get("questions", []) for each in (record or {}).get("exercises", ())}
    exercises = [{"questions": known.get(each["exercise"], []), **each} for each in row["exercises"]]
    return row | {"exercises": exercises}


def results_lines(heading: dict, rows):
    """Yield the lines of the file: the heading, and the submissions."""
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


def open_folder(folder) -> bool:
    """Create the folder of a gradebook, or open an existing one, and no other folder; return whether it is new."""
    advice = "the name of a new folder, such as report"
    try:
        if folder.exists() and not folder.is_dir():
            raise UsageError(f"--out {folder} must be a folder, but is a file.", "a folder for the results.", advice)
        is_new = not folder.is_dir() or not any(folder.iterdir())
        is_report = is_new or _results(folder / "results.json") is not None
        if is_report:
            (folder / "pages").mkdir(parents=True, exist_ok=True)
    except OSError as error:
        what = f"--out {folder}: the folder cannot be created or read ({error.strerror})."
        raise UsageError(what, "a folder with write permission.", advice) from error
    if not is_report:
        expected = "a new or empty folder, or the report of an earlier `dark grade`."
        raise UsageError(f"--out {folder} is not empty and is not a report.", expected, advice)
    return is_new


def recorded_seed(folder) -> int | None:
    """Return the seed of an earlier run, so that the next one reuses its records; None if there was none."""
    seed = (_results(Path(folder, "results.json")) or {}).get("seed")
    return seed if isinstance(seed, int) else None


def _results(path):
    """Read the results.json of a gradebook; None if it is something else."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    is_report = isinstance(found, dict) and found.get("schema") == SCHEMA and "submissions" in found
    return found if is_report else None


def as_json(data):
    """Serialize data as JSON; NaN and infinity become strings."""
    return compact_json(data, indent=1) + "\n"


def compact_json(data, indent=None):
    """Serialize data as JSON in one line; NaN and infinity become strings.

    >>> compact_json({"a": [float("nan"), 1.5]})
    '{"a": ["nan", 1.5]}'
    """
    try:
        return json.dumps(data, indent=indent, allow_nan=False)
    except ValueError:  # rare
        return json.dumps(_finite(data), indent=indent, allow_nan=False)


def _finite(data):
    if isinstance(data, dict):
        return {key: _finite(value) for key, value in data.items()}
    if isinstance(data, (list, tuple)):
        return [_finite(item) for item in data]
    return str(data) if isinstance(data, float) and not math.isfinite(data) else data
