"""The folder a student works in: the repository's modules, or a copy of the installed ones."""

import shutil
from pathlib import Path

from dark.course.lessons import library
from dark.errors import CourseError

NAME = "dark-modules"


def working_folder(here=None):
    """Return the folder of the student's notebooks; create it if it does not exist.

    In the repository it is `modules/`. Elsewhere it is `./dark-modules`, to which missing modules are
    copied from the installed package; existing files are not changed.

    Parameters
    ----------
    here : pathlib.Path, optional
        Where the copy is created; by default the current folder.

    Returns
    -------
    pathlib.Path
        The existing folder.

    Raises
    ------
    CourseError
        If the copy cannot be written.
    """
    if library.repository_root():
        return library.modules_folder()
    folder = Path(here or ".") / NAME
    copy_missing(library.modules_folder(), folder)
    return folder


def copy_missing(pristine, folder):
    """Copy the notebooks that do not exist yet; return the paths that were written.

    Parameters
    ----------
    pristine : pathlib.Path
        The folder of the printed notebooks.
    folder : pathlib.Path
        The student's folder, created if missing.

    Returns
    -------
    list of pathlib.Path
        Sorted by name.

    Raises
    ------
    CourseError
        If the folder cannot be created or written to.
    """
    missing = [path for path in sorted(pristine.glob("*.ipynb")) if not (folder / path.name).exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return [Path(shutil.copyfile(path, folder / path.name)) for path in missing]
    except OSError as error:
        raise CourseError(
            f"{folder}: the modules cannot be copied to this folder ({error.strerror}).",
            "a folder with write permission.",
            "cd to another folder, or dark lab FOLDER with your notebooks",
        ) from error
