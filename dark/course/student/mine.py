"""`mine()`: the student's code of the earlier modules, or the reference where theirs is not right yet."""

import os
from types import ModuleType

from dark.course.judging.implementation import assemble, is_attempted
from dark.course.judging.judge import judge_exercise
from dark.course.judging.verdict import RIGHT
from dark.course.lessons.cells import collect
from dark.course.lessons.library import load_module, notebook_path
from dark.course.lessons.notebook_files import read_notebook
from dark.course.student.cards import card
from dark.errors import CourseError, UsageError

__all__ = ["Mine", "mine_before"]

YOURS, REFERENCE = "yours", "reference"


class Mine(ModuleType):
    """A namespace built from a student's earlier code, which records whose code each exercise is.

    Attributes
    ----------
    whose : dict of str to (str, str)
        By exercise: ``"yours"`` or ``"reference"``, and the status of the student's answer.
    """

    whose: dict

    def _repr_mimebundle_(self, include=None, exclude=None):
        width = max(map(len, self.whose))
        rows = [f"  {name:<{width}}  {whose:<9}  {status}" for name, (whose, status) in self.whose.items()]
        own = sum(whose == YOURS for whose, _ in self.whose.values())
        title = f"{own} of {len(self.whose)} earlier exercises are yours; the others use the reference."
        if own == len(self.whose):
            title = f"All {own} earlier exercises are yours."
        shown = card(title, "\n".join([f"  {'exercise':<{width}}  whose      your answer", *rows]))
        return shown._repr_mimebundle_()

    def __repr__(self):
        return self._repr_mimebundle_()["text/plain"]


def mine_before(module):
    """Assemble the code of all modules that a module builds on.

    Each exercise uses the student's answer if it is right, else the reference.

    Parameters
    ----------
    module : Module
        The module.

    Returns
    -------
    Mine

    Raises
    ------
    UsageError
        If the module does not build on another one.
    CourseError
        If the reference is needed and no solutions are installed.
    """
    if module.after is None:
        raise UsageError(
            f"mine: module {module.id} does not build on an earlier module.",
            "a module that builds on an earlier one.",
            "write its first exercise.",
        )
    labeled, whose = [], {}
    for earlier in _earlier(module):
        answers = _answers(earlier)
        for part in earlier.parts[-_own(earlier) :]:
            labeled.append(_chosen(earlier, part, answers, whose))
    made = assemble(labeled)
    mine = Mine("mine", f"Your code of the modules before {module.stem}.")
    vars(mine).update({name: value for name, value in vars(made).items() if not name.startswith("__")})
    mine.whose = whose
    return mine


def _earlier(module):
    """Return the modules that a module builds on, the first one first."""
    found = []
    while module.after is not None:
        module = load_module(module.after)
        found.insert(0, module)
    return found


def _own(module):
    return sum(part.kind != "earlier" for part in module.parts)


def _answers(module):
    """Return the answers in the student's notebook; empty without a notebook, or while one is built."""
    path = notebook_path(module.id)
    if "DARK_SOLUTIONS" in os.environ or not path.is_file():
        return {}
    return collect(read_notebook(path), module).sources


def _chosen(module, part, answers, whose):
    """Return the label and source of one part, and record whose it is."""
    name = part.exercise
    if name is None:
        return f"given {module.id}", part.source
    exercise, source = module.exercises[name], answers.get(name)
    attempted = is_attempted(source, exercise.stub)
    status = judge_exercise(module, name, answers, bank=()).status if attempted else "not attempted"
    whose[name] = (YOURS if status == RIGHT else REFERENCE, status)
    if status == RIGHT:
        return f"exercise {name}", source
    if exercise.solution is None:
        raise CourseError(
            f"mine: {name} of module {module.stem} is {status}, and its reference is not installed.",
            "a right answer to every earlier exercise.",
            f"dark check {module.id} {name}",
        )
    return f"reference {name}", exercise.solution
