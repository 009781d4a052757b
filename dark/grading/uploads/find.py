"""Find the submissions in a folder or a zip."""

import re
from contextlib import suppress
from io import BytesIO
from operator import methodcaller
from pathlib import Path

from dark.errors import UsageError
from dark.grading.uploads.archive import LARGEST_ZIP, LINK, list_members, read_member
from dark.grading.uploads.attempts import chosen
from dark.grading.uploads.names import DEEP, SUFFIX, Found, named
from dark.grading.uploads.owners import METADATA, owners_of
from dark.grading.uploads.submission import open_upload

ZIP = ".zip"
NOT_A_NOTEBOOK = "It is not a notebook: its name does not end in .ipynb."
NO_NOTEBOOK = "The zip contains no notebook."
EMPTY = "The folder is empty: nothing was submitted."
IGNORED = frozenset({"__MACOSX", "Thumbs.db", "desktop.ini", METADATA})  # and hidden files
METADATA_BYTES = 32 << 20


def find_submissions(folder, attempt="latest"):
    """Find the notebooks in a folder and in its subfolders or zips, one for each student; or in a zip of a class.

    Hidden files and folders, such as Jupyter's checkpoints, are ignored, and nothing behind a link is read. A notebook
    that is alone in its subfolder or zip is named after that, otherwise after its path; files as Canvas, Moodle and
    Gradescope name them are named after the student. Files that cannot be graded are listed with their fault: links,
    notebooks that are nested deeper, other files beside the folders of the students, and all files of a student without
    a notebook. Earlier of several attempts are listed, too, and for "best" graded.
    """
    folder = Path(folder)
    kind = folder.suffix.lower() if folder.is_file() else ""
    if not folder.is_dir() and kind not in (ZIP, SUFFIX):
        what = "is a file" if folder.exists() else "does not exist"
        expected = "the folder of the submissions, a zip of it, or a notebook (.ipynb)."
        advice = f"dark grade {folder.parent if folder.exists() else '.'} --out REPORT"
        raise UsageError(f"{folder} {what}.", expected, advice)
    if kind == SUFFIX:
        found = [Found((folder.name,), folder, _fault(folder, 0))]
    else:
        found = _in_class_zip(folder) if kind == ZIP else _in_folder(folder, ())
    found = sorted(found, key=lambda each: (each.parts, each.keys, each.path))
    if all(each.fault for each in found):
        seen = [f"{'/'.join(each.parts)}: {each.fault}" for each in found if each.parts]
        expected = "files that end in .ipynb, in the folder or one level deeper, or zips of them."
        raise UsageError(f"{folder} contains no notebook that can be graded.{_some(seen)}", expected, f"ls {folder}")
    submissions = named(found, owners_of([each.top for each in found if each.is_notebook], _metadata(folder)))
    return sorted(chosen(submissions, attempt), key=lambda submission: submission.name)


def _some(lines, most=3):
    left = len(lines) - most
    return "".join(f"\n    {line}" for line in lines[:most]) + (f"\n    and {left} more" if left > 0 else "")


def _is_ignored(name):
    return name in IGNORED or name.startswith(".") and name != ".."


def _in_folder(folder, parts):
    try:
        paths = [path for path in folder.iterdir() if not _is_ignored(path.name)]
    except OSError as error:
        return [Found(parts or (folder.name,), folder, f"The folder cannot be read ({error.strerror}).")]
    found = []
    for path in paths:
        inside = (*parts, path.name)
        if path.is_dir() and not path.is_symlink():
            found += _in_folder(path, inside)
        elif fault := _fault(path, len(parts)):
            found.append(Found(inside, path, fault))
        elif path.suffix.lower() == ZIP:
            found += _in_student_zip(path, inside)
        else:
            found.append(Found(inside, path))
    if not found:
        return [Found(parts, folder, EMPTY)] if parts else []
    return _without_data(found) if parts else found


def _without_data(found):
    """Leave out the files beside the notebooks of a student."""
    has_notebook = any(each.is_notebook for each in found)
    return [each for each in found if not (has_notebook and each.fault in (NOT_A_NOTEBOOK, NO_NOTEBOOK, EMPTY))]


def _fault(path, depth):
    if path.is_symlink():
        return LINK
    if path.suffix.lower() not in (SUFFIX, ZIP):
        return NOT_A_NOTEBOOK
    if not path.is_file():
        return "It is not a regular file."
    return DEEP if depth > 1 else ""


def _in_student_zip(path, parts, keys=()):
    """List the notebooks in the zip of a student, at any depth; the zip counts as the student's folder."""
    try:
        with open_upload(path) as file:
            listed = list_members(BytesIO(read_member(file, keys, methodcaller("read", LARGEST_ZIP))) if keys else file)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else None
        return [Found(parts, path, f"It cannot be read ({reason})." if reason else str(error), keys)]
    base, entry = (*parts[:-1], parts[-1][: -len(ZIP)]), parts[0]
    members = [each for each in listed if not any(map(_is_ignored, each.parts))]
    notebooks = [each for each in members if each.parts[-1].lower().endswith(SUFFIX)]
    if not notebooks:
        return [Found(parts, path, NO_NOTEBOOK, keys)]
    return [Found((*base, *each.parts), path, each.fault, (*keys, each.key), entry) for each in notebooks]


def _in_class_zip(path):
    try:
        with open_upload(path) as file:
            members = list_members(file)
    except (OSError, ValueError) as error:
        what = f"{path} cannot be read: {error}"
        raise UsageError(what, "a zip of a class.", "unpack it, and name the folder") from error
    members = [each for each in members if not any(map(_is_ignored, each.parts))]
    top = _common_folder([each.parts for each in members])
    found = []
    for each in members:
        parts = each.parts[top:]
        name = parts[-1].lower()
        fault = each.fault or (DEEP if len(parts) > 2 else "" if name.endswith((SUFFIX, ZIP)) else NOT_A_NOTEBOOK)
        if name.endswith(ZIP) and not fault:
            found += _in_student_zip(path, parts, (each.key,))
        else:
            found.append(Found(parts, path, fault, (each.key,)))
    students: dict[str, list[Found]] = {each.parts[0]: [] for each in found}
    for each in found:
        students[each.parts[0]].append(each)
    return [each for files in students.values() for each in _without_data(files)]


def _common_folder(paths):
    """Return 1 if all files are in one folder that is not the folder of a single student, else 0."""
    inside = len({parts[0] for parts in paths}) == 1 and all(len(parts) > 1 for parts in paths)
    return int(inside and (len(paths) > 1 or len(paths[0]) > 2))


def _metadata(folder):
    """Return the content of Gradescope's file about the submissions of a folder; empty without one."""
    path = folder / METADATA
    with suppress(OSError), open_upload(path) as file:
        return file.read(METADATA_BYTES).decode("utf-8", "replace")
    with suppress(OSError, ValueError), open_upload(folder) as file:
        members = [each for each in list_members(file) if not any(map(_is_ignored, each.parts[:-1]))]
        found = [each for each in members if each.parts[-1] == METADATA and not each.fault]
        keys = [each.key for each in found if _holds_all(each.parts[:-1], members)]
        read = methodcaller("read", METADATA_BYTES)
        return read_member(file, (keys[0],), read).decode("utf-8", "replace") if keys else ""
    return ""


def _holds_all(folder, members):
    """Return whether all files are in a folder that is not a submission's, in which a student may write."""
    is_own = folder and re.fullmatch("submission_[0-9]+", folder[-1])
    return not is_own and all(each.parts[: len(folder)] == folder for each in members)
