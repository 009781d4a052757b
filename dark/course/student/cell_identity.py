"""Which exercise's cell has run, in an editor that does not send the ids of the notebook's cells to the kernel.

JupyterLab sends them. VS Code sends ids of its own, and the classic notebook none: there, a cell with the names or the
docstring of an exercise stands for the exercise's cell.
"""

import re
from dataclasses import dataclass, replace

from dark.course.lessons.code import code_of

__all__ = ["identified"]

DOCSTRING = re.compile(r'^    """(.+?)(?:"""|$)', re.MULTILINE)  # of a function or class, not of its methods


@dataclass(frozen=True)
class Likeness:
    """What a cell has of the printed cell of an exercise: names that it defines, and first lines of docstrings."""

    exercise: str
    names: frozenset
    docstrings: frozenset

    def is_newer_version_of(self, other):
        """Return whether an earlier cell, likewise without an id, was this one before it was edited."""
        same = self.exercise == other.exercise
        return same and (other.names <= self.names or bool(other.docstrings & self.docstrings))


def identified(cells, module):
    """Return the cells of a kernel as they are known in the notebook.

    Parameters
    ----------
    cells : dict of str to ExecutedCell
        The cells that have run, in order.
    module : Module
        The module.

    Returns
    -------
    dict of str to ExecutedCell
        The same cells if the editor sends the ids of the notebook. Otherwise, of several versions of one cell only the
        last is kept, and a cell whose function was renamed has the id of its exercise's cell.
    """
    printed = {cell["id"] for cell in module.blank["cells"]}
    if any(cell.id in printed for cell in cells.values()):
        return cells
    likenesses, found = {key: _likeness(cell.source, module) for key, cell in cells.items()}, {}
    for key, cell in cells.items():
        like = likenesses[key]
        if like and cell.id is None:
            before = [k for k in found if cells[k].id is None and likenesses[k]]
            for other in [k for k in before if like.is_newer_version_of(likenesses[k])]:
                del found[other]
        found[key] = replace(cell, id=f"exercise-{like.exercise}") if like and not like.names else cell
    return found


def _likeness(source, module):
    """Return what a source has in common with the exercise that it answers or once answered; None without one."""
    exercise = module.exercise_of(code_of(source))
    if exercise is None and source.strip() not in module.course_sources:
        named = [name for name, each in module.exercises.items() if _docstrings(each.stub, source)]
        exercise = named[0] if named else None
    if exercise is None:
        return None
    printed = module.exercises[exercise]
    return Likeness(exercise, frozenset(code_of(source).names) & printed.own_names, _docstrings(printed.stub, source))


def _docstrings(stub, source):
    return frozenset(DOCSTRING.findall(stub)) & set(DOCSTRING.findall(source))
