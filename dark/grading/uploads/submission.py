"""A submission: one file of a student, its unique name, and a copy of it that no student's code can change."""

import errno
import hashlib
import os
import re
import shutil
import stat
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from dark.errors import CourseError
from dark.grading.uploads.archive import read_member
from dark.grading.uploads.outputs import read_without_outputs
from dark.grading.uploads.owners import Owner

COPIES = ".copies"  # the hidden folder of copies


@dataclass(frozen=True)
class Submission:
    """One notebook file, and its name in the gradebook."""

    name: str  # unique
    path: Path  # the file, or the zip that contains it
    fault: str = ""  # why it cannot be graded; empty if it can
    keys: tuple[str, ...] = ()  # where it is in the zip; empty if it is not in one
    owner: Owner | None = None  # the student, if the name of the file gives it
    counts: bool = True  # whether it is the attempt of its student that counts
    copy: Path | None = None  # a copy, which is read instead
    first: str = ""  # the first part of its path, without suffix: a folder, or the file
    doubt: str = ""  # why the owner is in doubt without a roster; empty if it is not

    @property
    def file(self):
        """The name of the file.

        >>> Submission("ann", Path("ann.zip"), keys=("work/one.ipynb",)).file
        'one.ipynb'
        """
        return re.split(r"[/\\]", self.keys[-1])[-1] if self.keys else self.path.name

    @property
    def student(self):
        """The key of the student: the id of the owner, or the name of the submission."""
        return self.students[0]

    @property
    def students(self):
        """The key of each student who has submitted it."""
        if self.owner is None or self.doubt:
            return (self.name,)
        return tuple(f"{each.system} {each.id}" for each in self.owner.everyone)

    @property
    def claim(self):
        """The string by which it names its student, if no system has named it.

        >>> Submission("ann/one", Path("one.ipynb")).claim
        'ann'
        """
        return self.first or self.name.split("/")[0]

    @property
    def slug(self):
        """A unique file name: the ASCII letters of the name, and a hash."""
        plain = re.sub(r"[^A-Za-z0-9._-]+", "_", self.name).lstrip(".")[:60] or "submission"
        return f"{plain}-{hashlib.sha256(self.name.encode()).hexdigest()[:8]}"

    def read(self):
        """Read the file; of a large one, without the outputs, as `read_without_outputs` does."""
        with open_upload(self.copy or self.path) as file:
            if self.keys and not self.copy:
                return read_member(file, self.keys, read_without_outputs)
            return read_without_outputs(file)


def open_upload(path):
    """Open a regular file for reading; refuse a link or a pipe, also if the file has become one since it was found."""
    return open(path, "rb", opener=_open_regular)


def _open_regular(path, flags):
    descriptor = os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "it is not a regular file")
    return descriptor


@contextmanager
def copied(submissions, folder):
    """Copy submissions into a hidden folder, without what a killed batch has left there, for a block; yield them."""
    root = Path(folder, COPIES)
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
        what = f"{path}: the submission cannot be copied ({error.strerror})."
        expected = "room for a copy of all submissions in the folder of the report; nothing is graded yet."
        raise CourseError(what, expected, "free disk space, or another folder for --out") from error
    return replace(submission, copy=path)
