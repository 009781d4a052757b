"""`Note`: what a run takes down while it trains, in a folder that is only appended to, and how it is read."""

from __future__ import annotations

import os
import socket
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from dark.atomic_write import path_string
from dark.checks import boolean, describe
from dark.errors import UsageError, ValueTypeError
from dark.monitor.notes import taken
from dark.monitor.notes.attaching import attach
from dark.monitor.notes.comparing import AnyRun, filtered, in_order
from dark.monitor.notes.finding import no_run, runs_below
from dark.monitor.notes.json_lines import json_number
from dark.monitor.notes.packing import FolderFiles, files_of
from dark.monitor.notes.reader import Reader
from dark.monitor.notes.run import Run
from dark.monitor.notes.run_files import new_folder
from dark.monitor.notes.writer import Writer
from dark.storage.packing import pack as as_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from dark.hooks import Handle


class Note(Run):
    """What a run takes down while it trains: scalars and arrays over steps, configurations, results, lines of text.

    ``Note(folder)`` begins a run, or continues one; `Note.load` reads one, also while it is being written.

    Parameters
    ----------
    folder : str or path, optional
        The folder of one run, which is created; if not given, a new one in ``runs``, named after the time and the
        machine. If another process is writing there, the run is in a new folder next to it, and a warning says so.

    Attributes
    ----------
    folder : Path
        Where the run is.

    Raises
    ------
    StorageError
        If the path is a file.
    OSError
        If the folder cannot be created or written to.

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

    def __init__(self, folder: str | os.PathLike[str] | None = None) -> None:
        if folder is None:
            folder = new_folder(Path("runs", f"{datetime.now():%b%d_%H-%M-%S}_{socket.gethostname()}"))
        self._writer: Writer | None = Writer(folder)
        self._is_written = True
        self.folder = self._writer.folder
        self._reader = Reader(FolderFiles(self.folder))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Note:
        """Read a run: nothing is written; arrays are read from the disk when they are requested.

        Parameters
        ----------
        path : str or path
            The folder of a run, or a file that `save` wrote.

        Raises
        ------
        StorageError
            If the path does not hold a run.
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
    def load_all(cls, folder: str | os.PathLike[str]) -> list[Note]:
        """Read all runs in a folder and its subfolders, in the order of their paths, also packed ones (``.zip``)."""
        return [cls.load(path) for path in runs_below(Path(path_string(folder, "Note.load_all")).expanduser())]

    @staticmethod
    def filter(
        notes: Iterable[AnyRun], sorted_by: str | None = None, descend: bool = False, **equalities: Any
    ) -> list[AnyRun]:  # fmt: skip
        """Return the notes whose settings (or criteria, or last scalars) have these values.

        Parameters
        ----------
        notes : iterable of Note
        sorted_by : str, optional
            A setting, a criterion or a scalar; notes without it come last.
        descend : bool, default False
        **equalities
            The values by name. A note without the name does not match.
        """
        found = filtered(notes, equalities)
        return found if sorted_by is None else in_order(found, sorted_by, boolean(descend, "filter", "descend"))

    def take_down_scalars_and_tensors(
        self, step: int | float, scalars: Mapping[str, Any] | None = None, tensors: Mapping[str, Any] | None = None
    ) -> None:
        """Take down scalars and arrays of a step; the arrays are copied.

        Each name is a series of its own: it may begin late, have gaps, and end early.

        Parameters
        ----------
        step : int or float
            The iteration; a float for a part of an epoch. Of equal steps the last one counts.
        scalars : mapping of str to float, optional
            Numbers, and nodes and arrays that hold one; NaN and infinity are allowed.
        tensors : mapping of str to array, optional
            Arrays of bools, integers, or floats of 16, 32 or 64 bits, whose dtype is kept, or nodes. The names of
            nested mappings are joined by slashes.

        Raises
        ------
        ValueTypeError, UsageError, ShapeError
            If something else is given; nothing has been taken then.
        """
        writer = self._writing("take_down_scalars_and_tensors")
        step, numbers, arrays = taken.checked_step(step), taken.checked_scalars(scalars), taken.checked_tensors(tensors)
        if numbers:
            writer.write_scalars(step, numbers)
        if arrays:
            writer.write_tensors(step, arrays)

    def put_down_configs(self, configs: Mapping[str, Any]) -> None:
        """Put down the settings of the run; later ones replace earlier ones of the same name.

        Parameters
        ----------
        configs : mapping of str
            Numbers, strings, bools, None, and lists, tuples and mappings of them.

        Raises
        ------
        ValueTypeError
            If something else is given; the error names it.
        """
        writer = self._writing("put_down_configs")
        found = taken.plain(configs, "put_down_configs", "")
        if not isinstance(found, dict):
            raise ValueTypeError(f"put_down_configs: {describe(configs)}.", "a mapping.", '{"lr": 0.1}')
        writer.write({"configs": as_json(found)[0]})

    def put_down_criterion(self, name: str, value: float, unit: str | None = None, better: str | None = None) -> None:
        """Put down a result of the run; a later one replaces an earlier one of the same name.

        Parameters
        ----------
        name : str
        value : float
            May be NaN or infinite.
        unit : str, optional
        better : {"higher", "lower"}, optional
            Which values are better; "max" and "min" mean the same.

        Raises
        ------
        ValueTypeError, UsageError
            If the value is not a real number, or another argument is invalid.
        """
        writer = self._writing("put_down_criterion")
        number = taken.checked_criterion(name, value)
        if unit is not None and not isinstance(unit, str):
            raise ValueTypeError(f"put_down_criterion: unit is {describe(unit)}.", "a str.", 'unit="s"')
        direction = taken.direction_of(better, "put_down_criterion")
        writer.write({"criterion": {"name": name, "value": json_number(number), "unit": unit, "better": direction}})

    def write_line(self, line: str) -> None:
        """Write a line of text.

        Raises
        ------
        ValueTypeError
            If it is not a str.
        """
        writer = self._writing("write_line")
        if not isinstance(line, str):
            raise ValueTypeError(f"write_line: {describe(line)}.", "a str.", "str(value)")
        writer.write({"line": line})

    def attach(
        self, engine: Any, event: Any, source: Any = None, *, every: int | Mapping[str, int] = 1,
        when_nan: bool | Callable[[], bool] = False, on_best: str | Callable[[], float | None] | None = None,
        better: str = "higher", step: str | Callable[[], float] = "iteration",
    ) -> Handle:  # fmt: skip
        """Take notes at an event of an engine.

        Parameters
        ----------
        engine : Engine or Trainer
        event : event
            With or without filters, or several, such as ``Events.ITERATION_COMPLETED(every=20) | Events.COMPLETED``.
        source : object or callable, optional
            An object with ``scalars()`` and ``tensors()``, such as a `Monitor`, or a function without arguments that
            returns both; if not given, the numbers of the engine's output and metrics, and of a trainer's validation.
        every : int or mapping of str to int, default 1
            Take each series every n-th time only, by patterns of names: ``{"weights/*": 5, "samples/*": 0}``. The
            first match counts; 0 is never.
        when_nan : bool or callable, default False
            Take all series, too, when a number of the output becomes NaN or infinite, or when the function returns
            True; again after it was finite.
        on_best : str or callable, optional
            Take all series, too, when this number of the output, metrics or validation, or what the function returns,
            is better than ever before.
        better : {"higher", "lower"}
            As in `put_down_criterion`.
        step : {"iteration", "epoch"} or callable
            The iteration of the engine, or epochs as a float, or what the function returns.

        Returns
        -------
        Handle
            Its `remove` detaches the note.

        Examples
        --------
        >>> import tempfile
        >>> from dark.engine import Engine, Events
        >>> trainer = Engine(lambda engine, batch: batch / 2)
        >>> with tempfile.TemporaryDirectory() as folder, Note(folder) as note:
        ...     handle = note.attach(trainer, Events.ITERATION_COMPLETED(every=2), on_best="loss", better="lower")
        ...     state = trainer.run([5, 6, 2, 7, 8, 9])
        ...     print(note.scalar_dict["loss"].steps, note.scalar_dict["loss"].values)
        [1 2 3 4 6] [2.5 3.  1.  3.5 4.5]
        """
        take_down = self.take_down_scalars_and_tensors
        return attach(take_down, engine, event, source, every, when_nan, on_best, better, step)

    def _writing(self, who):
        """Return the writer of this process."""
        if self._writer is None:
            raise UsageError(
                f"{who}: the run {self.folder} was opened to be read.", "a note that can be written.", "Note(folder)"
            )
        if not self._writer.is_open:
            self._writer = Writer(self.folder)
            self.folder = self._writer.folder
            self._reader = Reader(FolderFiles(self.folder))
        return self._writer

    @property
    def tensor_free(self) -> Note:
        """The run without its arrays, to be read, or saved to a smaller file."""
        return self._reading(self.folder, Reader(self._reader.files, with_tensors=False))

    def close(self) -> None:
        """Write that the run has ended, and close its files; what is taken down later begins new ones."""
        if self._writer is not None:
            self._writer.close()
        self._reader.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> None:
        if error is not None and self._writer is not None:
            self._writer.write({"error": f"{type(error).__name__}: {error}"})
        self.close()
