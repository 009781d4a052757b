"""The result of a submission as plain data."""

from dataclasses import asdict
from datetime import UTC, datetime

from dark.course.cards.verdict_card import Report, hidden_data, verdict_data
from dark.course.exams.shortening import cut
from dark.course.judging.verdict import NOT_ATTEMPTED, RIGHT, for_student
from dark.grading.grader.result import GRADED, NOT_JUDGED, failures, is_complete

MOST_NAME = 300  # characters of the name of a file
MOST_MESSAGE = 500  # characters of the reason why a submission is not graded


def record_of(submission, graded) -> dict:
    """Convert the result of a submission to plain data; only teachers may see its entry "hidden"."""
    result = graded.result
    return {
        "name": submission.name,
        "file": cut(submission.file.encode("utf-8", "backslashreplace").decode(), MOST_NAME),
        **whose(submission),
        "digest": graded.digest,
        "page": f"pages/{submission.slug}.html",
        "status": result.status,
        "message": cut(result.message, MOST_MESSAGE),
        "module": result.module,
        "earned": result.earned,
        "points": result.points,
        "complete": is_complete(result),
        "failed": cut(failures(result), MOST_MESSAGE) if result.status != GRADED else failures(result),
        "seed": graded.seed,
        "elapsed_seconds": round(graded.elapsed_seconds, 3),
        "exercises": [verdict_data(verdict) for verdict in result.verdicts],
        "hidden": [each for verdict in result.verdicts for each in hidden_data(verdict)],
        "together": result.together,
        "notes": [cut(note) for note in result.notes],
    }


def whose(submission):
    """Return the entries of a record about its students, which other files and a changed course may change."""
    entries = {"owner": submission.owner and asdict(submission.owner), "counts": submission.counts}
    return entries | ({"doubt": submission.doubt} if submission.doubt else {})


def regraded(before: dict, again: dict) -> dict:
    """Return a record in which some exercises were graded again, listed with the hash of this course."""
    if again["status"] != GRADED:
        return again
    fresh = {each["exercise"]: each for each in again["exercises"]}
    exercises = [fresh.pop(each["exercise"], each) for each in before["exercises"]]
    names = {each["exercise"] for each in again["exercises"]}
    hidden = [each for each in before.get("hidden", ()) if each["exercise"] not in names]
    total = {"exercises": [*exercises, *fresh.values()], "together": before["together"] | again["together"]}
    now = {name: again[name] for name in ("key", "settings", "owner", "counts")}
    known = before.get("regraded", ()) if before["key"] == again["key"] else ()
    now |= {"hidden": hidden + again["hidden"], "regraded": sorted({*known, *names})}
    return summed({name: value for name, value in before.items() if name != "flaky"} | now | total)


def compared(record: dict, again: dict) -> dict:
    """Return a record with its entry "flaky": the exercises with other points in a second run by the same course."""
    if again["key"] != record["key"]:
        return record
    second = {each["exercise"]: each for each in again["exercises"]}
    pairs = [(each, second[each["exercise"]]) for each in record["exercises"] if each["exercise"] in second]
    found = [
        {"exercise": one["exercise"], "first": mark_of(one), "second": mark_of(other)}
        for one, other in pairs
        if differ(one, other)
    ]
    return record | {"flaky": found}


def summed(record):
    """Return a record whose totals are the sums over its exercises."""
    exercises = record["exercises"]
    statuses = {each["status"] for each in exercises}
    failed = [f"{each['exercise']} {each['status']}" for each in exercises if each["status"] != RIGHT]
    return record | {
        "earned": sum(each["earned"] for each in exercises),
        "points": sum(each["points"] for each in exercises),
        "complete": bool(exercises) and statuses == {RIGHT},
        "failed": "nothing attempted" if statuses == {NOT_ATTEMPTED} else ", ".join(failed),
    }


def reports_of(result):
    """Return the feedback on each exercise, as HTML, by name of the exercise."""
    return {verdict.exercise: Report.of(for_student(verdict)).html for verdict in result.verdicts}


def changes_between(before: dict | None, after: dict, reason: str) -> list[dict]:
    """Return the changes of a record in the marks of an earlier one, for the history.

    There is one for each exercise whose points differ; none if one of the two was not graded.

    >>> wrong = {"name": "ann", "exercises": [{"exercise": "slope", "status": "wrong", "earned": 0}]}
    >>> right = {"name": "ann", "exercises": [{"exercise": "slope", "status": "right", "earned": 2}]}
    >>> changes_between(wrong, right, "graded again")[0]["after"]
    {'status': 'right', 'earned': 2}
    """
    earlier = {each["exercise"]: each for each in before["exercises"]} if before else {}
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return [
        {
            "name": after["name"],
            "exercise": each["exercise"],
            "before": mark_of(earlier[each["exercise"]]),
            "after": mark_of(each),
            "reason": reason,
            "at": now,
        }
        for each in after["exercises"]
        if each["exercise"] in earlier and differ(earlier[each["exercise"]], each)
    ]


def mark_of(exercise):
    """Return the status and the points of an exercise."""
    return {"status": exercise["status"], "earned": exercise["earned"]}


def differ(one, other):
    """Return whether the points differ, and neither is a failure of the judge."""
    return one["earned"] != other["earned"] and NOT_JUDGED not in (one["status"], other["status"])
