"""Notebook files: read with clear errors, written whole or not at all, by plain JSON."""

import json
import os
import tempfile
from pathlib import Path

from dark.errors import CourseError

PACKAGE = Path(__file__).resolve().parents[2]  # the folder `dark`, wherever it is installed

# nbformat writes text in these types as lists of lines, so that a diff reads line by line
_LINE_TYPES = ("application/javascript", "image/svg+xml")


def source_of(cell):
    """Give the text of a cell, which JSON may hold as one string or as a list of lines.

    Examples
    --------
    >>> source_of({"source": ["x = 1\\n", "x"]})
    'x = 1\\nx'
    """
    source = cell.get("source", "")
    return source if isinstance(source, str) else "".join(source)


def read_notebook(path):
    """Read one notebook file.

    Parameters
    ----------
    path : str or Path
        The file.

    Returns
    -------
    dict
        The notebook as its JSON stands in the file.

    Raises
    ------
    CourseError
        If there is no such file, or it is no notebook of format 4.
    """
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise CourseError(
            f"{path}: cannot be read ({error.strerror}).",
            "the path of a notebook file (.ipynb).",
            "check the spelling and the folder; `dark lab` lays out the notebooks of the course.",
        ) from error
    return parse_notebook(data, str(path))


def parse_notebook(data, name="notebook"):
    """Make a notebook out of the bytes of a file.

    Parameters
    ----------
    data : bytes or str
        What stands in the file.
    name : str
        What to call it in an error.

    Returns
    -------
    dict
        The notebook.

    Raises
    ------
    CourseError
        If this is no notebook of format 4.

    Examples
    --------
    >>> parse_notebook('{"nbformat": 4, "cells": []}')["cells"]
    []
    """
    try:
        notebook = json.loads(data)
    except (ValueError, RecursionError) as error:
        reason = str(error).splitlines()[0]
        raise CourseError(
            f"{name}: no notebook, its text is not JSON ({reason}).",
            "a file that Jupyter has saved (.ipynb).",
            "open it in JupyterLab and save it again, or take an older copy from .dark/history.",
        ) from error
    return checked(notebook, name)


def checked(notebook, name="notebook"):
    """Return a notebook if it has the form of one.

    Raises
    ------
    CourseError
        If it is no notebook of format 4.

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
    return notebook


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


def notebook_text(notebook):
    """Write a notebook as Jupyter does: sorted keys, a line of source a line of text.

    Parameters
    ----------
    notebook : dict
        The notebook; it is not changed.

    Returns
    -------
    str
        JSON text that ends in a newline.
    """
    cells = [_split_cell(cell) for cell in notebook["cells"]]
    return (
        json.dumps(
            {**notebook, "cells": cells},
            ensure_ascii=False,
            indent=1,
            sort_keys=True,
            separators=(",", ": "),
        )
        + "\n"
    )


def _split_cell(cell):
    split = {**cell, "source": _lines(cell.get("source", ""))}
    if "outputs" in cell:
        split["outputs"] = [_split_output(output) for output in cell["outputs"]]
    return split


def _split_output(output):
    split = dict(output)
    if "text" in output:
        split["text"] = _lines(output["text"])
    if "data" in output:
        split["data"] = {
            kind: _lines(value) if kind.startswith("text/") or kind in _LINE_TYPES else value
            for kind, value in output["data"].items()
        }
    return split


def _lines(text):
    return text.splitlines(True) if isinstance(text, str) else text


def write_whole(path, text):
    """Write a text file so that a reader sees the old one or the new one, never a part.

    Parameters
    ----------
    path : str or Path
        The file; its folder is made if it is missing.
    text : str or bytes
        What it will hold; a str is written as UTF-8.
    """
    # a lone surrogate, which UTF-8 does not have, becomes its JSON escape
    data = text if isinstance(text, bytes) else text.encode("utf-8", "backslashreplace")
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    number, part = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(number, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(part, path.stat().st_mode if path.exists() else 0o644)
        os.replace(part, path)
    except BaseException:
        os.unlink(part)
        raise
