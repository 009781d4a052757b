"""The course: lessons, exams that test a student's code, and the functions that a student calls.

Reading order: `lessons` (modules, exercises, a student's answers in a notebook), `exams` (questions), `judging` (an
answer is run and compared with the reference), `cards` (what a student sees of it), `student` (what a student calls),
`export` (answers as a package of their own), `capstone` (the project at the end), `printing` (generates the notebooks
from the manuscripts). The submissions of a class are graded by `dark.grading`, with the same exams and the same judge.

In a notebook, use `%load_ext dark.course`. Importing this package is fast: the code that checks an
answer is loaded on first use, because a worker process does not need it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from dark.course.exams import Exam

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

    from dark.course.cards.card import Card
    from dark.course.student.mine import Mine
    from dark.draw import Drawing

__all__ = [
    "Exam",
    "cells",
    "check",
    "course_map",
    "hint",
    "load_ipython_extension",
    "mine",
    "owned",
    "predict",
    "reset",
    "show_class",
]


def cells() -> list[str]:
    """Return the sources of the cells that have run without an error, and the one that runs."""
    return _notebook().current_functions()["cells"]()


def check(*names: str) -> Card:
    """Check the exercises with these names, by default all that have run; see `StudentKernel.check`."""
    return _notebook().current_functions()["check"](*names)


def course_map(module: str | None = None) -> Drawing:
    """Draw the modules of the course; the one with the given number or name is marked as the present one."""
    return import_module("dark.course.student.course_map").course_map(module)


def hint(name: str, number: int | None = None) -> Card:
    """Show the next hint of an exercise, or the one with the given number; see `StudentKernel.hint`."""
    return _notebook().current_functions()["hint"](name, number)


def mine() -> Mine:
    """Return your code of the earlier modules, or the reference where yours fails; see `StudentKernel.mine`."""
    return _notebook().current_functions()["mine"]()


def owned() -> Card:
    """Show what you have written in this module, on the map of the course; see `StudentKernel.owned`."""
    return _notebook().current_functions()["owned"]()


def predict(name: str, answer: object = ...) -> Card:
    """Commit to an answer, then show the result of the reference; see `StudentKernel.predict`."""
    return _notebook().current_functions()["predict"](name, answer)


def reset(name: str) -> Card:
    """Restore the stub of an exercise in the file of the notebook; see `StudentKernel.reset`."""
    return _notebook().current_functions()["reset"](name)


def show_class(name: str | type) -> Card:
    """Show a class that was written in several cells as one source; see `StudentKernel.show_class`."""
    return _notebook().current_functions()["show_class"](name)


def load_ipython_extension(shell: InteractiveShell) -> None:
    """Handle `%load_ext dark.course`: add the five functions, and check each exercise cell that runs."""
    _notebook().load(shell)


def unload_ipython_extension(shell: InteractiveShell) -> None:
    """Handle `%unload_ext dark.course`: remove the names that loading added."""
    _notebook().unload(shell)


def _notebook():
    # imported on first use: a worker process reads exams without the notebook's dependencies
    return import_module("dark.course.student.ipython_extension")
