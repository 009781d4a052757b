"""`mine()`: the student's code of the earlier modules, or the reference where theirs is not right yet."""

import os
import sys
from types import ModuleType
from typing import Any

from dark.course.cards.blocks import folded
from dark.course.cards.card import Card, card, framed
from dark.course.judging.implementation import assemble
from dark.course.judging.verdict import RIGHT
from dark.course.lessons.answers import collect
from dark.course.lessons.library import earlier_modules, load_module, notebook_path
from dark.course.lessons.notebook_files import read_notebook
from dark.course.student.judged import Judged
from dark.errors import CourseError, UsageError

QUIET_SECONDS = 1.5  # before a progress bar appears
YOURS, REFERENCE = "yours", "reference"
BUILDING = "DARK_SOLUTIONS"  # set while a notebook or the book is built


class Mine(ModuleType):
    """A namespace built from a student's earlier code, which records whose code each exercise is."""

    whose: dict[str, tuple[str, str]]  # by exercise: "yours" or "reference", and the status of the student's answer

    def _repr_mimebundle_(self, include=None, exclude=None):
        return self._card()._repr_mimebundle_()

    def _card(self):
        count = len(self.whose)
        if BUILDING in os.environ:  # the notebooks of the course and the book show no progress of whoever builds them
            return card(f"{count} earlier exercises: your answers where they are right, elsewhere the reference.")
        others = {name: status for name, (whose, status) in self.whose.items() if whose == REFERENCE}
        if not others:
            return card(f"All {count} earlier exercises are yours.")
        title = f"{count - len(others)} of {count} earlier exercises are yours; the others use the reference."
        listed = folded([f"{name}, {status}" for name, status in others.items()], "With the reference")
        return Card("\n  ".join([title, *listed.lines()]), framed(title, listed.html()))

    def __repr__(self):
        return self._repr_mimebundle_()["text/plain"]


def mine_before(module):
    """Assemble the code of all modules that a module builds on: right answers of the student, or the reference."""
    if not module.after:
        says = f"mine: module {module.id} does not build on an earlier module."
        raise UsageError(says, "a module that builds on an earlier one.", "write its first exercise.")
    from tqdm import tqdm

    class Bar(tqdm):
        monitor_interval = 0  # no thread, which a browser lacks

    whose: dict[str, tuple[str, str]] = {}
    waiting: list[Any] = []
    for earlier in earlier_modules(module):
        waiting += _waiting(earlier, waiting)
    bar = Bar(waiting, "your earlier answers", leave=False, delay=QUIET_SECONDS, file=sys.stdout)
    made = assemble(_labeled(bar, whose)).__dict__
    made.pop("mine", None)  # what an earlier module had by this name
    mine = Mine("mine", f"Your code of the modules before {module.stem}.")
    vars(mine).update({name: value for name, value in made.items() if not name.startswith("__")})
    mine.whose = whose
    return mine


def _labeled(waiting, whose):
    """Yield the chosen parts; where a module begins, a part that gives it `mine`: the earlier names."""
    begun = None
    for part, judged in waiting:
        if judged is not begun:
            begun = judged
            yield f"earlier than {judged.module.id}", ""
        yield _chosen(part, judged, whose)


def _waiting(own, before):
    """Return the parts of a module, each with the `Judged` that holds the verdicts of its answers."""
    for name in own.exercises:
        if name in {part.exercise for part, _ in before}:
            says = f"mine: the exercise {name!r} of {own.stem} must not have the id of an earlier one."
            advice = "rename one of them in its manuscript, then dark build."
            raise CourseError(says, "ids that are unique in the course.", advice)
    module, answers = load_module(own.id), answers_in(own)
    judged = Judged(notebook_path(own.id).parent, module, answers)
    return [(part, judged) for part in own.parts]


def answers_in(module):
    """Return the answers in the student's notebook of a module; empty without one, or while one is built."""
    path = notebook_path(module.id)
    if BUILDING in os.environ or not path.is_file():
        return {}
    return collect(read_notebook(path), module).sources


def _chosen(part, judged, whose):
    """Return the label and source of a part, and record whose it is."""
    name, module = part.exercise, judged.module
    if name is None:
        return f"given {module.id}", part.source
    status, solution = judged.status(name), module.exercises[name].solution
    whose[name] = (YOURS if status == RIGHT else REFERENCE, status)
    if status == RIGHT:
        return f"exercise {name}", judged.answers[name]
    if solution is None:
        says = f"mine: {name} of module {module.stem} is {status}, and its reference is not installed."
        raise CourseError(says, "a right answer to every earlier exercise.", f"dark check {module.id} {name}")
    return f"reference {name}", solution
