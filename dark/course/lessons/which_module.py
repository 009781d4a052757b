"""Which module a notebook belongs to."""

from operator import itemgetter
from pathlib import PurePath

from dark.course.lessons.answers import collect
from dark.course.lessons.library import load_module, modules
from dark.errors import CourseError


def module_of_notebook(notebook, path):
    """Return the module that a notebook file belongs to by its metadata, else its file name, else most answers."""
    if module := named_module(notebook, path.name):
        return module
    module, count = answered_module(notebook)
    if count:
        return module
    expected = f"a notebook of one of the modules {', '.join(modules())}."
    advice = f"dark check {modules()[0][:2]} --file {path}, which names the module"
    raise CourseError(f"{path}: not a notebook of the course.", expected, advice)


def named_module(notebook, file_name):
    """Return the module that the metadata or the file name give, or None."""
    course = notebook.get("metadata", {}).get("dark")
    declared = course.get("module") if isinstance(course, dict) else None
    stems = [each for each in modules() if each[:2] == declared]
    stems += [each for each in modules() if PurePath(file_name).stem.startswith(f"{each[:2]}-")]
    return load_module(stems[0]) if stems else None


def answered_module(notebook):
    """Return the module with the most exercises in a notebook, then the most unchanged cells; and that first number."""
    sources = [cell["source"] for cell in notebook["cells"]]
    course = [load_module(name) for name in modules() or ["01"]]  # raises if no module is printed
    given = set().union(*(module.course_sources for module in course))  # may give an answer of another module a name
    own = notebook | {"cells": [cell for cell in notebook["cells"] if cell["source"].strip() not in given]}
    found = []
    for module in course:
        printed = {cell["source"] for cell in module.blank["cells"]}
        signs = len(collect(own, module).sources), sum(source in printed for source in sources)
        found.append((signs, module))
    signs, best = max(found, key=itemgetter(0))
    return best, signs[0]
