"""Running a printed notebook: a fresh kernel in an empty folder, cell by cell."""

import os
import re
import subprocess
import tempfile
from pathlib import Path

from dark.course.lessons.notebook_files import PACKAGE, notebook_text, save_file
from dark.course.printing.normalize_outputs import tidy_outputs
from dark.errors import CourseError, missing_extra

CELL_SECONDS = 300
TRACEBACK_LINES = 6
# one thread and fixed seeds: the same numbers on every machine
_ENVIRONMENT = {
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "PYTHONHASHSEED": "0",
    "SOURCE_DATE_EPOCH": "0",
    "PYDEVD_DISABLE_FILE_VALIDATION": "1",
}
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_MATPLOTLIB = "svg.hashsalt: dark\n"  # ids in its SVG files are random otherwise


def executed(notebook, stem, *, root=None, report=lambda line: None):
    """Run a notebook and return it with its outputs.

    Parameters
    ----------
    notebook : dict
        A solved notebook without outputs; it is not changed.
    stem : str
        The name of its files.
    root : Path, optional
        The repository, whose name is taken out of outputs.
    report : callable, optional
        Called with a line of text before each cell.

    Returns
    -------
    dict
        The same notebook, outputs tidied.

    Raises
    ------
    CourseError
        If a cell raises, takes too long or ends the kernel.

    Notes
    -----
    The kernel runs in a folder of its own that holds this notebook alone, so that nothing of a
    student's is read or written; ``DARK_SOLUTIONS`` lets the library see this print, not the last.
    """
    with tempfile.TemporaryDirectory(prefix="dark-build-") as folder:
        folder = Path(folder).resolve()
        file = folder / f"{stem}.ipynb"
        save_file(file, notebook_text(notebook))
        save_file(folder / "matplotlibrc", _MATPLOTLIB)
        outputs = _run(notebook, file, report)
        return {
            **notebook,
            "cells": [
                {**cell, "outputs": tidy_outputs(outputs[cell["id"]], folder, root)}
                if cell["cell_type"] == "code"
                else cell
                for cell in notebook["cells"]
            ],
        }


def _run(notebook, file, report):
    try:
        import nbformat
        from nbclient import NotebookClient
        from nbclient.exceptions import CellControlSignal, DeadKernelError
    except ImportError as error:
        raise missing_extra(error.name, "lab") from error
    document = nbformat.from_dict(notebook)
    client = NotebookClient(
        document,
        timeout=CELL_SECONDS,
        kernel_name="python3",
        record_timing=False,
        store_widget_state=False,
        coalesce_streams=True,
    )
    with client.setup_kernel(cwd=str(file.parent), env=_environment(file), stderr=subprocess.DEVNULL):
        for index, cell in enumerate(document.cells):
            if cell.cell_type != "code":
                continue
            report(f"{file.stem}: cell {index + 1} of {len(document.cells)}, {cell.id}")
            try:
                client.execute_cell(cell, index)
            except (CellControlSignal, DeadKernelError) as error:
                raise _failure(error, file.stem, cell, index) from error
    return {cell.id: cell.outputs for cell in document.cells if cell.cell_type == "code"}


def _environment(file):
    """Give the kernel's environment: ours, made the same everywhere."""
    paths = [str(PACKAGE.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {
        **os.environ,
        **_ENVIRONMENT,
        "PYTHONPATH": os.pathsep.join(paths),
        "JPY_SESSION_NAME": str(file),
        "DARK_SOLUTIONS": str(file.parent),
    }


def _failure(error, stem, cell, index):
    """Make the error of a failed cell: which one, and the end of what it said."""
    raised = [output for output in cell.outputs if output.output_type == "error"]
    if raised:
        what = f"{raised[-1].ename}: {raised[-1].evalue}"
        text = _COLOUR.sub("", "\n".join(raised[-1].traceback))
        lines = [line for line in text.splitlines() if line.strip()]
        end = "\n    ".join(["", *lines[-TRACEBACK_LINES:]])
    else:
        what, end = str(error).strip().splitlines()[0], ""
    return CourseError(
        f"{stem}, cell {index + 1} ({cell.id}) failed: {what}{end}",
        f"cells that run from first to last, each in less than {CELL_SECONDS} s.",
        "open the manuscript in JupyterLab and run it; nothing was written.",
    )
