"""The student's progress log (`.dark/progress.jsonl`): checks, hints and predictions with their time, no verdicts."""

import json
import os
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from dark.errors import CourseError


@dataclass(frozen=True)
class Damage:
    """An invalid line of the log."""

    line: int  # counted from 1
    kept: Path  # the file with a copy of the line
    is_new: bool = field(default=True, compare=False)  # whether the copy was written just now

    def __str__(self):
        return f"line {self.line} is damaged and was ignored; a copy is in {self.kept}"


class Log:
    """The progress log of a folder of notebooks; `warn` gets the message of an error, which is then not raised."""

    def __init__(self, folder, clock=lambda: datetime.now(UTC), warn=None):
        self.path = Path(folder) / ".dark" / "progress.jsonl"
        self.clock, self.warn = clock, warn

    def append(self, event, **fields):
        """Append one event: `check`, `hint`, `predict` or `reset`, with its data, and flush it to the disk.

        Without a folder of notebooks, as for a hint before `dark update`, nothing is recorded.
        """
        if not self.path.parent.parent.is_dir():
            return
        time = self.clock().isoformat(timespec="seconds")
        line = json.dumps({"time": time, "event": event, **fields}, default=repr) + "\n"
        try:
            self.path.parent.mkdir(exist_ok=True)
            with open(self.path, "ab+", buffering=0) as file:
                # A writer killed in mid-line must not spoil the line that comes after it.
                start = b"" if _ends_with_newline(file) else b"\n"
                file.write(start + line.encode())
                os.fsync(file.fileno())
        except OSError as error:
            wanted = "a folder with write permission."
            self._fail(f"written ({error.strerror})", wanted, "copy the notebook to another folder")

    def read(self):
        """Read the valid events of the log, in order, and the invalid lines, which are copied, as `Damage`."""
        try:
            lines = self.path.read_bytes().split(b"\n")
        except FileNotFoundError:
            return (), ()
        except OSError as error:
            wanted = "a file with one JSON object in each line."
            self._fail(f"read ({error.strerror})", wanted, "rename it; the next check creates a new one")
            return (), ()
        events, damages = [], []
        for number, line in enumerate(lines, start=1):
            event = _event(line)
            if event is not None:
                events.append(event)
            elif line.strip():
                damages.append(self._keep(number, line))
        return tuple(events), tuple(damages)

    def _fail(self, what, expected, advice):
        failure = CourseError(f"{self.path}: the progress log cannot be {what}.", expected, advice)
        if self.warn is None:
            raise failure
        self.warn(str(failure))

    def _keep(self, number, line):
        """Copy a damaged line to a separate file, once."""
        kept = self.path.with_name(f"{self.path.name}.damaged-{number}")
        try:
            if kept.exists() and kept.read_bytes() == line:
                return Damage(number, kept, is_new=False)
            kept.write_bytes(line)
        except OSError:
            # the folder is read-only: the line is still in the log
            return Damage(number, self.path)
        return Damage(number, kept)


def _ends_with_newline(file):
    """Return whether a binary file is empty or ends with a newline."""
    if file.seek(0, os.SEEK_END) == 0:
        return True
    file.seek(-1, os.SEEK_END)
    return file.read(1) == b"\n"


def _event(line):
    try:
        event = json.loads(line.decode())
    except (ValueError, RecursionError):
        return None
    return event if isinstance(event, dict) and isinstance(event.get("event"), str) else None
