"""Validate a notebook: refuse what is not one, and repair invalid metadata."""

from dark.errors import CourseError

__all__ = ["source_of", "validated"]

MOST_CODE = 1_000_000  # characters of code in one notebook; a student writes some 50,000
MARKS = ("dark", "nbgrader")  # the metadata that the course reads


def source_of(cell):
    """Return the source of a cell, which JSON may contain as a string or as a list of lines.

    Examples
    --------
    >>> source_of({"source": ["x = 1\\n", "x"]})
    'x = 1\\nx'
    """
    source = cell.get("source", "")
    return source if isinstance(source, str) else "".join(source)


def validated(notebook, name="notebook"):
    """Validate and return a notebook.

    Invalid metadata of the course, such as `"dark": null`, is removed.

    Parameters
    ----------
    notebook : object
        The parsed JSON of a file; it is not changed.
    name : str
        Its name in an error.

    Returns
    -------
    dict
        The notebook.

    Raises
    ------
    CourseError
        If it is not a notebook of format 4, or contains more than a million characters of code.

    Examples
    --------
    >>> validated({"nbformat": 4, "cells": []})
    {'nbformat': 4, 'cells': []}
    """
    version = notebook.get("nbformat") if isinstance(notebook, dict) else None
    if version in (1, 2, 3) or isinstance(notebook, dict) and "worksheets" in notebook:
        raise CourseError(
            f"{name}: the notebook format {version} is too old.",
            "format 4.",
            f"jupyter nbconvert --to notebook --nbformat 4 {name}",
        )
    if fault := _fault(notebook):
        raise CourseError(
            f"{name}: not a notebook: it has {fault}.",
            "a notebook of format 4, with a list of cells.",
            "save the file in JupyterLab again.",
        )
    count = sum(len(source_of(cell)) for cell in notebook["cells"] if cell["cell_type"] == "code")
    if count > MOST_CODE:
        raise CourseError(
            f"{name}: its cells contain {count:,} characters of code.",
            f"at most {MOST_CODE:,}.",
            "move data to a separate file, and delete cells that are not answers.",
        )
    cells = [{**cell, **_repaired(cell)} for cell in notebook["cells"]]
    return {**notebook, **_repaired(notebook), "cells": cells}


def _repaired(holder):
    """Return valid metadata and a valid id of a notebook or a cell, where they are invalid."""
    repaired, metadata = {}, holder.get("metadata", {})
    metadata = metadata if isinstance(metadata, dict) else {}
    if "metadata" in holder:
        wrong = [mark for mark in MARKS if not isinstance(metadata.get(mark, {}), dict)]
        repaired["metadata"] = {name: value for name, value in metadata.items() if name not in wrong}
    if isinstance(holder.get("id"), dict | list):
        repaired["id"] = str(holder["id"])[:64]
    return repaired


def _fault(notebook):
    """Return what is wrong with a notebook; "" if nothing is."""
    if not isinstance(notebook, dict):
        return f"a {type(notebook).__name__} where an object should be"
    if not isinstance(notebook.get("cells"), list):
        return "no list of cells"
    if notebook.get("nbformat") != 4:
        return f"the format {notebook.get('nbformat')!r}"
    broken = [number for number, cell in enumerate(notebook["cells"], 1) if not _is_cell(cell)]
    return f"an invalid cell (number {broken[0]})" if broken else ""


def _is_cell(cell):
    if not isinstance(cell, dict) or not isinstance(cell.get("cell_type"), str):
        return False
    source = cell.get("source", "")
    lines = source if isinstance(source, list) else [source]
    return all(isinstance(line, str) for line in lines) and isinstance(cell.get("metadata", {}), dict)
