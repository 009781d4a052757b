"""A copy of a teacher's private exam, made before the first student's code runs: no submission can change it."""

import shutil
from contextlib import contextmanager
from pathlib import Path

from dark.course.grading.locked_folders import temporary_folder
from dark.errors import CourseError

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

    Raises
    ------
    CourseError
        If it cannot be copied.
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
