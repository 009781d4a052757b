"""A submission: one file of a student, and its unique name."""

import errno
import hashlib
import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path

from dark.course.uploads.archive import read_member
from dark.course.uploads.owners import Owner

LARGEST_BYTES = 64 << 20  # most of a large file are outputs, which are not read


@dataclass(frozen=True)
class Submission:
    """One notebook file, and its name in the gradebook.

    Parameters
    ----------
    name : str
        Unique.
    path : Path
        The file, or the zip that contains it.
    fault : str
        Why it cannot be graded; empty if it can.
    keys : tuple of str
        Where it is in the zip; empty if it is not in one.
    owner : Owner or None
        The student, if the name of the file says so.
    counts : bool
        Whether it is the attempt of its student that counts.
    copy : Path or None
        A copy, which is read instead.
    """

    name: str
    path: Path
    fault: str = ""
    keys: tuple[str, ...] = ()
    owner: Owner | None = None
    counts: bool = True
    copy: Path | None = None

    @property
    def file(self):
        """The name of the file.

        Examples
        --------
        >>> Submission("ann", Path("ann.zip"), keys=("work/one.ipynb",)).file
        'one.ipynb'
        """
        return re.split(r"[/\\]", self.keys[-1])[-1] if self.keys else self.path.name

    @property
    def student(self):
        """What identifies the student: the id of the owner, or the name of the submission."""
        return f"{self.owner.system} {self.owner.id}" if self.owner else self.name

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
        with open_upload(self.copy or self.path) as file:
            if self.keys and not self.copy:
                return read_member(file, self.keys, LARGEST_BYTES + 1)
            return file.read(LARGEST_BYTES + 1)


def open_upload(path):
    """Open a file for reading that is no link and no pipe, also if it has become one since it was found.

    Parameters
    ----------
    path : path
        The file.

    Returns
    -------
    binary file

    Raises
    ------
    OSError
        If it cannot be read, or is something else.
    """
    return open(path, "rb", opener=_open_regular)


def _open_regular(path, flags):
    descriptor = os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "it is not a regular file")
    return descriptor
