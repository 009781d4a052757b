"""The submissions of a folder: which files they are, and what each is called."""

import hashlib
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from dark.errors import UsageError

LARGEST_BYTES = 16 << 20
SUFFIX = ".ipynb"


@dataclass(frozen=True)
class Submission:
    """One notebook file, and the name it has in the gradebook.

    Parameters
    ----------
    name : str
        Unique.
    path : Path
        Where it is.
    fault : str
        Why it is not graded; empty where it is.
    """

    name: str
    path: Path
    fault: str = ""

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
        """Read the file, as far as a notebook may reach.

        Returns
        -------
        bytes
            One more than `LARGEST_BYTES` where there are still more.

        Raises
        ------
        OSError
            It cannot be read.
        """
        with open(self.path, "rb") as file:
            return file.read(LARGEST_BYTES + 1)


def find_submissions(folder):
    """Find the notebooks of a folder: its own, and those one level down, a folder a student.

    Hidden files and folders, Jupyter's checkpoints among them, are left out. A student's folder
    with a single notebook gives it its name; otherwise the name is the path. What is called a
    notebook and cannot be graded, or lies deeper, is listed with its fault.

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
        There is no such folder, or no notebook in it that can be graded.
    """
    folder = Path(folder)
    if not folder.is_dir():
        what = "is a file" if folder.exists() else "does not exist"
        raise UsageError(
            f"{folder}: {what}.",
            "the folder that holds the submissions.",
            f"dark grade {folder.parent if folder.exists() else '.'} --out REPORT",
        )
    faults = dict(sorted(_notebooks(folder, folder)))
    if all(faults.values()):
        raise UsageError(
            f"{folder}: there is no notebook in it.",
            "files that end in .ipynb, here or one folder further down.",
            f"ls {folder}",
        )
    return sorted(_named(faults, folder), key=lambda submission: submission.name)


def _notebooks(place, folder):
    """Walk a folder; give each path that is called a notebook, with its fault or none."""
    depth = len(place.relative_to(folder).parts)
    try:
        paths = [path for path in place.iterdir() if not path.name.startswith(".")]
    except OSError as error:
        yield place, f"The folder cannot be read ({error.strerror})."
        return
    for path in paths:
        if path.is_dir() and (depth == 0 or not (path.is_symlink() or place.is_symlink())):
            found = list(_notebooks(path, folder))
            yield from found or ([(path, "It is a folder.")] if _is_called_notebook(path) else [])
        elif _is_called_notebook(path):
            yield path, _fault(path, depth)


def _is_called_notebook(path):
    return path.suffix.lower() == SUFFIX


def _fault(path, depth):
    if path.is_symlink() and not path.exists():
        return "It is a link to a file that does not exist."
    if not path.is_file():
        return "It is no file."
    return "It lies deeper than one folder down." if depth > 1 else ""


def _named(faults, folder):
    """Give each the shortest name that tells it from the others."""
    alone = Counter(path.parent for path in faults)
    names = []
    for path in faults:
        in_own_folder = path.parent.parent == folder and alone[path.parent] == 1
        names.append(path.parent.name if in_own_folder else _long_name(path, folder))
    taken = Counter(names)
    for path, name in zip(faults, names, strict=True):
        unique = name if taken[name] == 1 else _long_name(path, folder)
        yield Submission(unique.encode("utf-8", "backslashreplace").decode(), path, faults[path])


def _long_name(path, folder):
    inside = path.relative_to(folder)
    return (inside.with_suffix("") if path.suffix == SUFFIX else inside).as_posix()
