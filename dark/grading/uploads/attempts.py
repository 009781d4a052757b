"""Several attempts of one student: which of them counts."""

from collections import defaultdict
from dataclasses import replace

ATTEMPTS = ("latest", "best")
NO_ATTEMPT = (False, 0)  # the rank of a file that is not an attempt, below all others
EARLIER = "It is an earlier attempt; the latest counts."


def chosen(submissions, attempt="latest"):
    """Mark the attempts that do not count; for "best", which one counts is known when all are graded."""
    if attempt == "best":
        return list(submissions)
    latest = {}
    for each in submissions:
        latest[each.student] = max(_rank(each), latest.get(each.student, NO_ATTEMPT))
    return [each if _rank(each) in (NO_ATTEMPT, latest[each.student]) else _superseded(each) for each in submissions]


def _rank(submission):
    number = submission.owner.attempt if submission.owner else None
    return NO_ATTEMPT if number is None else (not submission.fault, number)


def _superseded(submission):
    return replace(submission, fault=submission.fault or EARLIER, counts=False)


def counting_best(records):
    """Return the rows of a report; attempts do not count if another has more points, or as many and is later."""
    students = defaultdict(list)
    for record in records:
        owner = record.get("owner")
        if owner and owner["attempt"] is not None and record.get("counts"):
            students[owner["system"], owner["id"]].append(record)
    best = [max(rows, key=lambda row: (row["earned"], row["owner"]["attempt"])) for rows in students.values()]
    beaten = {row["name"] for rows in students.values() for row in rows} - {row["name"] for row in best}
    return [record | {"counts": False} if record["name"] in beaten else record for record in records]
