"""Show progress, recomputed from your notebooks, with attempts and hints."""

import json
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from dark.course.capstone.finished import finished_projects
from dark.course.judging.judge import judge_exercise
from dark.course.judging.verdict import sign_of
from dark.course.lessons.answers import collect
from dark.course.lessons.lesson import Module
from dark.course.lessons.library import load_module, modules, notebook_path
from dark.course.lessons.notebook_files import read_notebook
from dark.course.student.course_map import end_of_course, lines_written, summary_lines
from dark.course.student.progress import Log
from dark.course.student.records import records
from dark.grading.sandbox.worker_observer import isolated_observer

HEADINGS = ("exercise", "minutes", "points", "attempts", "hints")


def add_arguments(parser):
    """Add the arguments of `dark progress`."""
    parser.add_argument("module", nargs="?", help="number or name of a module (default: all)")
    parser.add_argument("--file", type=Path, help="path to the notebook")
    parser.add_argument("--json", action="store_true", help="print the results as JSON")


def run(arguments):
    """Print a table for each module, then the whole course; return 0 if every answer is right, else 1."""
    names = [arguments.module] if arguments.module else _begun()
    with isolated_observer() as observer:
        found = [survey(load_module(name), arguments.file, observer) for name in names]
    if arguments.json:
        print(json.dumps(found, ensure_ascii=False, indent=2))
    else:
        counts = {each["module"][:2]: _done(each) for each in found}
        whole = [] if arguments.module else ["\n".join(summary_lines(counts)), end_of_course(counts, lines_written())]
        print("\n\n".join(filter(None, [*map(table, found), *whole])))
    for each in found:
        for damage in each["damages"]:
            print(f"{each['log']}: {damage}.", file=sys.stderr)
    return 0 if all(row["status"] == "right" for each in found for row in each["exercises"]) else 1


def _done(found):
    """Return the number of right answers; of a module without exercises, of finished projects."""
    return sum(row["status"] == "right" for row in found["exercises"]) or len(found["projects"])


def _begun():
    """Return the modules whose notebook exists, or else the first module, for its clear error."""
    here = [name for name in modules() if notebook_path(name).is_file()]
    return here or list(modules()[:1]) or ["01"]


def survey(module: Module, file: Path | None, observer: Callable) -> dict[str, Any]:
    """Judge the exercises of a module, and add the attempts and hints from the log, as data for JSON."""
    path = file or notebook_path(module.id)
    sources = collect(read_notebook(path), module).sources
    log = Log(path.parent, warn=partial(print, file=sys.stderr))
    events, damages = log.read()
    known = records(events)
    rows = [
        _row(exercise, judge_exercise(module, name, sources, observer=observer), known[name])
        for name, exercise in module.exercises.items()
    ]
    return {
        "module": module.stem,
        "title": module.title,
        "notebook": str(path),
        "log": str(log.path),
        "exercises": rows,
        "projects": [] if rows else [project.folder.name for project in finished_projects(path.parent)],
        "damages": [str(damage) for damage in damages],
    }


def _row(exercise, verdict, record):
    return {
        "exercise": exercise.id,
        "status": verdict.status,
        "minutes": exercise.minutes,
        "earned": verdict.earned,
        "points": verdict.points,
        "attempts": record.attempts,
        "hints": len(record.hints),
        "hints_of": len(exercise.hints),
    }


def table(found: dict[str, Any]) -> str:
    """Format the result of `survey` as a table for a terminal."""
    if not found["exercises"]:
        finished = "".join(f"\n✓  {name}" for name in found["projects"])
        help_ = "\nNo project is finished: dark capstone check lists the missing parts."
        return f"{found['module']}: {found['title']}{finished or help_}"
    rows = [(" ", *HEADINGS)] + [_fields(row) for row in found["exercises"]]
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    lines = [f"{found['module']}: {found['title']}"]
    for row in rows:
        left = [field.ljust(width) for field, width in zip(row[:2], widths[:2], strict=True)]
        right = [field.rjust(width) for field, width in zip(row[2:], widths[2:], strict=True)]
        lines.append("  ".join(left + right).rstrip())
    return "\n".join([*lines, _total(found["exercises"])])


def _fields(row):
    points = f"{row['earned']}/{row['points']}"
    hints = f"{row['hints']}/{row['hints_of']}"
    name = row["exercise"]
    return (sign_of(row["status"]), name, str(row["minutes"]), points, str(row["attempts"]), hints)


def _total(rows):
    right = [row for row in rows if row["status"] == "right"]
    left = sum(row["minutes"] for row in rows if row["status"] != "right")
    earned, points = sum(row["earned"] for row in rows), sum(row["points"] for row in rows)
    more = f", about {left} minutes to go" if left else ""
    return f"{len(right)} of {len(rows)} right, {earned} of {points} points{more}."
