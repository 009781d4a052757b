"""Save handlers, which write checkpoints: their interface, and one that writes to a folder."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from pathlib import Path as FilePath
from typing import Any

from dark.atomic_write import replace_file
from dark.checks import integer
from dark.engine import EventEnum
from dark.handlers.checkpoints import folder, naming
from dark.storage import load_file, save_file
from dark.typing import Path


class CheckpointEvents(EventEnum):
    """The event that `Checkpoint` fires: a checkpoint has been saved."""

    SAVED_CHECKPOINT = "saved_checkpoint"


class BaseSaveHandler(ABC):
    """The base class of objects that write checkpoints and can remove them; `DiskSaver` is one."""

    @abstractmethod
    def __call__(self, checkpoint: Mapping[str, Any], filename: str, metadata: Mapping[str, Any] | None = None) -> None:
        """Write states of objects; metadata has "basename" (prefix and name), "score_name" and "priority"."""

    @abstractmethod
    def remove(self, filename: str) -> None:
        """Remove the checkpoint of this name."""


def write(save_handler, checkpoint, filename, metadata):
    """Call a save handler, with the metadata unless it accepts two arguments only.

    Its signature decides, so that a TypeError raised inside it is an error.
    """
    try:
        inspect.signature(save_handler).bind(checkpoint, filename, metadata)
    except ValueError:  # it has no signature
        pass
    except TypeError:
        return save_handler(checkpoint, filename)
    return save_handler(checkpoint, filename, metadata)


class DiskSaver(BaseSaveHandler):
    """A save handler that writes files to a folder.

    The default format is that of `dark.save`: safetensors with a checksum over every byte; reading executes no
    code. The extension ``.pt`` is only a name. All users can read the files. A process that is killed while writing
    leaves a file whose name starts with a dot and ends in ``.part``; the next saver for the folder logs a warning that
    names it and the last good checkpoint. It does not delete it: another process may be writing it.

    *Several processes.* All of them call the checkpoint, process 0 writes, and all read. Let process 0 choose the file,
    so that all read the same: ``strategy.broadcast(saver.last_good() if strategy.rank == 0 else None)``.

    Parameters
    ----------
    dirname : str or path
        The folder; ``~`` is the home directory.
    atomic : bool, default True
        Write to a temporary file that replaces the old one once it is complete and on disk: after a crash, the name
        refers to the old file or the new one. Without it, `save` has to ensure that, as `save_file` does.
    create_dir, require_empty : bool, default True
        Create the folder if it does not exist; refuse one with checkpoints: pass False to continue a training.
    save_on_rank, rank : int, default 0
        The ranks of the process that writes and of this process: ``strategy.rank``, with a strategy of
        `dark.distributed`. The other processes write and remove nothing.
    save, load : callable, optional
        ``save(mapping, path)``, with further `**kwargs`, writes exactly the file `path`, ``load(path)`` returns what it
        wrote: another file format than that of `dark.save`.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     saver = DiskSaver(folder)
    ...     saver({"weight": 1.0}, "model_1.pt")
    ...     saver({"weight": 2.0}, "model_2.pt")
    ...     saver.load(saver.last_good())
    {'weight': 2.0}
    """

    def __init__(
        self, dirname: Path, atomic: bool = True, create_dir: bool = True, require_empty: bool = True,
        save_on_rank: int = 0, *, rank: int = 0, save: Callable[..., Any] = save_file,
        load: Callable[[FilePath], Mapping[str, Any]] = load_file, **kwargs: Any,
    ) -> None:  # fmt: skip
        self.dirname, self.kwargs = folder.folder_of(dirname), kwargs
        self.atomic, self.save, self.load = atomic, save, load
        self._is_writer = integer(save_on_rank, "DiskSaver", "save_on_rank") == integer(rank, "DiskSaver", "rank", 0)
        if not self._is_writer:
            return
        folder.prepare(self.dirname, create_dir, require_empty)
        for part in folder.unfinished(self.dirname):
            folder.LOGGER.warning(
                "%s is half a checkpoint: its process was killed. The last good one: %s", part, self.last_good()
            )

    def __call__(self, checkpoint: Mapping[str, Any], filename: str, metadata: Mapping[str, Any] | None = None) -> None:
        """Write a checkpoint."""
        if not self._is_writer:
            return
        naming.check_name(filename, "DiskSaver", "filename")
        try:
            self._write(checkpoint, self.dirname / filename)
        except BaseException as error:
            error.add_note("the checkpoints written before are untouched")
            raise

    def _write(self, checkpoint, path):
        if not self.atomic:
            self.save(checkpoint, path, **self.kwargs)
        elif self.save is save_file:  # atomic itself
            self.save(checkpoint, path, **self.kwargs)
            folder.make_readable(path)
        else:
            with replace_file(path) as part:
                self.save(checkpoint, part, **self.kwargs)
                folder.make_readable(part)

    def remove(self, filename: str) -> None:
        """Delete a checkpoint; a FileNotFoundError if it does not exist."""
        naming.check_name(filename, "DiskSaver", "filename")
        if self._is_writer:
            (self.dirname / filename).unlink()

    def last_good(self, pattern: str = "*") -> FilePath | None:
        """Return the path of the newest checkpoint that can be read completely, or None.

        `pattern` selects file names, if the folder has several kinds: ``"best_*"``. Each damaged checkpoint is skipped
        with a logged warning. Of two written at the same time, it is the one with the higher number in its name.
        """
        return folder.newest(self.load, self.dirname, pattern)
