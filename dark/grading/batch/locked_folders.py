"""Folders that belong to one batch, however it ends: its report, its temporary files, its copy of a private exam.

The system releases a lock when its process ends, also if it is killed. So a batch knows that a report is
being written by another one, and that a temporary folder without a lock was left by one that was killed.
The exam is copied before the first student's code runs, so that no submission can change it.
"""

import os
import shutil
import tempfile
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

from dark.errors import CourseError, UsageError

PREFIX = "dark-grading-"
PARTS = ("questions", "answers", "bank")  # of a private exam


@contextmanager
def only_one(folder):
    """Hold the lock of a report for the duration of a block, unless another process holds it."""
    try:
        opened = open(Path(folder, ".lock"), "a+")
    except OSError as error:
        what = f"--out {folder}: the folder cannot be written ({error.strerror})."
        expected = "a report of yours, or a new folder, with write permission."
        raise UsageError(what, expected, "check its mode and owner; or use another folder for --out") from error
    with opened as file:
        if not _lock(file.fileno()):
            file.seek(0)
            raise UsageError(
                f"--out {folder}: another `dark grade` is writing this report (process {file.read().strip() or '?'}).",
                "one batch at a time for a report.",
                "wait until it has ended, or use another folder for --out.",
            )
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        yield


@contextmanager
def temporary_folder():
    """Make and yield a folder for all temporary files of a batch; first, remove the folders of killed batches."""
    for path in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError):
            _sweep(path)
    try:
        path, descriptor = _make_folder()
    except OSError as error:
        what = f"{tempfile.gettempdir()}: no temporary folder can be made ({error.strerror})."
        advice = "free disk space, or set the environment variable TMPDIR to another folder"
        raise CourseError(what, "a folder with room where this user can write.", advice) from error
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)
        os.close(descriptor)


def _make_folder():
    """Make a folder and lock it, before another batch takes it for one that was left."""
    while True:
        path = tempfile.mkdtemp(prefix=PREFIX)
        try:
            descriptor = os.open(path, os.O_RDONLY)
        except FileNotFoundError:
            continue
        if _lock(descriptor) and os.path.exists(path):
            return path, descriptor
        os.close(descriptor)


def _sweep(path):
    """Remove a folder of this user that no process holds."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        if os.fstat(descriptor).st_uid == os.geteuid() and _lock(descriptor):
            shutil.rmtree(path, ignore_errors=True)
    finally:
        os.close(descriptor)


def _lock(descriptor):
    """Return whether this process now holds the lock of a file or folder."""
    import fcntl  # Unix only, as all grading

    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


@contextmanager
def copied_exam(folder):
    """Copy a private exam for a block into a folder that only this user can open; yield the copy, or None."""
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
        what = f"{folder}: the private exam cannot be copied ({error})."
        expected = "files that can be read, and room for a copy of them; nothing is graded yet."
        raise CourseError(what, expected, "run `ls -l` in that folder") from error


def with_exam(settings, assign, folder):
    """Return settings, and a function that loads an assignment, with a folder, if any, as the private exam."""
    if folder is None:
        return settings, assign
    return replace(settings, exam=folder), assign and partial(assign, private=folder)
