"""Attempts and hints of each exercise: a check writes them to the log, and sums are read from it."""

import hashlib
from collections import defaultdict
from dataclasses import dataclass, field

from dark.course.judging.verdict import NOT_ATTEMPTED


def fingerprint(source):
    """Return the short hash that identifies a source in the log."""
    return hashlib.sha256(source.strip().encode()).hexdigest()[:12]


@dataclass
class Record:
    """The record of an exercise: the number of different answers checked, and the numbers of the hints shown."""

    attempts: int = 0
    hints: set = field(default_factory=set)
    last_source: str | None = None


def record_check(log, verdict, source):
    """Record a check of an answer in the log; a stub does not count as an attempt."""
    if verdict.status != NOT_ATTEMPTED:
        facts = {"status": verdict.status, "earned": verdict.earned, "points": verdict.points}
        log.append("check", exercise=verdict.exercise, source=fingerprint(source), **facts)


def records(events):
    """Sum up the events of each exercise; neither the same source again nor an empty stub is a new attempt."""
    result: defaultdict[str, Record] = defaultdict(Record)
    for event in events:
        exercise = event.get("exercise")
        if not isinstance(exercise, str):
            continue
        record = result[exercise]
        if event["event"] == "check" and event.get("status") != NOT_ATTEMPTED:
            source = event.get("source")
            record.attempts += source != record.last_source
            record.last_source = source
        elif event["event"] == "hint" and isinstance(event.get("number"), int):
            record.hints.add(event["number"])
    return result
