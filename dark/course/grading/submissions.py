"""The submissions of a folder: which files they are, and what each is called."""

import hashlib
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from dark.errors import UsageError

LARGEST_BYTES = 64 << 20


@dataclass(frozen=True)
class Submission:
    """One notebook file, and the name it has in the gradebook."""

    name: str
    path: Path

    @property
    def slug(self):
        """A file name made of the name: plain letters, and a hash, so that no two are equal.

        Examples
        --------
        >>> Submission("Ann B./01", Path("x.ipynb")).slug.rpartition("-")[0]
        'Ann_B._01'
        """
        plain = re.sub(r"[^A-Za-z0-9._-]+", "_", self.name).lstrip(".")[:60] or "submission"
        return f"{plain}-{hashlib.sha256(self.name.encode()).hexdigest()[:8]}"

    def read(self):
        """Read the file.

        Returns
        -------
        bytes

        Raises
        ------
        OSError
            It cannot be read, or is larger than any notebook of a student.
        """
        size = self.path.stat().st_size
        if size > LARGEST_BYTES:
            raise OSError(f"the file is too large, {size >> 20} MiB")
        return self.path.read_bytes()


def find_submissions(folder):
    """Find the notebooks of a folder: its own, and those one level down, a folder a student.

    Hidden files and folders, Jupyter's checkpoints among them, are left out. A student's folder
    with a single notebook gives it its name; otherwise the name is the path.

    Parameters
    ----------
    folder : path
        Where the submissions are.

    Returns
    -------
    list of Submission
        Sorted by name.

    Raises
    ------
    UsageError
        There is no such folder, or no notebook in it.
    """
    folder = Path(folder)
    if not folder.is_dir():
        what = "is a file" if folder.exists() else "does not exist"
        raise UsageError(
            f"{folder}: {what}.",
            "the folder that holds the submissions.",
            f"dark grade {folder.parent if folder.exists() else '.'} --out REPORT",
        )
    paths = sorted(path for path in (*folder.glob("*.ipynb"), *folder.glob("*/*.ipynb")))
    paths = [path for path in paths if path.is_file() and not _is_hidden(path, folder)]
    if not paths:
        raise UsageError(
            f"{folder}: there is no notebook in it.",
            "files that end in .ipynb, here or one folder further down.",
            f"ls {folder}",
        )
    return sorted(_named(paths, folder), key=lambda submission: submission.name)


def _is_hidden(path, folder):
    return any(part.startswith(".") for part in path.relative_to(folder).parts)


def _named(paths, folder):
    """Give each the shortest name that tells it from the others."""
    alone = Counter(path.parent for path in paths)
    names = []
    for path in paths:
        in_own_folder = path.parent != folder and alone[path.parent] == 1
        names.append(path.parent.name if in_own_folder else _long_name(path, folder))
    taken = Counter(names)
    for path, name in zip(paths, names, strict=True):
        unique = name if taken[name] == 1 else _long_name(path, folder)
        yield Submission(unique.encode("utf-8", "backslashreplace").decode(), path)


def _long_name(path, folder):
    return path.relative_to(folder).with_suffix("").as_posix()
