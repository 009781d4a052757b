"""The session: the cells that have run in one kernel, and the answers that stand in them."""

from dataclasses import dataclass
from datetime import UTC, datetime

from dark.course.lessons.cells import collect

__all__ = ["ExecutedCell", "Session"]

NOT_RUN = "not run in this session"
RESET = "reset since its cell ran"


@dataclass(frozen=True)
class ExecutedCell:
    """A cell that ran: its source, the notebook's id for it if there is one, and how it went."""

    source: str
    id: str | None = None
    ok: bool = True


class Session:
    """The cells that have run, each in its last form.

    Parameters
    ----------
    clock : callable, optional
        Gives the time at which a cell is seen, in UTC.
    """

    def __init__(self, clock=lambda: datetime.now(UTC)):
        self.clock = clock
        self.cells = {}  # in the order in which they ran
        self.times = {}

    def record_cell(self, cell):
        """Remember a cell that has run; running it again moves it to the end."""
        key = cell.id or cell.source
        self.cells.pop(key, None)
        self.cells[key] = cell
        self.times[key] = self.clock()

    def sources(self):
        """List the sources of the cells that ran without an error."""
        return [cell.source for cell in self.cells.values() if cell.ok]

    def notebook(self):
        """Write what ran as a notebook, in the order in which it ran."""
        cells = [
            {"cell_type": "code", "id": cell.id or "", "metadata": {}, "source": cell.source}
            for cell in self.cells.values()
        ]
        return {"nbformat": 4, "cells": cells}

    def answers(self, module):
        """Give the source of each exercise of a module that a cell answers."""
        return collect(self.notebook(), module).sources

    def absence(self, module, name, events):
        """Say why the kernel does not hold what the notebook shows, or None where it does.

        Parameters
        ----------
        module : Module
            The module.
        name : str
            The exercise.
        events : iterable of dict
            The log's.

        Returns
        -------
        str or None
            `NOT_RUN` or `RESET`.
        """
        places = collect(self.notebook(), module).cells.get(name)
        if not places:
            return NOT_RUN
        times = list(map(self.times.get, self.cells))
        ran = max(times[place] for place in places)
        resets = [event.get("time") for event in events if event["event"] == "reset" and event.get("exercise") == name]
        return RESET if any(_is_after(time, ran) for time in resets) else None


def _is_after(text, time):
    try:
        return datetime.fromisoformat(text) > time
    except (TypeError, ValueError):  # not a time of ours
        return False
