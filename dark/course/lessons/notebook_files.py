"""Read notebook files: refuse other files, and repair invalid metadata; and write them as Jupyter does."""

import errno
import json
import os
from hashlib import sha256
from pathlib import Path

from dark.atomic_write import write_file
from dark.course.lessons.file_kinds import kind_of
from dark.errors import CourseError

PACKAGE = Path(__file__).resolve().parents[2]  # the folder `dark`, wherever it is installed

MOST_CODE = 1_000_000  # characters of code in one notebook; a student writes some 50,000
KINDS = {list: "a list", str: "a string", type(None): "nothing", bool: "a bool"}
COMPARED, NOT_COMPARED = "nbval-check-output", "nbval-ignore-output"  # tags; the latter for measured seconds
MARKS = ("dark", "nbgrader")  # the metadata that the course reads
# nbformat writes these types as lists of lines, for readable diffs
_LINE_TYPES = ("application/javascript", "image/svg+xml")


def read_notebook(path):
    """Read and validate a notebook file; raise a `CourseError` if it cannot be read, or is not a notebook."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        advice = (
            "check the name and the folder; `dark lab` creates your notebooks of the course; so does `dark update`."
        )
        says = f"{path}: cannot be read ({error.strerror})."
        raise CourseError(says, "the path of a notebook file (.ipynb).", advice) from error
    return parse_notebook(data, str(path))


def parse_notebook(data, name="notebook", any_format=False):
    """Parse and validate the content of a notebook file, as `validated`; `name` is its name in an error."""
    try:
        notebook = json.loads(data)
    except (ValueError, RecursionError) as error:
        says, advice = _why_invalid(data, error), "open it in JupyterLab and save it again, or restore an older copy."
        expected = "a file saved by Jupyter (.ipynb)."
        raise CourseError(f"{name}: not a notebook: {says}.", expected, advice) from error
    return validated(notebook, name, any_format)


def _why_invalid(data, error):
    content = data.encode("utf-8", "replace") if isinstance(data, str) else data
    head = content.strip()[:1]
    if not head:
        return "the file is empty"
    if b"<<<<<<<" in content and b">>>>>>>" in content:
        return "it has the marks of a merge conflict (<<<<<<< and >>>>>>>)"
    if kind := kind_of(content):
        return kind
    if isinstance(error, json.JSONDecodeError):
        at_the_end = error.pos >= len(error.doc.rstrip())
        if head == b"{" and (at_the_end or error.msg.startswith("Unterminated string")):
            return "invalid JSON, which ends in the middle; perhaps only a part of it was saved or uploaded"
    return f"invalid JSON ({str(error).splitlines()[0]})"


def validated(notebook, name="notebook", any_format=False):
    """Return a notebook whose cells are valid and have their source as one string; the argument is not changed.

    Invalid metadata of the course, such as `"dark": null`, is removed. With `any_format`, whatever has cells as in
    format 4 is accepted, also if it says that it is of another format. What is not a notebook of format 4, or has more
    than a million characters of code, is a `CourseError`.
    """
    version = notebook.get("nbformat") if isinstance(notebook, dict) else None
    is_old = version in (1, 2, 3) or isinstance(notebook, dict) and "worksheets" in notebook
    if is_old and not (any_format and "cells" in notebook):
        advice = f"jupyter nbconvert --to notebook --nbformat 4 {name}"
        raise CourseError(f"{name}: the notebook format {version} is too old.", "format 4.", advice)
    if fault := _fault(notebook, any_format):
        expected = "a notebook of format 4, with a list of cells."
        raise CourseError(f"{name}: not a notebook: it has {fault}.", expected, "save the file in JupyterLab again.")
    cells = [{**cell, **_repaired(cell), "source": "".join(cell.get("source", ""))} for cell in notebook["cells"]]
    count = sum(len(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    if count > MOST_CODE:
        says = f"{name}: its cells contain too much code, {count:,} characters."
        advice = "move data to a separate file, and delete cells that are not answers."
        raise CourseError(says, f"at most {MOST_CODE:,}.", advice)
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


def _fault(notebook, any_format):
    if not isinstance(notebook, dict):
        return f"{KINDS.get(type(notebook), 'a number')} where an object should be"
    if not isinstance(notebook.get("cells"), list):
        return "no list of cells"
    if notebook.get("nbformat") != 4 and not any_format:
        return f"the format {notebook.get('nbformat')!r}"
    broken = [number for number, cell in enumerate(notebook["cells"], 1) if not _is_cell(cell)]
    return f"an invalid cell (number {broken[0]})" if broken else ""


def _is_cell(cell):
    if not isinstance(cell, dict) or not isinstance(cell.get("cell_type"), str):
        return False
    source = cell.get("source", "")
    lines = source if isinstance(source, list) else [source]
    return all(isinstance(line, str) for line in lines) and isinstance(cell.get("metadata", {}), dict)


def notebook_text(notebook):
    """Serialize a notebook as Jupyter does: sorted keys, one line of the file for each line of source."""
    cells = [_split_cell(cell) for cell in notebook["cells"]]
    data, separators = {**notebook, "cells": cells}, (",", ": ")
    return json.dumps(data, ensure_ascii=False, indent=1, sort_keys=True, separators=separators) + "\n"


def _split_cell(cell):
    split = {**cell, "source": _lines(cell.get("source", ""))}
    if "outputs" in cell:
        split["outputs"] = [_split_output(output) for output in cell["outputs"]]
    return split


def _split_output(output):
    split = {key: _lines(value) if key == "text" else value for key, value in output.items()}
    if "data" in output:
        lines = {kind for kind in output["data"] if kind.startswith("text/") or kind in _LINE_TYPES}
        split["data"] = {kind: _lines(value) if kind in lines else value for kind, value in output["data"].items()}
    return split


def _lines(text):
    return text.splitlines(True) if isinstance(text, str) else text


def save_file(path, content):
    """Write a file atomically, a string as UTF-8, and create its folder if that is missing; raise an OSError."""
    path = Path(path)
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    write_file(path, content)


def write_notebook(path, notebook):
    """Write a notebook; return the backup of a version with other content, in `.dark/history`, named by it."""
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
