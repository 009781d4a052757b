"""Find the submissions in a folder and give each a unique name."""

from collections import Counter
from pathlib import Path

from dark.course.uploads.submission import Submission
from dark.errors import UsageError

SUFFIX = ".ipynb"
NOT_A_NOTEBOOK = "It is not a notebook: its name does not end in .ipynb."
LINK = "It is a link; only files themselves are graded."
EMPTY = "The folder is empty: nothing was submitted."
IGNORED = frozenset({"__MACOSX", "Thumbs.db", "desktop.ini"})  # and hidden files


def find_submissions(folder):
    """Find the notebooks in a folder and in its subfolders, one for each student.

    Hidden files and folders, such as Jupyter's checkpoints, are ignored. A notebook that is alone in
    its subfolder is named after the subfolder, otherwise after its path. What cannot be graded is listed
    with its fault: links, notebooks that are nested deeper, other files beside the folders of the
    students, and all files of a student without a notebook. Nothing behind a link is read.

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
        seen = [f"{path.relative_to(folder)}: {fault}" for path, fault in faults.items() if path != folder]
        raise UsageError(
            f"{folder} contains no notebook that can be graded.{_some(seen)}",
            "files that end in .ipynb, in the folder or one level deeper.",
            f"ls {folder}",
        )
    return sorted(_named(faults, folder), key=lambda submission: submission.name)


def _some(lines, most=3):
    """Return the first lines, and how many others there are."""
    left = len(lines) - most
    return "".join(f"\n    {line}" for line in lines[:most]) + (f"\n    and {left} more" if left > 0 else "")


def _notebooks(directory, folder):
    """Walk a folder; yield each path that is listed, and its fault or an empty string."""
    depth = len(directory.relative_to(folder).parts)
    try:
        paths = [path for path in directory.iterdir() if path.name not in IGNORED and path.name[0] != "."]
    except OSError as error:
        yield directory, f"The folder cannot be read ({error.strerror})."
        return
    found = {}
    for path in paths:
        if path.is_dir() and not path.is_symlink():
            found |= dict(_notebooks(path, folder))
        else:
            found[path] = _fault(path, depth)
    if not found:
        yield directory, EMPTY
    has_notebook = any(path.suffix.lower() == SUFFIX for path in found)
    for path, fault in found.items():
        if not (has_notebook and depth > 0 and fault in (NOT_A_NOTEBOOK, EMPTY)):  # data beside a student's notebook
            yield path, fault


def _fault(path, depth):
    if path.is_symlink():
        return LINK
    if path.suffix.lower() != SUFFIX:
        return NOT_A_NOTEBOOK
    if not path.is_file():
        return "It is not a regular file."
    return "It is nested more than one folder deep." if depth > 1 else ""


def _named(faults, folder):
    """Give each the shortest unique name."""
    alone = Counter(path.parent for path in faults if path.suffix.lower() == SUFFIX)
    names = []
    for path in faults:
        is_notebook = path.suffix.lower() == SUFFIX
        in_own_folder = is_notebook and path.parent.parent == folder and alone[path.parent] == 1
        names.append(path.parent.name if in_own_folder else _long_name(path, folder))
    taken = Counter(names)
    for path, name in zip(faults, names, strict=True):
        unique = name if taken[name] == 1 else _long_name(path, folder)
        yield Submission(unique.encode("utf-8", "backslashreplace").decode(), path, faults[path])


def _long_name(path, folder):
    inside = path.relative_to(folder)
    return (inside.with_suffix("") if path.suffix == SUFFIX else inside).as_posix()
