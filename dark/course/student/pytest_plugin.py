"""The plugin of pytest that prepares a notebook of the course for nbval, which compares outputs with those in the file.

A student's file has the student's own outputs; the plugin replaces them, in memory, with the printed ones. Nor can the
file decide which cells may fail, or which exercises are checked.
"""

from typing import Any

from dark.course.lessons.notebook_files import COMPARED, NOT_COMPARED, notebook_text
from dark.course.lessons.which_module import module_of_notebook
from dark.course.student.pytorch_cells import MAGIC
from dark.errors import CourseError

COURSE = "dark.course"  # what a notebook of the course loads
MAY_FAIL = ("raises-exception", "nbval-raises-exception")
NBGRADER = ("NBGRADER_EXECUTION", "NBGRADER_VALIDATING")
PYTEST = "PYTEST_CURRENT_TEST"  # the test during which a process was started


def pytest_collection_modifyitems(items):
    """Prepare each notebook of the course, a collector of nbval with an item for each code cell."""
    notebooks: dict[Any, list[Any]] = {}
    for item in items:
        if type(item).__module__ == "nbval.plugin":
            notebooks.setdefault(item.parent, []).append(item)
    for file, cells in notebooks.items():
        if (module := _module(file)) is not None:
            _prepare(file, cells, module)
            _check_the_rest(file, module, items)


def _module(file):
    """Return the module that a notebook belongs to; None if it is not one of the course."""
    declared = isinstance(file.nb.metadata.get("dark"), dict)
    if not declared and not any(COURSE in cell.source for cell in file.nb.cells):
        return None
    try:
        return module_of_notebook(file.nb, file.path)
    except CourseError:
        return None


def _prepare(file, cells, module):
    """Give each cell the outputs and tags of its printed one; outputs of an unchanged source are compared."""
    from nbformat import reads  # optional: the extra 'lab'

    notebook = reads(notebook_text(module.blank), as_version=4)
    file.nb.metadata["kernelspec"] = notebook.metadata["kernelspec"]
    printed = [cell for cell in notebook.cells if cell.cell_type == "code"]
    by_id, by_source = {cell.id: cell for cell in printed}, {cell.source: cell for cell in printed}
    for item in cells:
        cell, source = item.cell, item.cell.source
        known = by_id.get(cell.get("id")) or by_source.get(source)
        same = known is not None and known.source == source and not source.startswith(MAGIC)
        tags = known.metadata.get("tags", ()) if known else ()
        cell.outputs, cell.execution_count = (known.outputs, known.execution_count) if known and same else ([], None)
        item.options["check"] = same and NOT_COMPARED not in tags and (file.compare_outputs or COMPARED in tags)
        if known:
            item.options |= {"skip": False, "check_exception": any(tag in MAY_FAIL for tag in tags)}


def _check_the_rest(file, module, items):
    """Append a cell that checks the exercises whose cell of the check was removed or changed."""
    sources = {cell.source.strip() for cell in file.nb.cells}
    rest = [name for name in module.exercises if f'check("{name}")' not in sources]
    if rest:
        last = max(index for index, item in enumerate(items) if item.parent is file)
        number = items[last].cell_num + 1
        source = f"from dark.course import check\ncheck({', '.join(map(repr, rest))})"
        cell = type(items[last].cell)(cell_type="code", source=source, metadata={}, outputs=[], execution_count=None)
        made = type(items[last]).from_parent(
            file, name=f"Cell {number}", cell_num=number, cell=cell, options=type(items[last].options)(bool)
        )
        items.insert(last + 1, made)


def raises(environment):
    """Return whether `check` raises if an answer is not right, because a grader runs the notebook."""
    return any(environment.get(name) for name in NBGRADER) or fails_cells(environment)


def fails_cells(environment):
    """Return whether the cell of an exercise fails if its answer is not right, because pytest runs the notebook.

    The kernel was then started for a cell of a notebook, by nbval or another plugin, not by a test of a program.

    >>> fails_cells({"PYTEST_CURRENT_TEST": "work/01-scalar-autodiff.ipynb::Cell 0 (setup)"})
    True
    """
    return ".ipynb::" in environment.get(PYTEST, "")
