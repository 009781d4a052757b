"""The cells that have run in one kernel, and the answers in them.

VS Code sends ids of its own instead of the notebook's, and the classic notebook none: there, a cell with the names or
the docstring of an exercise stands for the exercise's cell.
"""

import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from dark.course.lessons.answers import collect
from dark.course.lessons.code import code_of

NOT_RUN = "not run in this session"
RESET = "reset since its cell ran"
DOCSTRING = re.compile(r'^    """(.+?)(?:"""|$)', re.MULTILINE)  # of a function or class, not of its methods


@dataclass(frozen=True)
class ExecutedCell:
    """A cell that has run: its source, its id in the notebook if known, and whether it succeeded."""

    source: str
    id: str | None = None
    ok: bool = True


@dataclass(frozen=True)
class Likeness:
    """The traces of the printed cell of an exercise in a cell: names that it defines, first lines of docstrings."""

    exercise: str
    names: frozenset
    docstrings: frozenset

    def is_newer_version_of(self, other):
        """Return whether an earlier cell, likewise without an id, was this one before it was edited."""
        same = self.exercise == other.exercise
        return same and (other.names <= self.names or bool(other.docstrings & self.docstrings))


class CellHistory:
    """The cells that have run, each in its last version; the `clock` returns the time in UTC."""

    def __init__(self, clock=lambda: datetime.now(UTC)):
        self.clock = clock
        self.cells = {}  # in execution order
        self.times = {}

    def record(self, cell):
        """Record a cell that has run; running it again moves it to the end."""
        key = cell.id or cell.source
        self.cells.pop(key, None)
        self.cells[key] = cell
        self.times[key] = self.clock()

    def sources(self):
        """Return the sources of the cells that ran without an error."""
        return [cell.source for cell in self.cells.values() if cell.ok]

    def notebook(self, running=""):
        """Return the cells that have run as a notebook, in execution order, and then the one that is running."""
        return _as_notebook([*self.cells.values(), *([ExecutedCell(running)] if running else [])])

    def answers(self, module):
        """Return the `Answers` to the exercises of a module."""
        return collect(_as_notebook(self._identified(module).values()), module)

    def absence(self, module, name, events):
        """Return why the answer to an exercise is not in the kernel, `NOT_RUN` or `RESET` by the log; else None."""
        cells = self._identified(module)
        indexes = collect(_as_notebook(cells.values()), module).cells.get(name)
        if not indexes:
            return NOT_RUN
        times = [self.times[key] for key in cells]
        ran = max(times[index] for index in indexes)
        resets = [event.get("time") for event in events if event["event"] == "reset" and event.get("exercise") == name]
        return RESET if any(_is_after(time, ran) for time in resets) else None

    def _identified(self, module):
        """Return the cells as known in the notebook, by key; without its ids, last versions, with ids of exercises."""
        printed = {cell["id"] for cell in module.blank["cells"]}
        if any(cell.id in printed for cell in self.cells.values()):
            return self.cells
        likenesses = {key: _likeness(cell.source, module) for key, cell in self.cells.items()}
        found: dict[Any, Any] = {}
        for key, cell in self.cells.items():
            like = likenesses[key]
            if like and cell.id is None:
                before = [k for k in found if self.cells[k].id is None and likenesses[k]]
                for other in [k for k in before if like.is_newer_version_of(likenesses[k])]:
                    del found[other]
            found[key] = replace(cell, id=f"exercise-{like.exercise}") if like and not like.names else cell
        return found


def _likeness(source, module):
    """Return the `Likeness` of a source and the exercise that it answers or once answered; None without one."""
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


def _as_notebook(cells):
    cells = [{"cell_type": "code", "id": cell.id or "", "metadata": {}, "source": cell.source} for cell in cells]
    return {"nbformat": 4, "cells": cells}


def _is_after(text, time):
    try:
        return datetime.fromisoformat(text) > time
    except (TypeError, ValueError):  # not a time written by the log
        return False
