"""The cells that have run in one kernel, and the answers in them."""

from dataclasses import dataclass
from datetime import UTC, datetime

from dark.course.lessons.answers import collect
from dark.course.student.cell_identity import identified

__all__ = ["CellHistory", "ExecutedCell"]

NOT_RUN = "not run in this session"
RESET = "reset since its cell ran"


@dataclass(frozen=True)
class ExecutedCell:
    """A cell that has run: its source, its id in the notebook if known, and whether it succeeded."""

    source: str
    id: str | None = None
    ok: bool = True


class CellHistory:
    """The cells that have run, each in its last version.

    Parameters
    ----------
    clock : callable, optional
        Returns the time at which a cell is recorded, in UTC.
    """

    def __init__(self, clock=lambda: datetime.now(UTC)):
        self.clock = clock
        self.cells = {}  # in execution order
        self.times = {}

    def record_cell(self, cell):
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
        """Return the source of each exercise of a module that was answered."""
        return collect(_as_notebook(identified(self.cells, module).values()), module).sources

    def absence(self, module, name, events):
        """Return why the answer to an exercise is not in the kernel, or None if it is.

        Parameters
        ----------
        module : Module
            The module.
        name : str
            The exercise.
        events : iterable of dict
            The events of the log.

        Returns
        -------
        str or None
            `NOT_RUN` or `RESET`.
        """
        cells = identified(self.cells, module)
        indexes = collect(_as_notebook(cells.values()), module).cells.get(name)
        if not indexes:
            return NOT_RUN
        times = list(map(self.times.get, cells))
        ran = max(times[index] for index in indexes)
        resets = [event.get("time") for event in events if event["event"] == "reset" and event.get("exercise") == name]
        return RESET if any(_is_after(time, ran) for time in resets) else None


def _as_notebook(cells):
    cells = [{"cell_type": "code", "id": cell.id or "", "metadata": {}, "source": cell.source} for cell in cells]
    return {"nbformat": 4, "cells": cells}


def _is_after(text, time):
    try:
        return datetime.fromisoformat(text) > time
    except (TypeError, ValueError):  # not a time written by the log
        return False
