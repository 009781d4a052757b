"""A Sphinx extension that shows the outputs of a printed solution, so that no cell of a module runs again."""

from pathlib import Path

import nbformat
from folding import MARKER
from jupyter_cache import get_cache
from jupyter_cache.base import CacheBundleIn
from myst_nb.core.read import read_myst_markdown_notebook

SOLUTIONS = Path(__file__).parents[1] / "solutions"


def take_outputs(manuscript, solution):
    """Return the notebook of a manuscript with the outputs of its printed solution.

    Parameters
    ----------
    manuscript : str
        The manuscript as shown in the book.
    solution : NotebookNode
        The solution, printed from the manuscript.

    Returns
    -------
    NotebookNode or None
        The notebook; None if the code of the manuscript has changed since the solution was printed.
    """
    notebook = read_myst_markdown_notebook(manuscript)
    cells, printed = (
        [cell for cell in each.cells if cell.cell_type == "code" and cell.id != "hosted"]  # not of the manuscript
        for each in (notebook, solution)
    )
    if [cell.source for cell in cells] != [MARKER.sub("", f"{cell.source}\n").rstrip() for cell in printed]:
        return None
    for cell, done in zip(cells, printed, strict=True):
        cell.outputs, cell.execution_count = done.outputs, done.execution_count
    return notebook


def keep_outputs(app, docname, source):
    """Put the outputs of a module's solution into the cache of executed notebooks."""
    path = SOLUTIONS / f"{docname}.ipynb"
    if not path.is_file():
        return
    notebook = take_outputs(source[0], nbformat.read(path, as_version=4))
    if notebook is not None:
        cache = get_cache(app.config.nb_execution_cache_path)
        cache.cache_notebook_bundle(CacheBundleIn(notebook, str(path)), check_validity=False, overwrite=True)


def setup(app):
    """Register the extension, to run after those that change the source."""
    app.connect("source-read", keep_outputs, priority=900)
