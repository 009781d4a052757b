"""The reading half of a note, for a run that is being written as for one that was loaded."""

import os
from abc import ABC
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from dark.checks import describe
from dark.errors import ValueTypeError
from dark.monitor.notes.packing import pack, pack_all
from dark.monitor.notes.reader import Criterion, Reader
from dark.monitor.notes.series import ScalarSeries, TensorSeries


class Run(ABC):
    """The base class of `Note`: the attributes and methods that read."""

    folder: Path
    _reader: Reader
    _is_written = False  # by this object, so that what it has written is read at once

    @property
    def _read(self):
        if self._is_written:
            self._reader.refresh()
        return self._reader

    @property
    def began(self) -> str:
        """When the run began, in UTC: ``2026-01-31T12:00:00.000+00:00``; empty if that is not known."""
        return next((record["began"] for record in self._read.records() if "began" in record), "")

    @property
    def framework(self) -> str:
        """The framework of the network, as a monitor or an engine reports it: "torch", "arrays", or "" for `dark`."""
        names = [record["framework"] for record in self._read.records() if "framework" in record]
        return str(names[-1]) if names else ""

    @property
    def configs(self) -> dict[str, Any]:
        """The settings of the run by name."""
        return self._read.configs()

    @property
    def criteria(self) -> dict[str, float]:
        """The values of the criteria by name."""
        return {name: criterion.value for name, criterion in self._read.criteria().items()}

    @property
    def criterion_dict(self) -> dict[str, Criterion]:
        """The criteria by name: with name, value, unit, and which values are better."""
        return self._read.criteria()

    @property
    def content(self) -> list[str]:
        """The lines of text."""
        return self._read.content()

    @property
    def scalar_dict(self) -> dict[str, ScalarSeries]:
        """The series of scalars by name, in the order in which they began."""
        return self._read.scalars()

    @property
    def tensor_dict(self) -> dict[str, TensorSeries]:
        """The series of arrays by name, in the order in which they began."""
        return self._read.tensors()

    @property
    def step_array(self) -> np.ndarray:
        """All steps with recorded values, increasing."""
        series = [*self.scalar_dict.values(), *self.tensor_dict.values()]
        return np.unique(np.concatenate([each.steps for each in series])) if series else np.empty(0, np.int64)

    @property
    def has_history(self) -> bool:
        """Whether scalars or arrays were recorded."""
        return bool(self.scalar_dict or self.tensor_dict)

    @property
    def damage(self) -> tuple[str, ...]:
        """Messages on records that are damaged, or torn by a kill; all others are intact. Empty if the run is whole.

        All arrays are read for that, each once.
        """
        return self._read.damage()

    def verify(self) -> tuple[str, ...]:
        """Read everything and return all damage: the same as `damage`."""
        return self.damage

    @property
    def status(self) -> str:
        """One of "running", "ended", "failed" (an exception ended it) and "interrupted" (the process was killed)."""
        return self._reader.status()

    def refresh(self) -> bool:
        """Read data that were appended since the run was loaded; return whether there were any."""
        return self._reader.refresh()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Save the run to one file, a zip in an existing folder, which `load` reads; an older file is replaced."""
        pack(self._reader.files, path, self._reader.with_tensors)

    @staticmethod
    def save_all(runs: "Mapping[str, Run] | Iterable[Run]", path: str | os.PathLike[str]) -> None:
        """Save several runs to one file, an archive (zip); of ``all.zip``, each is read as ``all.zip/name``.

        Without names, each has the name of its folder, with a number if several have the same. The folder of the file
        must exist; a file that exists is replaced.
        """
        named = dict(runs) if isinstance(runs, Mapping) else _by_name(list(runs))
        for run in named.values():
            if not isinstance(run, Run):
                raise ValueTypeError(f"save_all: {describe(run)} is not a run.", "notes.", "Note.load_all(folder)")
        pack_all({name: (run._reader.files, run._reader.with_tensors) for name, run in named.items()}, path)

    def __repr__(self) -> str:
        return f"<Note {str(self.folder)!r}: {self.status}>"


def _by_name(runs):
    """Return runs by the names of their folders, without the ending of a packed one; equal names get numbers."""
    named: dict[str, Any] = {}
    for run in runs:
        name = run.folder.resolve().name.removesuffix(".zip") if isinstance(run, Run) else ""
        number = next(k for k in range(1, len(named) + 2) if (f"{name}-{k}" if k > 1 else name) not in named)
        named[f"{name}-{number}" if number > 1 else name] = run
    return named
