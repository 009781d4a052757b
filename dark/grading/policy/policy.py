"""The policy applied to the rows of a report: whose each is, which attempt counts, and the mark after lateness.

A row of results.json keeps its raw points, and has further columns:

::

    student            id, name and the other columns of the roster; null if the student is not on the roster
    group              the group that has submitted it, or null
    submitted          when, and `submitted_from`, where that is known from: times, name or file
    deadline           of this student, with extension
    late_days          begun days after the deadline
    late_days_used     free days among them
    penalty            points that lateness costs
    final              the mark, or null
    note               why a row does not count, or has no mark
"""

import json
from collections import defaultdict
from datetime import UTC, datetime

from dark.course.judging.verdict import NOT_ATTEMPTED
from dark.errors import UsageError
from dark.grading.policy.class_owners import Owners
from dark.grading.policy.late import Charge, charge, count_late_days, final_mark
from dark.grading.policy.times import SubmissionTimes

MISSING = "missing"  # the status of a student without a submission
EARLIER = "another attempt counts"
NOT_DUE = "not due yet"
UNKNOWN_TIME = "time of submission unknown"


class Policy:
    """The policy of a course, for one class of submissions; without a module, each notebook names its own."""

    def __init__(self, course, submissions, folder, module=None, now=None):
        self.course, self._module, self._now = course, module, now or datetime.now(UTC)
        self._submissions = {each.name: each for each in submissions}
        self._times = SubmissionTimes(course, folder, submissions)
        self.owners = Owners(course, submissions)
        spent = [row for path in course.earlier_reports for row in _read_spent(path)]
        self._spent = [(self._now_called(number), *row) for number, *row in spent]

    def _now_called(self, number):
        """Return the id on the roster of a student of an earlier report, which may have had other leading zeros."""
        found = self.course.roster and self.course.roster.find([("id", number)])
        return found.id if found else number

    def unknown(self):
        """Name the submissions whose student is not known, as `Owners.lines`."""
        return self.owners.lines()

    def rows(self, records: list[dict], marked=lambda record, student: record) -> list[dict]:
        """Add the columns of the policy, rows for each member of a group, and for students without a submission."""
        named = {row["module"] for row in records if row.get("module")}
        module = self._module or (named.pop() if len(named) == 1 else None)
        rows, attempts = [], defaultdict(list)
        for record in sorted(records, key=lambda row: row["name"]):
            found = record.get("module") or module
            owners = self.owners.of(record["name"], found)
            if not owners:
                unknown = self.owners.describe_unknown(record["name"])
                rows.append(marked(record, None) | _columns(None, note=f"{unknown[0].lower()}{unknown[1:]}"))
            for student, group in owners:
                attempts[student.id, found].append((student, group, marked(record, student.id)))
        rows += self._counted(attempts)
        given = [row for row in records if row.get("module")]
        rows += [_by_hand(row, given, marked) for row in self._missing(attempts, given, module)]
        return sorted(rows, key=lambda row: (row["name"], (row["student"] or {}).get("id", "")))

    def _counted(self, attempts):
        """Return the rows of all attempts; free days are used in the order of the deadlines."""
        spent, rows = self._spent_before({module for _, module in attempts}), []
        for student, module in sorted(attempts, key=lambda key: (self._order(key[1]), key[0])):
            left = max(0, self.course.late_for("").free_days - spent[student])
            tried = [self._charged(each, module, left) for each in attempts[student, module]]
            counting = self._best_of(tried, module)
            for number, (row, _) in enumerate(tried):
                if number not in counting:
                    row |= {"counts": False, "late_days_used": 0, "penalty": 0, "final": None, "note": EARLIER}
                spent[student] += row["late_days_used"]
                rows.append(row)
        return rows

    def _order(self, module):
        until = self.course.deadlines.get(module)
        return (until is None, until.timestamp() if until else 0, module or "")

    def _charged(self, attempt, module, left):
        """Return the row of an attempt as if it counted, and the value by which attempts are compared."""
        student, group, record = attempt
        submitted, source = self._times.of(self._submissions[record["name"]], student.id, module)
        until = self.course.deadline_for(student.id, module)
        rules = self.course.late_for(module)
        days = count_late_days(submitted, until, rules.grace_minutes) if until and submitted else 0
        cost = charge(rules, days, left) if days else Charge()
        has_mark = bool(record.get("points"))
        final = final_mark(record["earned"], cost.percent) if has_mark else None
        note = f"more than {rules.max_days} days late" if cost.is_closed else ""
        note = UNKNOWN_TIME if until and not submitted else note
        row = record | _columns(student.entry, group, submitted, source, until, note=note)
        if has_mark:
            penalty = round(record["earned"] - final, 2)
            row |= {"late_days": days, "late_days_used": cost.used, "final": final}
            row["penalty"] = int(penalty) if penalty == int(penalty) else penalty
        owner = record.get("owner") or {}
        moment = submitted.timestamp() if submitted else 0
        return row, (moment, owner.get("attempt") or 0, record["name"])

    def _best_of(self, tried, module):
        """Return the indices of the attempts that count: one, or all that name no module."""
        if module is None:
            return set(range(len(tried)))
        marked = [number for number, (row, _) in enumerate(tried) if row["final"] is not None]

        def best(number):  # of equal marks, the earliest
            row, (moment, attempt, name) = tried[number]
            return -row["final"], -row["earned"], moment, attempt, name

        if marked and self.course.attempt_for(module) == "best":
            return {min(marked, key=best)}
        return {max(marked or range(len(tried)), key=lambda number: tried[number][1])}

    def _spent_before(self, modules):
        """Return the free days that each student has used in earlier reports, for other modules."""
        spent: defaultdict[str, int] = defaultdict(int)
        for student, module, used in {row[:2]: row for row in self._spent}.values():
            if module not in modules:
                spent[student] += used
        return spent

    def _missing(self, attempts, rows, module):
        """Return a row for each student of the roster and module without a submission."""
        if self.course.roster is None:
            return []
        modules = sorted({module} if module else {row["module"] for row in rows})
        without_module = {student for student, name in attempts if name is None}
        missing = []
        for name in modules:
            for student in self.course.roster.students:
                if (student.id, name) in attempts or student.id in without_module:
                    continue
                until, group = self.course.deadline_for(student.id, name), self.course.group_of(student.id, name)
                row = {
                    "name": student.shown, "file": "", "owner": None, "counts": True, "status": MISSING,
                    "message": "Nothing was submitted.", "module": name, "earned": 0, "points": 0,
                    "failed": "nothing submitted", "elapsed_seconds": 0.0, "exercises": [],
                }  # fmt: skip
                is_due = until is None or until < self._now
                columns = _columns(student.entry, group and group.name, until=until, note="" if is_due else NOT_DUE)
                missing.append(row | columns | {"final": self.course.missing_mark if is_due else None})
        return missing


def _by_hand(row, records, marked):
    """Return the row of a student without a submission, with marks that the student has all the same."""
    exercises = next((each["exercises"] for each in records if each["module"] == row["module"]), ())
    unanswered = dict.fromkeys(("diagnosis", "next_step", "next_hint")) | {"questions": [], "hidden": []}
    blank = [each | {"status": NOT_ATTEMPTED, "earned": 0, "dependencies": []} | unanswered for each in exercises]
    total = sum(each["points"] for each in blank)
    base = row | {"name": "", "exercises": blank, "points": total}  # marks by a name belong to a submission
    own, none = (marked(base, number) for number in (row["student"]["id"], ""))
    if own == none:
        return row
    given = [each for each in own["exercises"] if each not in none["exercises"] and _has_points(each)]
    keys = ("comment", "exercises", "points", "earned", "failed") if given else ("comment",)
    return row | {key: own[key] for key in keys} | ({"final": own["earned"], "note": ""} if given else {})


def _has_points(exercise):
    is_marked = exercise.get("by_hand", {}).get("tests") is not None
    return is_marked or exercise["status"] not in (NOT_ATTEMPTED, "not yet marked")


def _columns(student, group=None, submitted=None, source="", until=None, *, note=""):
    return {
        "student": student,
        "group": group,
        "submitted": submitted and _written(submitted, until),
        "submitted_from": source,
        "deadline": until and until.isoformat(),
        "late_days": 0,
        "late_days_used": 0,
        "penalty": 0,
        "final": None,
        "note": note,
    }


def _written(moment, until):
    return (moment.astimezone(until.tzinfo) if until else moment).isoformat(timespec="seconds")


def _read_spent(folder):
    path = folder / "results.json"
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))["submissions"]
        counting = [row for row in rows if row.get("counts", True) and row.get("student")]
        return [(row["student"]["id"], row["module"], int(row["late_days_used"])) for row in counting]
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        what = f"{path}: the free days used in this report cannot be read ({type(error).__name__})."
        expected = "the report of an earlier `dark grade --course`."
        raise UsageError(what, expected, "correct the folder in earlier_reports, in [late] of course.toml") from error
