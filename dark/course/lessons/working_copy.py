"""The folder a student works in: the repository's modules, or a copy of the installed ones."""

import shutil
from pathlib import Path

from dark.course.lessons import library
from dark.errors import CourseError

NAME = "dark-modules"


def working_folder(here=None):
    """Return the folder with the student's notebooks; make it where there is none.

    In the repository it is `modules/`. Elsewhere it is `./dark-modules`, where
    every module that is missing is copied from the installed package, and no
    file that is there is touched.

    Parameters
    ----------
    here : pathlib.Path, optional
        Where the copy is made; the current folder by default.

    Returns
    -------
    pathlib.Path
        The folder, which exists.

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
    """Copy each notebook that is not there yet; return the paths that were written.

    Parameters
    ----------
    pristine : pathlib.Path
        The folder with the notebooks as they were printed.
    folder : pathlib.Path
        The student's folder, made where it does not exist.

    Returns
    -------
    list of pathlib.Path
        In the order of their names.

    Raises
    ------
    CourseError
        If the folder cannot be made or written to.
    """
    missing = [path for path in sorted(pristine.glob("*.ipynb")) if not (folder / path.name).exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return [Path(shutil.copyfile(path, folder / path.name)) for path in missing]
    except OSError as error:
        raise CourseError(
            f"{folder}: the modules cannot be copied here ({error.strerror}).",
            "a folder you may write to.",
            "cd to such a folder, or dark lab FOLDER with your notebooks",
        ) from error
