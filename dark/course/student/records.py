"""What the log knows of each exercise: how often it was tried, and which hints were asked for."""

import hashlib
from dataclasses import dataclass

__all__ = ["Record", "fingerprint", "records"]


def fingerprint(source):
    """Give the short hash by which the log tells one source from another.

    Examples
    --------
    >>> fingerprint("x = 1") == fingerprint("x = 1\\n")
    True
    """
    return hashlib.sha256(source.strip().encode()).hexdigest()[:12]


@dataclass
class Record:
    """What the log knows of one exercise: tries of different answers, and the hints asked for."""

    attempts: int = 0
    hints: tuple = ()
    last_source: str | None = None

    @property
    def hints_used(self):
        """The highest hint asked for, 0 if none."""
        return max(self.hints, default=0)


def records(events):
    """Sum up the events of each exercise.

    Checking the same source again is no new attempt, and neither is checking an empty stub.

    Parameters
    ----------
    events : iterable of dict
        As `Log.read` gives them.

    Returns
    -------
    dict of str to Record

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
