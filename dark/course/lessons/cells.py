"""The code cells of a student's notebook, each parsed once, wherever they stand and even without their tags."""

from dataclasses import dataclass

from dark.course.lessons.blank import printed_hash
from dark.course.lessons.code import LARGEST_CELL, code_of
from dark.course.lessons.notebook_schema import source_of
from dark.course.lessons.statements import Statement, statements_of

__all__ = ["Cell", "student_cells"]


@dataclass(frozen=True)
class Cell:
    """A code cell of the student.

    Parameters
    ----------
    index : int
        Its index in the notebook.
    source : str
        Plain Python.
    tag : str or None
        The exercise that its metadata names, unless it clearly answers another one.
    broken : bool
        Whether it does not compile.
    statements : tuple of Statement
        Empty if it is broken.
    """

    index: int
    source: str
    tag: str | None
    broken: bool
    statements: tuple[Statement, ...]

    @property
    def definitions(self):
        """Its definitions, in order."""
        return [each for statement in self.statements for each in statement.definitions]


def student_cells(notebook, module):
    """Return the code cells that the student wrote or may write: all except the course's.

    Parameters
    ----------
    notebook : dict
        A validated notebook.
    module : Module
        The module.

    Returns
    -------
    list of Cell
    """
    cells = []
    for index, cell in enumerate(notebook["cells"]):
        source, course = source_of(cell), cell.get("metadata", {}).get("dark", {})
        is_unchanged = course.get("printed") == printed_hash(source) and course.get("kind") != "exercise"
        if cell["cell_type"] != "code" or is_unchanged or source.strip() in module.course_sources:
            continue
        code, mark = code_of(source), _mark(cell, module)
        tag = mark and module.exercise_of(code, mark)
        if len(source) > LARGEST_CELL:  # the message is not valid Python, so the answer is broken and shows why
            says = f"This cell has {len(source):,} characters; at most {LARGEST_CELL:,} are read."
            cells.append(Cell(index, says, tag or module.exercise_of(code), True, ()))
        else:
            statements = statements_of(index, code)
            cells.append(Cell(index, code.plain, tag, statements is None, statements or ()))
    return cells


def _mark(cell, module):
    """Return the exercise that the metadata of a cell name."""
    metadata = cell.get("metadata", {})
    course, grading = metadata.get("dark", {}), metadata.get("nbgrader", {})
    marks = (
        course.get("exercise") if course.get("kind") == "exercise" else None,
        str(cell.get("id", "")).removeprefix("exercise-"),
        grading.get("grade_id") if grading.get("solution") else None,
    )
    return next((mark for mark in marks if isinstance(mark, str) and mark in module.exercises), None)
