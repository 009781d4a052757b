"""A submission: one file of a student, and its unique name."""

import errno
import hashlib
import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path

LARGEST_BYTES = 64 << 20  # most of a large file are outputs, which are not read


@dataclass(frozen=True)
class Submission:
    """One notebook file, and its name in the gradebook.

    Parameters
    ----------
    name : str
        Unique.
    path : Path
        The file.
    fault : str
        Why it cannot be graded; empty if it can.
    """

    name: str
    path: Path
    fault: str = ""

    @property
    def slug(self):
        """A unique file name: the ASCII letters of the name, and a hash.

        Examples
        --------
        >>> Submission("Ann B./01", Path("x.ipynb")).slug.rpartition("-")[0]
        'Ann_B._01'
        """
        plain = re.sub(r"[^A-Za-z0-9._-]+", "_", self.name).lstrip(".")[:60] or "submission"
        return f"{plain}-{hashlib.sha256(self.name.encode()).hexdigest()[:8]}"

    def read(self):
        """Read the file, up to the size limit.

        Returns
        -------
        bytes
            `LARGEST_BYTES + 1` bytes if the file is larger than `LARGEST_BYTES`.

        Raises
        ------
        OSError
            If it cannot be read.
        """
        with open(self.path, "rb", opener=_open_file) as file:
            return file.read(LARGEST_BYTES + 1)


def _open_file(path, flags):
    """Open a file that is no link and no pipe, also if it has become one since it was found."""
    descriptor = os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "it is not a regular file")
    return descriptor
