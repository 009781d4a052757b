"""The preflight of a batch: the course itself is tested before any submission is graded by it.

A module that has passed is remembered, so that the next batch with the same course does not test it again.
"""

import json
import re
from contextlib import suppress

import numpy as np

from dark.course.lessons.library import modules
from dark.course.lessons.notebook_files import save_file
from dark.errors import CourseError
from dark.grading.batch.module_check import PreflightError, check_assignment
from dark.grading.gradebook.seal import state_folder
from dark.grading.grader.result import short

MODULE_NAMED = re.compile(rb'"module"\s*:\s*"(\d\d)"')
REMEMBERED = 200  # modules that have passed


def preflight(assignments, course: dict, seed: int = 0, tell=lambda text: None):
    """Test modules of the course, except modules that have passed before with the same content of the course."""
    path = state_folder() / "preflights.json"
    passed = _read(path)
    for name, load in assignments.items():
        key = json.dumps([name, course, np.__version__], sort_keys=True)
        if key not in passed:
            check_assignment(read_assignment(name, load), seed, tell)
            passed.append(key)
            with suppress(OSError):  # it is only remembered
                save_file(path, json.dumps(passed[-REMEMBERED:]))


def read_assignment(name: str, load):
    """Return the assignment of a module, as `load()` returns it."""
    try:
        return load()
    except Exception as error:
        fault = error.__cause__ if isinstance(error, CourseError) else error  # of a file that cannot be executed
        if fault is None:
            raise
        what = f"module {name}: its questions cannot be read ({short(fault)})."
        expected = "files of questions and answers that Python can import."
        raise PreflightError(what, expected, "correct them, or grade another module with --module") from error


def _read(path):
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return []
    return found if isinstance(found, list) else []


def modules_of(submissions) -> tuple[str, ...]:
    """Return the modules that submissions may belong to: the named ones, or all if a submission names none."""
    named = set()
    for submission in submissions:
        with suppress(OSError):
            content = b"" if submission.fault else submission.read().replace(b"\0", b"")  # UTF-16
            found = set(MODULE_NAMED.findall(content))
            if b'"cells"' in content and not found:
                return modules()
            named |= found
    return tuple(name for name in modules() if name[:2].encode() in named)
