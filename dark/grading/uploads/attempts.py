"""Several attempts of a student: which of them counts."""

from collections import defaultdict
from dataclasses import replace

ATTEMPTS = ("latest", "best")
NO_ATTEMPT = (False, 0)  # the rank of a file that is not an attempt, below all others
EARLIER = "It is an earlier attempt; the latest counts."


def chosen(submissions, attempt="latest"):
    """Mark the attempts that do not count; of "best" ones, that is known when all are graded."""
    if attempt == "best":
        return list(submissions)
    latest: dict[str, tuple[bool, int]] = {}
    for each in submissions:
        for student in each.students:
            latest[student] = max(_rank(each), latest.get(student, NO_ATTEMPT))
    return [_counting(each, latest) for each in submissions]


def _counting(submission, latest):
    rank = _rank(submission)
    is_latest = [latest[student] == rank for student in submission.students]
    if rank == NO_ATTEMPT or all(is_latest):
        return submission
    if not any(is_latest):
        return replace(submission, fault=submission.fault or EARLIER, counts=False)
    first, *others = [each for each, counts in zip(submission.owner.everyone, is_latest, strict=True) if counts]
    return replace(submission, owner=replace(first, partners=tuple(others)))


def _rank(submission):
    number = submission.owner.attempt if submission.owner else None
    return NO_ATTEMPT if number is None else (not submission.fault, number)


def counting_best(records: list[dict], marked=lambda record, student: record) -> list[dict]:
    """Return the rows of a report, for each who has submitted a record; only the best attempt counts."""
    rows = [row for record in records for row in _rows(record, marked)]
    students = defaultdict(list)
    for number, row in enumerate(rows):
        owner = row.get("owner")
        if owner and owner["attempt"] is not None and row.get("counts") and not row.get("doubt"):
            students[owner["system"], owner["id"]].append(number)
    best = {max(own, key=lambda k: (rows[k]["earned"], rows[k]["owner"]["attempt"])) for own in students.values()}
    beaten = {number for own in students.values() for number in own} - best
    return [row | {"counts": False} if number in beaten else row for number, row in enumerate(rows)]


def _rows(record, marked):
    """Return a row for each who has submitted a record; of several, each has a name of its own."""
    if doubt := record.get("doubt"):
        record = record | {"failed": " ".join(filter(None, [doubt, record["failed"]]))}
    if not (partners := (record.get("owner") or {}).get("partners")):
        return [marked(record, None)]
    people = [{**record["owner"], "partners": []}, *partners]
    own = {"group": ", ".join(each["name"] for each in people), "submission": record["name"]}
    return [marked(record, each["id"]) | {"owner": each, "name": each["name"]} | own for each in people]
