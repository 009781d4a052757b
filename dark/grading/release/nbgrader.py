"""A release as an assignment of nbgrader: the folder of a course, in which `nbgrader generate_assignment` runs."""

from dark.course.lessons.notebook_files import notebook_text

CONFIG = """\
# Written by `dark release`. In this folder: nbgrader generate_assignment {name} --create
c = get_config()
c.CourseDirectory.course_id = "dark"
c.ClearSolutions.code_stub = {{"python": "# Your code here.\\nraise NotImplementedError"}}
"""


def nbgrader_files(module, notebook):
    """Return the files of an nbgrader course with this assignment.

    Parameters
    ----------
    module : Module
        The module, with its solutions.
    notebook : dict
        As students get it.

    Returns
    -------
    dict of str to str
        Content by name of the file. Those in `source` hold the solutions, between the markers that nbgrader removes.
    """
    cells = []
    for cell in notebook["cells"]:
        name = cell["metadata"].get("nbgrader", {}).get("solution") and cell["metadata"]["dark"]["exercise"]
        cells.append({**cell, "source": module.exercises[name].solution} if name else cell)
    return {
        f"source/{module.stem}/{module.stem}.ipynb": notebook_text({**notebook, "cells": cells}),
        "nbgrader_config.py": CONFIG.format(name=module.stem),
    }
