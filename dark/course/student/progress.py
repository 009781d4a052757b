"""The student's log (`.dark/progress.jsonl`): what was tried, hinted and predicted, and when.

One line of JSON an event, only ever appended. The log is a diary, not a certificate: whether an
exercise is right is always found out again from the content of its cell.
"""

import json
import os
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from dark.errors import CourseError

__all__ = ["Damage", "Log", "forgiven"]


@dataclass(frozen=True)
class Damage:
    """A line of the log that cannot be read.

    Parameters
    ----------
    line : int
        Its number, from 1.
    kept : Path
        Where its bytes are kept.
    is_new : bool
        Whether it was kept there just now.
    """

    line: int
    kept: Path
    is_new: bool = field(default=True, compare=False)

    def __str__(self):
        return f"line {self.line} is damaged and was left out; its text is kept in {self.kept}"


class Log:
    """The progress log of one folder of notebooks.

    Parameters
    ----------
    folder : path
        The folder of the student's notebook; the log lies in its `.dark/`.
    clock : callable, optional
        Gives the time of an event, by default now, in UTC.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     log = Log(folder)
    ...     log.append("hint", exercise="slope", number=1)
    ...     events, damages = log.read()
    >>> events[0]["event"], events[0]["exercise"], damages
    ('hint', 'slope', ())
    """

    def __init__(self, folder, clock=lambda: datetime.now(UTC)):
        self.path = Path(folder) / ".dark" / "progress.jsonl"
        self.clock = clock

    def append(self, event, **fields):
        """Write one event and have it on the disk before returning.

        Parameters
        ----------
        event : str
            `check`, `hint`, `predict` or `reset`.
        **fields
            What else belongs to it, as JSON; `exercise` where there is one.

        Raises
        ------
        CourseError
            If the log cannot be written.
        """
        time = self.clock().isoformat(timespec="seconds")
        line = json.dumps({"time": time, "event": event, **fields}, default=repr) + "\n"
        try:
            self.path.parent.mkdir(exist_ok=True)  # and no folder for a notebook that is not there
            with open(self.path, "ab+", buffering=0) as file:
                # A writer killed in mid-line must not spoil the line that comes after it.
                start = b"" if _ends_with_newline(file) else b"\n"
                file.write(start + line.encode())
                os.fsync(file.fileno())
        except OSError as error:
            raise CourseError(
                f"{self.path}: the progress log cannot be written ({error.strerror}).",
                "a folder in which you may write.",
                "copy the notebook into a folder of your own",
            ) from error

    def read(self):
        """Read every line that can be read.

        Returns
        -------
        events : tuple of dict
            In the order in which they were written.
        damages : tuple of Damage
            The lines that were left out. Their bytes are copied to `progress.jsonl.damaged-N`,
            N being the line's number; the log itself is left as it is, so nothing is lost.
        """
        try:
            lines = self.path.read_bytes().split(b"\n")
        except FileNotFoundError:
            return (), ()
        except OSError as error:
            raise CourseError(
                f"{self.path}: the progress log cannot be read ({error.strerror}).",
                "a file of lines of JSON.",
                "move it away; a new one is begun with the next check",
            ) from error
        events, damages = [], []
        for number, line in enumerate(lines, start=1):
            event = _event(line)
            if event is not None:
                events.append(event)
            elif line.strip():
                damages.append(self._keep(number, line))
        return tuple(events), tuple(damages)

    def _keep(self, number, line):
        """Copy a damaged line aside, once."""
        kept = self.path.with_name(f"{self.path.name}.damaged-{number}")
        try:
            if kept.exists() and kept.read_bytes() == line:
                return Damage(number, kept, is_new=False)
            kept.write_bytes(line)
        except OSError:
            # A folder that cannot be written: the line still stands in the log.
            return Damage(number, self.path)
        return Damage(number, kept)


def forgiven(warn, action, *arguments, **fields):
    """Use the log where a log that cannot be used must cost a warning, not the answer.

    Parameters
    ----------
    warn : callable
        Takes the error's text.
    action : callable
        Reads or writes a log; takes the rest.

    Returns
    -------
    object
        What the action gives; None after a warning.

    Examples
    --------
    >>> forgiven(print, Log("/dev/null").append, "hint")
    /dev/null/.dark/progress.jsonl: the progress log cannot be written (Not a directory).
      Expected: a folder in which you may write.
      Try: copy the notebook into a folder of your own
    """
    try:
        return action(*arguments, **fields)
    except CourseError as error:
        warn(str(error))
        return None


def _ends_with_newline(file):
    """Say whether a file, open for reading bytes, is empty or ends a line."""
    if file.seek(0, os.SEEK_END) == 0:
        return True
    file.seek(-1, os.SEEK_END)
    return file.read(1) == b"\n"


def _event(line):
    """Give the event on a line of bytes, or None if there is none."""
    try:
        event = json.loads(line.decode())
    except (ValueError, RecursionError):
        return None
    good = isinstance(event, dict) and isinstance(event.get("event"), str)
    return event if good else None
