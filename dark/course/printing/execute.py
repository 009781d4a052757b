"""Execute a notebook in a new kernel and an empty folder; its outputs are the same on every machine."""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from dark.course.lessons.notebook_files import PACKAGE, notebook_text, save_file
from dark.errors import CourseError, missing_extra

CELL_SECONDS = 300
TRACEBACK_LINES = 6
# one thread and fixed seeds, for reproducible outputs
_ENVIRONMENT = {
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "PYTHONHASHSEED": "0",
    "SOURCE_DATE_EPOCH": "0",
    "PYDEVD_DISABLE_FILE_VALIDATION": "1",
}
_WIDGET = "application/vnd.jupyter.widget-view+json"
_ADDRESS = re.compile(r"\b0x[0-9a-f]{6,}\b")  # at least six digits, so that a size such as 640x480 is kept
_CELL_FILE = re.compile(r"(?<!\S)\S*/ipykernel_\d+/\d+\.py")  # from the start of a word: a picture is one long word
_COLOR = re.compile(r"\x1b\[[0-9;]*m")
_MATPLOTLIB = "svg.hashsalt: dark\n"  # otherwise the ids in its SVG files are random


def execute_notebook(notebook, stem, *, root=None, report=lambda line: None):
    """Execute a solved notebook and return it with its outputs; an error of a cell is a `CourseError`.

    The kernel runs in a temporary folder that contains only this notebook, so that no file of a student is read or
    written. The `root` of the repository is removed from outputs. `report` is called with a message before each cell.
    """
    with tempfile.TemporaryDirectory(prefix="dark-build-") as made:
        folder = Path(made).resolve()
        file = folder / f"{stem}.ipynb"
        save_file(file, notebook_text(notebook))
        save_file(folder / "matplotlibrc", _MATPLOTLIB)
        outputs = _run(notebook, file, report)
    cells = []
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            is_personal = "remove-output" in cell["metadata"].get("tags", ())  # it depends on the work of a student
            found = [] if is_personal else normalize_outputs(outputs[cell["id"]], folder, root)
            cell = {**cell, "outputs": found}
        cells.append(cell)
    return {**notebook, "cells": cells}


def _run(notebook, file, report):
    try:
        import nbformat
        from nbclient import NotebookClient
        from nbclient.exceptions import CellControlSignal, DeadKernelError
    except ImportError as error:
        raise missing_extra(error.name or "nbclient", "lab") from error
    document = nbformat.from_dict(notebook)
    options: dict[str, Any] = {"record_timing": False, "store_widget_state": False, "coalesce_streams": True}
    client = NotebookClient(document, timeout=CELL_SECONDS, kernel_name="python3", **options)
    paths = [str(PACKAGE.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    named = {"JPY_SESSION_NAME": str(file), "DARK_SOLUTIONS": str(file.parent)}
    environment = {**os.environ, **_ENVIRONMENT, "PYTHONPATH": os.pathsep.join(paths), **named}
    with client.setup_kernel(cwd=str(file.parent), env=environment, stderr=subprocess.DEVNULL):
        for index, cell in enumerate(document.cells):
            if cell.cell_type != "code":
                continue
            report(f"{file.stem}: cell {index + 1} of {len(document.cells)}, {cell.id}")
            try:
                client.execute_cell(cell, index)
            except (CellControlSignal, DeadKernelError) as error:
                raise _failure(error, file.stem, cell, index) from error
    return {cell.id: cell.outputs for cell in document.cells if cell.cell_type == "code"}


def _failure(error, stem, cell, index):
    what, end = str(error).strip().splitlines()[0], ""
    for raised in [output for output in cell.outputs if output.output_type == "error"][-1:]:
        what = f"{raised.ename}: {raised.evalue}"
        lines = [line for line in _COLOR.sub("", "\n".join(raised.traceback)).splitlines() if line.strip()]
        end = "\n    ".join(["", *lines[-TRACEBACK_LINES:]])
    expected = f"cells that run without errors, each in less than {CELL_SECONDS} s."
    advice = "run the manuscript in JupyterLab; no file was written."
    return CourseError(f"{stem}, cell {index + 1} ({cell.id}) failed: {what}{end}", expected, advice)


def normalize_outputs(outputs, folder, root=None):
    """Return the outputs of a cell without stderr, widgets, counts, memory addresses and absolute paths."""
    prefixes = _prefixes(folder, root)
    normalized = [_normalize_output(output, prefixes) for output in outputs]
    return [output for output in normalized if output]


def _prefixes(folder, root):
    """Return the machine-dependent path prefixes and their replacements, longest first."""
    named = {Path(folder): "", Path(sys.prefix): "<python>/", Path(sys.base_prefix): "<python>/"}
    if root:
        named[Path(root)] = ""
    named |= {path.resolve(): text for path, text in named.items()}
    named |= {Path.home(): "~/"} if Path.home() != Path("/") else {}
    ordered = sorted(named.items(), key=lambda item: -len(str(item[0])))
    return [(re.escape(f"{path}{os.sep}"), text) for path, text in ordered if path.is_absolute()]


def _normalize_output(output, prefixes):
    kind = output["output_type"]
    if kind == "stream":
        found = {"output_type": kind, "name": output["name"], "text": _normalize(output["text"], prefixes)}
        return found if output["name"] != "stderr" else None
    if kind == "error":
        lines = [_normalize(line, prefixes) for line in output["traceback"]]
        return {**output, "evalue": _normalize(output["evalue"], prefixes), "traceback": lines}
    return _normalize_data(output, prefixes)


def _normalize_data(output, prefixes):
    """Normalize a display or result; a widget without another representation is dropped."""
    data = {key: value for key, value in output["data"].items() if key != _WIDGET}
    if len(data) < len(output["data"]) and set(data) <= {"text/plain"}:
        return None
    texts = [mime for mime in data if mime.startswith("text/") or mime == "image/svg+xml"]
    data = {key: _normalize(value, prefixes) if key in texts else value for key, value in sorted(data.items())}
    normalized = {"output_type": output["output_type"], "data": data, "metadata": dict(output["metadata"])}
    return normalized | ({"execution_count": None} if output["output_type"] == "execute_result" else {})


def _normalize(text, prefixes):
    text = _CELL_FILE.sub("<cell>", text)
    for prefix, replacement in prefixes:
        text = re.sub(rf"(?<![\w.~-]){prefix}", replacement, text)
    return _ADDRESS.sub("0x…", text)


def set_execution_counts(notebook):
    """Return a notebook with the counts of a single run; some tools consider outputs without a count stale."""
    cells, count = [], 0
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            count += 1
            outputs = [
                {**each, "execution_count": count} if each["output_type"] == "execute_result" else each
                for each in cell["outputs"]
            ]
            cell = {**cell, "execution_count": count, "outputs": outputs}
        cells.append(cell)
    return {**notebook, "cells": cells}
