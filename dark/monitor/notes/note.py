"""`Note`: the record of a run, written while it trains to a folder that is only appended to, and read from it."""

import os
import socket
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Any, Self

from dark.atomic_write import path_string
from dark.checks import boolean
from dark.errors import UsageError
from dark.monitor.notes import entries
from dark.monitor.notes.comparing import AnyRun, filtered, in_order
from dark.monitor.notes.finding import no_run, runs_below
from dark.monitor.notes.packing import FolderFiles, files_of
from dark.monitor.notes.reader import Reader
from dark.monitor.notes.run import Run
from dark.monitor.notes.run_files import new_folder
from dark.monitor.notes.writer import Writer


class Note(Run):
    """The log of a run: scalars and arrays over steps, configurations, results, lines of text.

    ``Note(folder)`` begins a run, or continues one; `Note.load` reads one, also while it is being written.

    The folder is created; if not given, it is a new one in ``runs``, named after the time and the machine. If another
    process is writing there, the run is in a new folder next to it, and a warning says so.

    Notes
    -----
    Everything is written at once: a process that is interrupted or killed loses nothing that was taken before. If the
    disk is full, a warning says so, the note stops, and the training continues. ``book/notes.md`` describes the files.

    Examples
    --------
    >>> import tempfile
    >>> import numpy as np
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with Note(f"{folder}/first") as note:
    ...         note.put_down_configs({"lr": 0.1})
    ...         for step in (1, 2):
    ...             note.take_down_scalars_and_tensors(step, {"loss": 1 / step}, {"w": np.full(2, step)})
    ...         note.put_down_criterion("accuracy", 0.95, better="higher")
    ...     run = Note.load(f"{folder}/first")
    ...     print(run.configs, run.criteria, run.scalar_dict["loss"].values, run.tensor_dict["w"].at(2))
    {'lr': 0.1} {'accuracy': 0.95} [1.  0.5] [2 2]
    """

    take_down_scalars_and_tensors = entries.take_down_scalars_and_tensors
    put_down_configs = entries.put_down_configs
    put_down_framework = entries.put_down_framework
    put_down_criterion = entries.put_down_criterion
    write_line = entries.write_line
    attach = entries.attach

    def __init__(self, folder: str | os.PathLike[str] | None = None) -> None:
        if folder is None:
            folder = new_folder(Path("runs", f"{datetime.now():%b%d_%H-%M-%S}_{socket.gethostname()}"))
        self._writer: Writer | None = Writer(folder)
        self._is_written = True
        self.folder = self._writer.folder
        self._reader = Reader(FolderFiles(self.folder))

    @property
    def misc(self) -> entries.Misc:
        """Further data of the run, by name: plain data as in `put_down_configs`; assignments are written."""
        return entries.Misc(self)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Read a run: nothing is written; arrays are read from the disk when they are requested.

        The path is the folder of a run, a file that `save` wrote, or a run in one that `save_all` wrote:
        ``all.zip/first``.
        """
        place = Path(path_string(path, "Note.load")).expanduser()
        files = files_of(place)
        if files is None:
            raise no_run(place)
        reader = Reader(files)
        reader.refresh(), reader.records()
        return cls._reading(place, reader)

    @classmethod
    def _reading(cls, folder, reader):
        note = cls.__new__(cls)
        note._writer, note._reader, note.folder = None, reader, folder
        return note

    @classmethod
    def load_all(cls, folder: str | os.PathLike[str]) -> list[Self]:
        """Read all runs in a folder and its subfolders, in the order of their paths, also packed ones (``.zip``).

        The folder may be a file in which several are packed.
        """
        return [cls.load(path) for path in runs_below(Path(path_string(folder, "Note.load_all")).expanduser())]

    @staticmethod
    def filter(
        notes: Iterable[AnyRun], sorted_by: str | None = None, descend: bool = False, **equalities: Any
    ) -> list[AnyRun]:  # fmt: skip
        """Return the notes whose settings (or criteria, or last scalars) have these values.

        They may be sorted by a setting, a criterion or a scalar; notes without it come last. A note without one of the
        names in `equalities` does not match.
        """
        found = filtered(notes, equalities)
        return found if sorted_by is None else in_order(found, sorted_by, boolean(descend, "filter", "descend"))

    def _writing(self, who):
        """Return the writer of this process."""
        if self._writer is None:
            message = f"{who}: the run {self.folder} is read-only; it was opened by Note.load."
            raise UsageError(message, "a note that can be written.", "Note(folder)")
        if not self._writer.is_open:
            self._writer = Writer(self.folder)
            self.folder = self._writer.folder
            self._reader = Reader(FolderFiles(self.folder))
        return self._writer

    @property
    def tensor_free(self) -> Self:
        """The run without its arrays, to be read, or saved to a smaller file."""
        return self._reading(self.folder, Reader(self._reader.files, with_tensors=False))

    def close(self) -> None:
        """Write that the run has ended, and close its files; later records begin new files."""
        if self._writer is not None:
            self._writer.close()
        self._reader.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> None:
        if error is not None and self._writer is not None:
            self._writer.write({"error": f"{type(error).__name__}: {error}"})
        self.close()
