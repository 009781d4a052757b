"""Read notebook files with clear errors, and format them as Jupyter does."""

import errno
import json
import os
from hashlib import sha256
from pathlib import Path

from dark.atomic_write import write_file
from dark.course.lessons.notebook_schema import source_of, validated
from dark.errors import CourseError

__all__ = [
    "PACKAGE",
    "back_up",
    "notebook_text",
    "parse_notebook",
    "read_notebook",
    "save_file",
    "source_of",
    "validated",
    "write_notebook",
]

PACKAGE = Path(__file__).resolve().parents[2]  # the folder `dark`, wherever it is installed

# nbformat writes these types as lists of lines, for readable diffs
_LINE_TYPES = ("application/javascript", "image/svg+xml")


def read_notebook(path):
    """Read a notebook file.

    Parameters
    ----------
    path : str or Path
        The file.

    Returns
    -------
    dict
        The notebook as JSON.

    Raises
    ------
    CourseError
        If the file cannot be read, or is not a notebook of format 4.
    """
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise CourseError(
            f"{path}: cannot be read ({error.strerror}).",
            "the path of a notebook file (.ipynb).",
            "check the name and the folder; `dark lab` creates your notebooks of the course; so does `dark update`.",
        ) from error
    return parse_notebook(data, str(path))


def parse_notebook(data, name="notebook"):
    """Parse the content of a notebook file.

    Parameters
    ----------
    data : bytes or str
        The content of the file.
    name : str
        Its name in an error.

    Returns
    -------
    dict
        The notebook.

    Raises
    ------
    CourseError
        If it is not a notebook of format 4.

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
            f"{name}: not a notebook: invalid JSON ({reason}).",
            "a file saved by Jupyter (.ipynb).",
            "open it in JupyterLab and save it again, or restore an older copy.",
        ) from error
    return validated(notebook, name)


def notebook_text(notebook):
    """Serialize a notebook as Jupyter does: sorted keys, one line of the file for each line of source.

    Parameters
    ----------
    notebook : dict
        The notebook; it is not changed.

    Returns
    -------
    str
        JSON that ends in a newline.
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


def save_file(path, content):
    """Write a file atomically, and create its folder if that is missing.

    Parameters
    ----------
    path : str or Path
        The file to create or replace.
    content : str or bytes
        A string is written as UTF-8.

    Raises
    ------
    OSError
        If the file cannot be written, or the path is a folder.
    """
    path = Path(path)
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    write_file(path, content)


def write_notebook(path, notebook):
    """Write a notebook; a previous version with another content is backed up.

    Parameters
    ----------
    path : Path
        The file to create or replace.
    notebook : dict
        The notebook.

    Returns
    -------
    Path or None
        The backup in the subfolder `.dark/history`, named by its content, so that each version is kept once; None if
        there was no file, or it has the same content.

    Raises
    ------
    OSError
        If a file cannot be written.
    """
    old = path.read_bytes() if path.is_file() else None
    new = notebook_text(notebook).encode("utf-8", "backslashreplace")
    if new == old:
        return None
    kept = None if old is None else back_up(path.parent, path.stem, old)
    save_file(path, new)
    return kept


def back_up(folder, stem, content):
    """Write a copy of a notebook file to the subfolder `.dark/history` of a folder, and return its path."""
    kept = folder / ".dark" / "history" / f"{stem}-{sha256(content).hexdigest()[:12]}.ipynb"
    save_file(kept, content)
    return kept
