"""The writer of a run: it appends to the files of this process, and stops with a warning when that fails."""

import errno
import os
import threading
import time
import warnings
import weakref
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from dark.monitor.notes.json_lines import json_number, to_line
from dark.monitor.notes.run_files import begin, elapsed_before, file_name, now
from dark.monitor.notes.segment import Layout, layout_of, little_endian, segment

LAYOUTS = 64  # that are kept, of the last sets of names
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)  # of a disk, a quota or a file


class Writer:
    """Append records to the files of a run.

    Each record is handed to the operating system when it is written, so that a process that is killed loses none.

    `stopped` tells why nothing is written any longer.
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder, self.process, self.stopped = Path(folder), os.getpid(), None
        self._number = 0
        self._files: dict[str, Any] = {}
        self._layouts: dict[tuple[str, ...], tuple[list[Any], Layout]] = {}
        self._lock = threading.Lock()
        self.close = weakref.finalize(self, _end_and_close, self._files, self.process)
        self._start = time.monotonic()
        try:
            self.folder, self._number, self._files["run"] = begin(folder)
            self._start -= elapsed_before(self.folder, self._number)
        except OSError as error:
            if error.errno not in FULL:
                raise
            self._stop(error)

    @property
    def is_open(self) -> bool:
        """Whether this process can still write: it is the one that began, and the writer was not closed."""
        return self.process == os.getpid() and (self.close.alive or self.stopped is not None)

    def write(self, record: dict[str, Any]) -> None:
        """Write a record about the run as a whole."""
        line = to_line(record)
        with self._lock:
            self._append("run", line)

    def moment(self, epoch: float | None = None) -> dict[str, float]:
        """Return the time in Unix seconds, the seconds since the run began, by any process, and the epoch if known."""
        moment = {"time": round(time.time(), 6), "elapsed": round(time.monotonic() - self._start, 6)}
        return moment if epoch is None else {**moment, "epoch": epoch}

    def write_scalars(self, step: float, moment: Mapping[str, float], scalars: Mapping[str, float]) -> None:
        """Write the scalars of a step."""
        head = {"step": step, **moment}
        try:
            line = to_line({**head, "scalars": scalars})
        except ValueError:  # NaN and infinity
            line = to_line({**head, "scalars": {name: json_number(value) for name, value in scalars.items()}})
        with self._lock:
            self._append("scalars", line)

    def write_tensors(self, step: float, moment: Mapping[str, float], tensors: Mapping[str, np.ndarray]) -> None:
        """Write the arrays of a step: first their segment, then the line of the index that makes it count."""
        arrays = little_endian(tensors.values())
        kinds = [(array.dtype, array.shape) for array in arrays]
        names = tuple(tensors)
        known, layout = self._layouts.get(names, (None, None))
        named = dict(zip(names, arrays))
        if layout is None or known != kinds:
            layout = layout_of(named)
            if len(self._layouts) >= LAYOUTS:
                self._layouts.clear()
            self._layouts[names] = kinds, layout
        data = segment(layout, named)
        with self._lock:
            begin = self._append("segments", data)
            if begin is not None:
                end = begin + len(data)
                place = {"step": step, **moment, "begin": begin, "end": end, "layout": layout.key}
                self._append("tensors", to_line(place))

    def _append(self, kind, data):
        """Append bytes to a file; return where they begin, or None if they could not be written."""
        if self.stopped is not None:
            return None
        try:
            file = self._files.get(kind)
            if file is None:
                file = self._files[kind] = open(self.folder / file_name(kind, self._number), "xb", buffering=0)
            begin, view = file.tell(), memoryview(data)
            while view:
                view = view[file.write(view) :]
        except OSError as error:
            self._stop(error)
            return None
        return begin

    def _stop(self, error):
        self.stopped = error.strerror or str(error)
        self.close.detach()
        _close(self._files)
        warnings.warn(
            f"Note: {self.folder} cannot be written ({self.stopped}). The note has stopped here, what it holds can be "
            "read; the training continues.",
            UserWarning,
            stacklevel=4,
        )


def _end_and_close(files, process):
    """Write that the run has ended, unless this is a copy of the process that wrote it."""
    if os.getpid() != process or "run" not in files:
        return
    with suppress(OSError):  # a full disk: the time of the end is not known
        sizes = {kind: file.tell() for kind, file in files.items() if kind != "run"}
        files["run"].write(to_line({"ended": now(), "bytes": sizes}))
    _close(files)


def _close(files):
    for file in files.values():
        with suppress(OSError):
            file.close()
