"""The library of the course: which modules there are, and where their printed notebooks lie."""

import os
import re
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from dark.course.lessons.lesson import Exercise, Hint, Module, Part, module_of
from dark.course.lessons.notebook_files import PACKAGE, read_notebook
from dark.errors import CourseError, near_misses

__all__ = [
    "Exercise",
    "Hint",
    "Module",
    "Part",
    "find_exercise",
    "fresh_cell",
    "load_module",
    "modules",
    "modules_folder",
    "notebook_path",
    "pick",
    "repository_root",
]


@lru_cache
def repository_root(start=PACKAGE):
    """Find the repository of the course, upward from a folder.

    Parameters
    ----------
    start : Path
        Where to begin; the `dark` package by default.

    Returns
    -------
    Path or None
        The folder that holds `book/` and the project file named dark-course.
    """
    for folder in (Path(start), *Path(start).parents):
        project = folder / "pyproject.toml"
        if (folder / "book").is_dir() and project.is_file():
            text = project.read_text(encoding="utf-8")
            if re.search(r'^name = "dark-course"$', text, re.MULTILINE):
                return folder
    return None


def modules_folder():
    """Give the folder of the blank notebooks: the repository's, else the installed package's.

    Returns
    -------
    Path
    """
    root = repository_root()
    return root / "modules" if root else PACKAGE / "_modules"


def _printed(root):
    """Map each module's stem to the notebook that says most about it: the solved one, if any.

    While `dark build` executes a notebook, ``DARK_SOLUTIONS`` names the folder with its new print.
    """
    folders = [root / "modules", root / "solutions"] if root else [PACKAGE / "_modules"]
    if "DARK_SOLUTIONS" in os.environ:
        folders.append(Path(os.environ["DARK_SOLUTIONS"]))
    files = [file for folder in folders for file in sorted(folder.glob("[0-9][0-9]-*.ipynb"))]
    return {file.stem: file for file in files}


def modules():
    """List the modules, such as `01-scalar-autodiff`, in order.

    Returns
    -------
    tuple of str
    """
    return tuple(sorted(_printed(repository_root())))


def pick(name, stems):
    """Find a module by its number, its name or both.

    Parameters
    ----------
    name : str
        What was asked for.
    stems : iterable of str
        What there is, such as `01-scalar-autodiff`.

    Returns
    -------
    str
        One of the stems.

    Raises
    ------
    CourseError
        If there is no such module.

    Examples
    --------
    >>> pick("01", ["01-scalar-autodiff"]), pick(1, ["01-scalar-autodiff"])
    ('01-scalar-autodiff', '01-scalar-autodiff')
    """
    found = [stem for stem in stems if str(name) in (stem, stem[:2], stem[:2].lstrip("0"), stem[3:])]
    if found:
        return found[0]
    known = [word for stem in stems for word in (stem, stem[:2], stem[3:])]
    raise CourseError(
        f"there is no module {str(name)!r}.",
        "the number or the name of a module: " + (", ".join(sorted(stems)) or "none is printed"),
        near_misses(name, known) if known else "dark build",
    )


def load_module(name):
    """Load one module.

    Parameters
    ----------
    name : str
        Its number, its name or both: `01`, `scalar-autodiff`, `01-scalar-autodiff`.

    Returns
    -------
    Module
        Its parts begin with those of the modules it comes after.

    Raises
    ------
    CourseError
        If there is no such module, or its notebook is damaged.
    """
    printed = _printed(repository_root())
    path = printed[pick(name, printed)]
    status = path.stat()
    module = _load(path, status.st_mtime_ns, status.st_size)
    if module.after is None:
        return module
    earlier = tuple(Part("earlier", None, part.source) for part in load_module(module.after).parts)
    return replace(module, parts=earlier + module.parts)


@lru_cache(maxsize=32)
def _load(path, _changed, _size):
    return module_of(read_notebook(path), str(path))


def find_exercise(name, module=None):
    """Find an exercise by its id.

    Parameters
    ----------
    name : str
        The id, such as `backward`.
    module : str, optional
        Where to look; in all modules by default.

    Returns
    -------
    Exercise

    Raises
    ------
    CourseError
        If no module, or not the given one, has this exercise.
    """
    loaded = [load_module(each) for each in ([module] if module else modules())]
    for each in loaded:
        if name in each.exercises:
            return each.exercises[name]
    known = [key for each in loaded for key in each.exercises]
    place = f"module {loaded[0].stem}" if module else "the course"
    raise CourseError(
        f"{place} has no exercise {str(name)!r}.",
        "the name of one of its exercises." if known else "a module that is printed.",
        near_misses(name, known) if known else "dark build",
    )


def notebook_path(name, here=None):
    """Give the path of the student's notebook of a module.

    Parameters
    ----------
    name : str
        The module.
    here : Path, optional
        Where to look first; the current folder by default.

    Returns
    -------
    Path
        `NN-name.ipynb` if it is here; else, in the repository, `modules/NN-name.ipynb`, and
        elsewhere `dark-modules/NN-name.ipynb`.
    """
    file = load_module(name).stem + ".ipynb"
    here, root = Path(here or "."), repository_root()
    if (here / file).is_file():
        return here / file
    return root / "modules" / file if root else here / "dark-modules" / file


def fresh_cell(exercise):
    """Give the cell of an exercise as it was printed, to put it back.

    Parameters
    ----------
    exercise : Exercise
        The exercise.

    Returns
    -------
    dict
        A cell of the blank notebook, a copy.
    """
    cells = load_module(exercise.module).blank["cells"]
    cell = next(
        cell
        for cell in cells
        if cell["metadata"].get("dark", {}).get("exercise") == exercise.id
        and cell["metadata"]["dark"]["kind"] == "exercise"
    )
    return {**cell, "metadata": dict(cell["metadata"]), "outputs": []}
