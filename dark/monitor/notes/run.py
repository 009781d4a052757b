"""The reading half of a note: what is in a run, whether it is being written or has been loaded."""

from __future__ import annotations

from abc import ABC
from typing import TYPE_CHECKING, Any

import numpy as np

from dark.monitor.notes.packing import pack

if TYPE_CHECKING:
    import os
    from pathlib import Path

    from dark.monitor.notes.reader import Criterion, Reader
    from dark.monitor.notes.series import ScalarSeries, TensorSeries
    from dark.typing import Array


class Run(ABC):
    """The base class of `Note`: what can be read.

    Attributes
    ----------
    folder : Path
    """

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
    def step_array(self) -> Array:
        """All steps at which something was taken down, increasing."""
        series = [*self.scalar_dict.values(), *self.tensor_dict.values()]
        return np.unique(np.concatenate([each.steps for each in series])) if series else np.empty(0, np.int64)

    @property
    def has_history(self) -> bool:
        """Whether scalars or arrays were taken down."""
        return bool(self.scalar_dict or self.tensor_dict)

    @property
    def damage(self) -> tuple[str, ...]:
        """What is damaged, or was torn when a process was killed; nothing else is lost. Empty if the run is whole."""
        return self._read.damage()

    def verify(self) -> tuple[str, ...]:
        """Read everything and return what is damaged: `damage`, and arrays with a wrong checksum."""
        return (*self.damage, *self._read.damaged_arrays())

    @property
    def status(self) -> str:
        """One of "running", "ended", "failed" (an exception ended it) and "interrupted" (the process was killed)."""
        return self._reader.status()

    def refresh(self) -> bool:
        """Read what has been appended since the run was loaded; return whether there was something."""
        return self._reader.refresh()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Save the run to one file, an archive (zip), which `load` reads.

        Parameters
        ----------
        path : str or path
            In an existing folder; a file that exists is replaced.

        Raises
        ------
        StorageError
            If the folder does not exist.
        """
        pack(self._reader.files, path, self._reader.with_tensors)

    def __repr__(self) -> str:
        return f"<Note {str(self.folder)!r}: {self.status}>"
