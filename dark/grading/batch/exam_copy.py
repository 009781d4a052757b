"""A copy of a teacher's private exam, made before the first student's code runs: no submission can change it."""

import shutil
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

from dark.errors import CourseError
from dark.grading.batch.locked_folders import temporary_folder

PARTS = ("questions", "answers", "bank")


@contextmanager
def copied_exam(folder):
    """Copy a private exam for the duration of a block, into a temporary folder that only this user can open.

    Parameters
    ----------
    folder : path or None
        The private folder.

    Yields
    ------
    Path or None
        The copy; None without a folder.
    """
    if folder is None:
        yield None
        return
    with temporary_folder() as place:
        for part in PARTS:
            if Path(folder, part).is_dir():
                _copy(Path(folder, part), Path(place, part))
        yield Path(place)


def _copy(folder, target):
    try:
        shutil.copytree(folder, target, ignore=shutil.ignore_patterns("__pycache__"))
    except (OSError, shutil.Error) as error:
        raise CourseError(
            f"{folder}: the private exam cannot be copied ({error}).",
            "files that can be read, and room for a copy of them; nothing is graded yet.",
            "`ls -l` in that folder",
        ) from error


def with_exam(settings, assign, folder):
    """Return settings, and a function that loads an assignment, with a folder as the private exam.

    Parameters
    ----------
    settings : Settings
        The settings.
    assign : callable or None
        ``assign(private=folder)`` returns the assignment.
    folder : path or None
        The folder; without one, nothing changes.

    Returns
    -------
    (Settings, callable or None)
    """
    if folder is None:
        return settings, assign
    return replace(settings, exam=folder), assign and partial(assign, private=folder)
