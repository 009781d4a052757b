"""The form of a notebook: what is refused at the door, and what is put right there."""

from dark.errors import CourseError

__all__ = ["checked", "source_of"]

MOST_CODE = 1_000_000  # characters of code in one notebook; a student writes some 50,000
MARKS = ("dark", "nbgrader")  # the metadata that the course reads


def source_of(cell):
    """Give the text of a cell, which JSON may hold as one string or as a list of lines.

    Examples
    --------
    >>> source_of({"source": ["x = 1\\n", "x"]})
    'x = 1\\nx'
    """
    source = cell.get("source", "")
    return source if isinstance(source, str) else "".join(source)


def checked(notebook, name="notebook"):
    """Return a notebook if it has the form of one.

    Marks of the course that are no marks, such as the metadata `"dark": null`, are taken off.

    Parameters
    ----------
    notebook : object
        What the JSON of a file holds; it is not changed.
    name : str
        What to call it in an error.

    Returns
    -------
    dict
        The notebook.

    Raises
    ------
    CourseError
        If it is no notebook of format 4, or holds more code than anybody writes.

    Examples
    --------
    >>> checked({"nbformat": 4, "cells": []})
    {'nbformat': 4, 'cells': []}
    """
    if isinstance(notebook, dict) and "worksheets" in notebook or _format(notebook) in (1, 2, 3):
        raise CourseError(
            f"{name}: a notebook of format {_format(notebook)}, which is too old.",
            "format 4.",
            f"jupyter nbconvert --to notebook --nbformat 4 {name}",
        )
    if _format(notebook) != 4 or not _has_cells(notebook):
        raise CourseError(
            f"{name}: no notebook, it has {_fault(notebook)}.",
            "a notebook of format 4, with a list of cells.",
            "save the file from JupyterLab again.",
        )
    count = sum(len(source_of(cell)) for cell in notebook["cells"] if cell["cell_type"] == "code")
    if count > MOST_CODE:
        raise CourseError(
            f"{name}: its cells hold {count:,} characters of code.",
            f"at most {MOST_CODE:,}.",
            "put data into a file of their own, and delete cells that are no answers.",
        )
    return _repaired(notebook)


def _repaired(notebook):
    cells = [{**cell, **_marks_repaired(cell)} for cell in notebook["cells"]]
    return {**notebook, **_marks_repaired(notebook), "cells": cells}


def _marks_repaired(holder):
    """Give the metadata and the id that a notebook or a cell must have, where it has others."""
    repaired, metadata = {}, holder.get("metadata", {})
    metadata = metadata if isinstance(metadata, dict) else {}
    if "metadata" in holder:
        wrong = [mark for mark in MARKS if not isinstance(metadata.get(mark, {}), dict)]
        repaired["metadata"] = {name: value for name, value in metadata.items() if name not in wrong}
    if isinstance(holder.get("id"), dict | list):
        repaired["id"] = str(holder["id"])[:64]
    return repaired


def _format(notebook):
    return notebook.get("nbformat") if isinstance(notebook, dict) else None


def _has_cells(notebook):
    cells = notebook.get("cells")
    return isinstance(cells, list) and all(_is_cell(cell) for cell in cells)


def _is_cell(cell):
    if not isinstance(cell, dict) or not isinstance(cell.get("cell_type"), str):
        return False
    source = cell.get("source", "")
    lines = source if isinstance(source, list) else [source]
    return all(isinstance(line, str) for line in lines) and isinstance(cell.get("metadata", {}), dict)


def _fault(notebook):
    if not isinstance(notebook, dict):
        return f"a {type(notebook).__name__} where an object should be"
    if not isinstance(notebook.get("cells"), list):
        return "no cells"
    if _format(notebook) != 4:
        return f"the format {_format(notebook)!r}"
    broken = [i for i, cell in enumerate(notebook["cells"], 1) if not _is_cell(cell)]
    return f"a broken cell (number {broken[0]})"
