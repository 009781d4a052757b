"""The files of a run: their names, who writes them, and how a process begins its own.

Every process that writes to a run has files of its own, which are numbered; nothing that was written is changed again::

    run-0001.jsonl         when the run began; configurations, criteria, lines of text
    scalars-0001.jsonl     the scalars of each step
    tensors-0001.jsonl     the index of the arrays: where the segment of each step begins
    tensors-0001.segments  the segments

A process holds a lock on its file ``run-….jsonl`` as long as it may write, where the system has such locks.
"""

import os
import re
import socket
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from io import FileIO
from itertools import count
from pathlib import Path
from typing import Any

from dark.atomic_write import kind_of_file, path_string
from dark.errors import StorageError
from dark.monitor.notes.json_lines import from_line, to_line

try:
    import fcntl
except ImportError:  # not a POSIX system
    fcntl = None


FORMAT = "dark note 1"
TAIL = 2**16  # bytes at the end of a file, in which its last line is looked for first
NAME = re.compile(r"(run|scalars|tensors)-(\d{4,})\.(jsonl|segments)")


def file_name(kind: str, number: int) -> str:
    """Return the name of a file."""
    return f"tensors-{number:04d}.segments" if kind == "segments" else f"{kind}-{number:04d}.jsonl"


def numbers_in(names: Any) -> list[int]:
    """Return the numbers of the processes that have written files of these names, in order."""
    return sorted({int(match[2]) for name in names if (match := NAME.fullmatch(name))})


def begin(folder: str | os.PathLike[str]) -> tuple[Path, int, FileIO]:
    """Begin the files of this process in a folder, which may be new; return it, their number, and the file of the run.

    If another process is writing to the run, the files are in a new folder next to it: ``name-2``.
    """
    wanted = Path(path_string(folder, "Note")).expanduser()
    for chosen in _names(wanted):
        _create(chosen)
        with _one_process_at_a_time(chosen):
            if not is_written_elsewhere(chosen):
                began = _begin_in(chosen)
                break
    if chosen != wanted:
        warnings.warn(
            f"Note: another process is writing to {wanted}; this run is in {chosen}.", UserWarning, stacklevel=4
        )
    return began


def new_folder(wanted: Path) -> Path:
    """Return the first of the paths ``name``, ``name-2``, ``name-3``, … that does not exist."""
    return next(path for path in _names(wanted) if not path.exists())


def _names(wanted):
    yield wanted
    yield from (wanted.with_name(f"{wanted.name}-{k}") for k in count(2))


def _create(folder):
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        message = f"Note: {folder} is not a folder, but {kind_of_file(folder) or 'a file, or below one'}."
        wanted = "the folder of a run, which may be new."
        raise StorageError(message, wanted, f"Note.load({str(folder)!r}), if it is a packed run.") from None


def _begin_in(folder):
    for number in count(max(numbers_in(os.listdir(folder)), default=0) + 1):
        with suppress(FileExistsError):  # without locks, another process may have taken the number meanwhile
            file = open(folder / file_name("run", number), "xb", buffering=0)
            break
    try:
        if fcntl is not None:
            with suppress(OSError):  # some network file systems have no locks
                fcntl.flock(file, fcntl.LOCK_EX)
        file.write(to_line({"format": FORMAT, "began": now(), "process": os.getpid(), "host": socket.gethostname()}))
    except BaseException:
        file.close()
        raise
    return folder, number, file


def now() -> str:
    """Return the time in UTC."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def elapsed_before(folder: Path, number: int) -> float:
    """Return the seconds that the processes with lower numbers had recorded, by their last lines; 0 without any."""
    earlier = [k for k in numbers_in(os.listdir(folder)) if k < number]
    found = (_last_record(folder / file_name(kind, k)) for k in earlier for kind in ("scalars", "tensors"))
    return max((record.get("elapsed", 0.0) for record in found), default=0.0)


def _last_record(path):
    """Return the last record of a file that is intact, in the last bytes of it; an empty one if there is none."""
    with suppress(OSError), open(path, "rb") as file:
        size = file.seek(0, os.SEEK_END)
        count = TAIL
        while True:
            file.seek(max(size - count, 0))
            lines = file.read().split(b"\n")
            record = next((found for line in reversed(lines[:-1]) if (found := from_line(line)) is not None), None)
            if record is not None or count >= size:
                return record or {}
            count *= 16
    return {}  # there is none, or it cannot be read


@contextmanager
def _one_process_at_a_time(folder: Path) -> Iterator[None]:
    """Let one process after the other decide whether it may write to a folder."""
    if fcntl is None:
        yield
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def is_live(path: Path) -> bool:
    """Return whether the process that began a file ``run-….jsonl`` can still write to the run."""
    if fcntl is None:
        return False
    try:
        with open(path, "rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def is_written_elsewhere(folder: Path) -> bool:
    """Return whether another process can still write to a run."""
    for path in folder.glob("run-*.jsonl"):
        if is_live(path):
            with open(path, "rb") as file:
                first = from_line(file.readline().rstrip(b"\n")) or {}
            if (first.get("process"), first.get("host")) != (os.getpid(), socket.gethostname()):
                return True
    return False
