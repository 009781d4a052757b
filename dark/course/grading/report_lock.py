"""The lock of a report: two batches never write into one folder at the same time."""

import os
from contextlib import contextmanager
from pathlib import Path

from dark.errors import UsageError


@contextmanager
def only_one(folder):
    """Hold the lock of a report; the system releases it however this process ends.

    Parameters
    ----------
    folder : path
        The folder of the report.

    Raises
    ------
    UsageError
        If another process holds it.
    """
    import fcntl  # Unix only, as all grading

    with open(Path(folder, ".lock"), "a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.seek(0)
            raise UsageError(
                f"--out {folder}: another `dark grade` is writing this report (process {file.read().strip() or '?'}).",
                "one batch at a time for a report.",
                "wait until it has ended, or another folder for --out.",
            ) from None
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        yield
