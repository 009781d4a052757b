"""Find the submissions in a folder and give each a unique name."""

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
        with open(self.path, "rb") as file:
            return file.read(LARGEST_BYTES + 1)


def find_submissions(folder):
    """Find the notebooks in a folder and in its subfolders, one for each student.

    Hidden files and folders, such as Jupyter's checkpoints, are ignored. A notebook that is alone in
    its subfolder is named after the subfolder, otherwise after its path. A file with the suffix of a
    notebook that cannot be graded, or is nested deeper, is listed with its fault.

    Parameters
    ----------
    folder : path
        The folder of the submissions.

    Returns
    -------
    list of Submission
        Sorted by name.

    Raises
    ------
    UsageError
        If the folder does not exist, or contains no notebook that can be graded.
    """
    folder = Path(folder)
    if not folder.is_dir():
        what = "is a file" if folder.exists() else "does not exist"
        raise UsageError(
            f"{folder} {what}.",
            "the folder of the submissions.",
            f"dark grade {folder.parent if folder.exists() else '.'} --out REPORT",
        )
    faults = dict(sorted(_notebooks(folder, folder)))
    if all(faults.values()):
        raise UsageError(
            f"{folder} contains no notebook.",
            "files that end in .ipynb, in the folder or one level deeper.",
            f"ls {folder}",
        )
    return sorted(_named(faults, folder), key=lambda submission: submission.name)


def _notebooks(directory, folder):
    """Walk a folder; yield each path with the suffix of a notebook, and its fault or an empty string."""
    depth = len(directory.relative_to(folder).parts)
    try:
        paths = [path for path in directory.iterdir() if not path.name.startswith(".")]
    except OSError as error:
        yield directory, f"The folder cannot be read ({error.strerror})."
        return
    for path in paths:
        if path.is_dir() and (depth == 0 or not (path.is_symlink() or directory.is_symlink())):
            found = list(_notebooks(path, folder))
            yield from found or ([(path, "It is a folder.")] if _has_notebook_suffix(path) else [])
        elif _has_notebook_suffix(path):
            yield path, _fault(path, depth)


def _has_notebook_suffix(path):
    return path.suffix.lower() == SUFFIX


def _fault(path, depth):
    if path.is_symlink() and not path.exists():
        return "It is a link to a file that does not exist."
    if not path.is_file():
        return "It is not a regular file."
    return "It is nested more than one folder deep." if depth > 1 else ""


def _named(faults, folder):
    """Give each the shortest unique name."""
    alone = Counter(path.parent for path in faults)
    names = []
    for path in faults:
        in_own_folder = path.parent.parent == folder and alone[path.parent] == 1
        names.append(path.parent.name if in_own_folder else _long_name(path, folder))
    taken = Counter(names)
    for path, name in zip(faults, names, strict=True):
        unique = name if taken[name] == 1 else _long_name(path, folder)
        yield Submission(unique.encode("utf-8", "backslashredirectory").decode(), path, faults[path])


def _long_name(path, folder):
    inside = path.relative_to(folder)
    return (inside.with_suffix("") if path.suffix == SUFFIX else inside).as_posix()
