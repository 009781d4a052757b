"""Execute a notebook in a new kernel and an empty folder."""

import os
import re
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from dark.course.lessons.notebook_files import PACKAGE, notebook_text, save_file
from dark.course.printing.normalize_outputs import normalize_outputs
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
