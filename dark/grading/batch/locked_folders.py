"""Folders that belong to one batch, however it ends: its report, and its temporary files.

The system releases a lock when its process ends, also if it is killed. So a batch knows that a report is
being written by another one, and that a temporary folder without a lock was left by one that was killed.
"""

import os
import shutil
import tempfile
from contextlib import contextmanager, suppress
from pathlib import Path

from dark.errors import CourseError, UsageError

PREFIX = "dark-grading-"


@contextmanager
def only_one(folder):
    """Hold the lock of a report for the duration of a block.

    Parameters
    ----------
    folder : path
        The folder of the report.

    Raises
    ------
    UsageError
        If another process holds it, or the folder cannot be written.
    """
    try:
        opened = open(Path(folder, ".lock"), "a+")
    except OSError as error:
        raise UsageError(
            f"--out {folder}: the folder cannot be written ({error.strerror}).",
            "a report of yours, or a new folder, with write permission.",
            "its mode and owner; or another folder for --out",
        ) from error
    with opened as file:
        if not _lock(file.fileno()):
            file.seek(0)
            raise UsageError(
                f"--out {folder}: another `dark grade` is writing this report (process {file.read().strip() or '?'}).",
                "one batch at a time for a report.",
                "wait until it has ended, or another folder for --out.",
            )
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        yield


@contextmanager
def temporary_folder():
    """Make a folder for all temporary files of a batch; the folders of killed batches are removed first.

    Yields
    ------
    str
        Its path.
    """
    for path in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError):
            _sweep(path)
    try:
        path, descriptor = _make_folder()
    except OSError as error:
        raise CourseError(
            f"{tempfile.gettempdir()}: no temporary folder can be made ({error.strerror}).",
            "a folder with room where this user can write.",
            "free disk space, or another folder in the environment variable TMPDIR",
        ) from error
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
