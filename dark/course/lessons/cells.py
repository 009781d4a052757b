"""Find the student's answers in a notebook, even if cells were moved, copied, split or lost their tags."""

import ast
from dataclasses import dataclass

from dark.course.lessons.answer_source import answers, assembled
from dark.course.lessons.blank import printed_hash
from dark.course.lessons.dependency_search import Pool
from dark.course.lessons.names import LARGEST_CELL, defined_names, definitions, free_names, parsed, plain_python
from dark.course.lessons.notebook_files import source_of, validated
from dark.course.lessons.statements import Statement, is_unwritten, statements_of

__all__ = ["Answers", "collect", "defined_names", "exercise_of", "student_cells"]


@dataclass(frozen=True)
class Answers:
    """The answers in a notebook: the source of each exercise found, and the indexes of its cells."""

    sources: dict[str, str]
    cells: dict[str, tuple[int, ...]]


@dataclass(frozen=True)
class Cell:
    """A code cell of the student: its index, plain source, exercise by tag, and statements."""

    index: int
    source: str
    tag: str | None
    broken: bool
    statements: tuple[Statement, ...]

    @property
    def definitions(self):
        """Its definitions, in order."""
        return [each for statement in self.statements for each in statement.definitions]


def collect(notebook, module):
    """Find the student's source of each exercise of a module.

    Parameters
    ----------
    notebook : dict
        The student's notebook as JSON.
    module : Module
        The module.

    Returns
    -------
    Answers
        An exercise without an answer is not contained; for a blank one, the stub is.

    Raises
    ------
    CourseError
        If it is not a notebook of format 4.
    """
    cells = student_cells(validated(notebook), module)
    sources, indexes, pool = {}, {}, Pool(each for cell in cells for each in cell.statements)
    for name, exercise in module.exercises.items():
        winners = _winners(cells, exercise, module)
        if winners:
            sources[name], indexes[name] = assembled(winners, cells, exercise, module, pool)
    return Answers(sources, indexes)


def student_cells(notebook, module):
    """Return the code cells that the student wrote or may write: all except the course's."""
    printed = _course_sources(module)
    cells = []
    for index, cell in enumerate(notebook["cells"]):
        source = source_of(cell)
        if cell["cell_type"] == "code" and not _is_course(cell, source, printed):
            cells.append(_student_cell(index, cell, source, module))
    return cells


def _student_cell(index, cell, source, module):
    if len(source) > LARGEST_CELL:  # the message is not valid Python, so the answer is broken and shows why
        says = f"This cell has {len(source):,} characters; at most {LARGEST_CELL:,} are read."
        return Cell(index, says, _tag(cell, source, module) or exercise_of(source, module), True, ())
    plain = plain_python(source.encode("utf-8", "backslashreplace").decode())  # a lone surrogate becomes its escape
    broken = parsed(plain) is None or free_names(plain) is None
    statements = () if broken else tuple(statements_of(index, plain))
    return Cell(index, plain, _tag(cell, source, module), broken, statements)


def _course_sources(module):
    return {
        source_of(cell).strip()
        for cell in module.blank["cells"]
        if cell["metadata"].get("dark", {}).get("kind") != "exercise"
    }


def _is_course(cell, source, printed):
    course = cell.get("metadata", {}).get("dark", {})
    unchanged = course.get("printed") == printed_hash(source) and course.get("kind") != "exercise"
    return unchanged or source.strip() in printed


def _tag(cell, source, module):
    """Return the exercise in the metadata, unless the cell clearly answers another one."""
    metadata = cell.get("metadata", {})
    course, grading = metadata.get("dark", {}), metadata.get("nbgrader", {})
    marks = (
        course.get("exercise") if course.get("kind") == "exercise" else None,
        str(cell.get("id", "")).removeprefix("exercise-"),
        grading.get("grade_id") if grading.get("solution") else None,
    )
    tag = next((mark for mark in marks if isinstance(mark, str) and mark in module.exercises), None)
    if tag is None or set(defined_names(source)) & _own_names(module.exercises[tag]):
        return tag
    return exercise_of(source, module) or tag


def _own_names(exercise):
    return {*exercise.defines, *defined_names(exercise.stub)}


def exercise_of(source, module):
    """Return the exercise that one cell answers, by the names it defines.

    Parameters
    ----------
    source : str
        The cell as it was typed.
    module : Module
        The module.

    Returns
    -------
    str or None
        The id of the exercise.
    """
    if source.strip() in _course_sources(module):
        return None
    names = set(defined_names(source))
    found = definitions(source)

    def hits(exercise):
        if not found:
            return len(names.intersection(exercise.defines))
        return len({each.name for each in found if answers(each, exercise)})

    exercises = module.exercises.values()
    best = max(exercises, key=hits, default=None)
    if best and hits(best):
        return best.id
    # a cell that defines the function and has lost the line that attaches it to its class
    attached = [each.id for each in exercises if names & _attached(each)]
    return attached[0] if attached else None


def _attached(exercise):
    classes = {name for name in exercise.defines if "." in name}
    last = {name.split(".")[-1] for name in classes}
    return last & set(defined_names(exercise.stub))


def _winners(cells, exercise, module):
    """Choose for each name the last cell that defines it by more than a stub, else the last one.

    Returns a list of (cell, definition); the definition is None for a whole cell.
    """
    candidates = {name: [] for name in exercise.defines}
    for cell in cells:
        if cell.broken and (cell.tag or exercise_of(cell.source, module)) == exercise.id:
            for options in candidates.values():
                options.append((cell, None))
        elif not _belongs_elsewhere(cell, exercise, module):
            for each in cell.definitions:
                if answers(each, exercise):
                    candidates[each.name].append((cell, each))
    chosen = [_last_written(options) for options in candidates.values() if options]
    broken = [choice for choice in chosen if choice[1] is None]
    tagged = [(cell, None) for cell in cells if cell.tag == exercise.id]
    return broken[-1:] or chosen or tagged[-1:]


def _belongs_elsewhere(cell, exercise, module):
    """Return whether another exercise defines the same name, and the cell is tagged with that one."""
    if cell.tag in (None, exercise.id):
        return False
    other = module.exercises[cell.tag]
    return bool(set(other.defines) & set(exercise.defines))


def _last_written(options):
    """Choose the last option; a broken cell, a stub or an alias of the reference only if nothing else exists."""

    def worth(option):
        cell, definition = option
        if definition is None:
            return 2 if cell.tag else 1
        return 0 if _is_stub(cell, definition) else 1 if _only_renames_reference(cell, definition) else 2

    return max(reversed(options), key=worth)


def _only_renames_reference(cell, definition):
    return any(each.only_renames_reference for each in cell.statements if definition in each.definitions)


def _is_stub(cell, definition):
    """Return whether a definition, or the function of an attached method, raises NotImplementedError."""
    node = definition.node
    if definition.how == "attach" and isinstance(getattr(node, "value", None), ast.Name):
        named = [each for each in cell.definitions if each.name == node.value.id]
        node = named[-1].node if named else node
    return is_unwritten(node)
