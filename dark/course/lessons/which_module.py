"""Which module a notebook belongs to."""

from pathlib import PurePath

from dark.course.lessons.answers import collect
from dark.course.lessons.library import load_module, modules
from dark.course.lessons.notebook_schema import source_of
from dark.errors import CourseError

__all__ = ["answered_module", "module_of_notebook", "which_module"]


def which_module(notebook, file_name=""):
    """Return the module that a notebook belongs to.

    Parameters
    ----------
    notebook : dict
        The notebook as JSON.
    file_name : str, optional
        Its file name.

    Returns
    -------
    Module
        The one named in its metadata, else the one in its file name, else the one with the most
        exercises answered, else the one with the most unchanged cells.
    """
    return _named(notebook, file_name) or answered_module(notebook)[0]


def module_of_notebook(notebook, path):
    """Return the module that a notebook file belongs to.

    Parameters
    ----------
    notebook : dict
        The notebook as JSON.
    path : Path
        Its file.

    Returns
    -------
    Module
        As `which_module`.

    Raises
    ------
    CourseError
        If neither its metadata nor its file name nor an answer belongs to a module.
    """
    if module := _named(notebook, path.name):
        return module
    module, count = answered_module(notebook)
    if count:
        return module
    raise CourseError(
        f"{path}: not a notebook of the course.",
        "a notebook of one of the modules " + ", ".join(modules()) + ".",
        f"dark check {modules()[0][:2]} --file {path}, which names the module",
    )


def _named(notebook, file_name):
    """Return the module that the metadata or the file name give, or None."""
    course = notebook.get("metadata", {}).get("dark")
    declared = course.get("module") if isinstance(course, dict) else None
    stems = [each for each in modules() if each[:2] == declared]
    stems += [each for each in modules() if PurePath(file_name).stem.startswith(f"{each[:2]}-")]
    return load_module(stems[0]) if stems else None


def answered_module(notebook):
    """Return the module of which a notebook answers most, and the number of its exercises in the notebook.

    Parameters
    ----------
    notebook : dict
        The notebook as JSON.

    Returns
    -------
    module : Module
        Among equals the one with the most unchanged cells, else the first.
    count : int
    """
    sources = [source_of(cell) for cell in notebook["cells"]]
    course = [load_module(name) for name in modules() or ["01"]]  # raises if no module is printed
    given = set().union(*(module.course_sources for module in course))  # may give an answer of another module a name
    own = notebook | {"cells": [cell for cell in notebook["cells"] if source_of(cell).strip() not in given]}
    best = None
    for module in course:
        printed = {source_of(cell) for cell in module.blank["cells"]}
        signs = len(collect(own, module).sources), sum(source in printed for source in sources)
        best = best if best and best[0] >= signs else (signs, module)
    return best[1], best[0][0]
