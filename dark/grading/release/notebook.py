"""The notebook that students get: the blank one, with a table of what counts and until when; also for nbgrader."""

from dark.course.lessons.blank import printed_hash
from dark.course.lessons.notebook_files import notebook_text

CELL = "release-terms"
CONFIG = """\
# Written by `dark release`. In this folder: nbgrader generate_assignment {name} --create
c = get_config()
c.CourseDirectory.course_id = "dark"
c.ClearSolutions.code_stub = {{"python": "# Your code here.\\nraise NotImplementedError"}}
"""


def released_notebook(module, terms) -> dict:
    """Return the blank notebook of a module with the terms of its release: a table, and points for nbgrader."""
    first, *rest = [_with_points(cell, terms) for cell in module.blank["cells"]]
    metadata, told = module.blank["metadata"], {"points": terms.points}
    if terms.deadline:
        told["deadline"] = terms.deadline.isoformat()
    metadata = {**metadata, "dark": {**metadata["dark"], "release": told}}
    return {**module.blank, "metadata": metadata, "cells": [first, _terms_cell(module, terms), *rest]}


def _with_points(cell, terms):
    """Return a cell with the points that it earns in nbgrader; one of an exercise that does not count earns none."""
    marks = cell["metadata"].get("nbgrader")
    if not marks or not marks.get("grade"):
        return cell
    name = cell["metadata"]["dark"]["exercise"]
    others = {key: value for key, value in cell["metadata"].items() if key != "nbgrader"}
    counted = {"nbgrader": {**marks, "points": terms.points[name]}} if name in terms.points else {}
    return {**cell, "metadata": {**others, **counted}}


def _terms_cell(module, terms):
    until = f" until **{terms.deadline.isoformat(' ', 'minutes')}**" if terms.deadline else ""
    rows = [f"| `{name}` | {count} |" for name, count in terms.points.items()]
    lines = [f"**To hand in**{until}:", "", "| exercise | points |", "|---|---|", *rows]
    lines += [f"| together | {sum(terms.points.values())} |"]
    if practice := [f"`{name}`" for name in module.exercises if name not in terms.points]:
        lines += ["", f"For practice, without points: {', '.join(practice)}."]
    source = "\n".join(lines)
    course = {"kind": "prose", "module": module.id, "printed": printed_hash(source)}
    return {"id": CELL, "cell_type": "markdown", "metadata": {"dark": course}, "source": source}


def nbgrader_files(module, notebook: dict) -> dict[str, str]:
    """Return the files of an nbgrader course with this assignment; those in `source` hold the solutions."""
    cells = []
    for cell in notebook["cells"]:
        name = cell["metadata"].get("nbgrader", {}).get("solution") and cell["metadata"]["dark"]["exercise"]
        cells.append({**cell, "source": module.exercises[name].solution} if name else cell)
    return {
        f"source/{module.stem}/{module.stem}.ipynb": notebook_text({**notebook, "cells": cells}),
        "nbgrader_config.py": CONFIG.format(name=module.stem),
    }
