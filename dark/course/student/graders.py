"""The graders that run a notebook: under nbgrader and pytest, an answer that is not right is an error."""

NBGRADER = ("NBGRADER_EXECUTION", "NBGRADER_VALIDATING")
PYTEST = "PYTEST_CURRENT_TEST"  # the test during which a process was started


def raises(environment):
    """Return whether `check` raises if an answer is not right, because a grader runs the notebook."""
    return any(environment.get(name) for name in NBGRADER) or fails_cells(environment)


def fails_cells(environment):
    """Return whether the cell of an exercise fails if its answer is not right, because pytest runs the notebook.

    The kernel was then started for a cell of a notebook, by nbval or another plugin, not by a test of a program.

    Examples
    --------
    >>> fails_cells({"PYTEST_CURRENT_TEST": "work/01-scalar-autodiff.ipynb::Cell 0 (setup)"})
    True
    >>> fails_cells({"PYTEST_CURRENT_TEST": "tests/test_program.py::test_it (call)"})
    False
    """
    return ".ipynb::" in environment.get(PYTEST, "")
