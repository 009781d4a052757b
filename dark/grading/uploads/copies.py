"""Copies of all submissions, made before the first of them runs: none can change or delete another."""

import shutil
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from dark.errors import CourseError

NAME = ".copies"


@contextmanager
def copied(submissions, folder):
    """Copy submissions into a hidden folder of `folder` for the duration of a block; yield them, each with its copy.

    One that cannot be read is not copied, and is found unreadable when it is graded. What a killed batch has left there
    is removed: only one batch may use a folder at a time.
    """
    root = Path(folder, NAME)
    shutil.rmtree(root, ignore_errors=True)
    try:
        yield [_copy(submission, root / str(number)) for number, submission in enumerate(submissions)]
    finally:
        shutil.rmtree(root, ignore_errors=True)


def _copy(submission, path):
    if submission.fault:
        return submission
    try:
        content = submission.read()
    except OSError:
        return submission
    try:
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
    except OSError as error:
        raise CourseError(
            f"{path}: the submission cannot be copied ({error.strerror}).",
            "room for a copy of all submissions in the folder of the report; nothing is graded yet.",
            "free disk space, or another folder for --out",
        ) from error
    return replace(submission, copy=path)
