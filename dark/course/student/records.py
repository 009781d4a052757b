"""Attempts and hints of each exercise, summed up from the log."""

import hashlib
from dataclasses import dataclass

__all__ = ["Record", "fingerprint", "records"]


def fingerprint(source):
    """Return the short hash that identifies a source in the log.

    Examples
    --------
    >>> fingerprint("x = 1") == fingerprint("x = 1\\n")
    True
    """
    return hashlib.sha256(source.strip().encode()).hexdigest()[:12]


@dataclass
class Record:
    """The record of one exercise: the number of different answers checked, and the hints shown."""

    attempts: int = 0
    hints: tuple = ()
    last_source: str | None = None

    @property
    def hints_used(self):
        """The highest hint shown, 0 if no hint was shown."""
        return max(self.hints, default=0)


def records(events):
    """Sum up the events of each exercise.

    Checking the same source again is not a new attempt, nor is checking an empty stub.

    Examples
    --------
    >>> tried = {"event": "check", "exercise": "slope", "source": "a1", "status": "wrong"}
    >>> records([tried, tried])["slope"].attempts
    1
    """
    result = {}
    for event in events:
        exercise = event.get("exercise")
        if not isinstance(exercise, str):
            continue
        record = result.setdefault(exercise, Record())
        if event["event"] == "check" and event.get("status") != "not attempted":
            source = event.get("source")
            record.attempts += source != record.last_source
            record.last_source = source
        elif event["event"] == "hint" and isinstance(event.get("number"), int):
            record.hints += (event["number"],)
    return result
