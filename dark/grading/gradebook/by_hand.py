"""The manual marks of a teacher, added to the rows of a report; the records stay as they were graded."""

from collections import defaultdict
from typing import Any

BY_HAND = "by hand"  # the status of a part that no question asks


class ByHand:
    """The marks of a rubric, applied to records; ``who(text)`` returns the id of the student whom a text means."""

    def __init__(self, marks, who=lambda text: text):
        self._marks: defaultdict[str, dict[str, Any]] = defaultdict(dict)
        self._parts, self._texts = {}, defaultdict(list)
        for mark in marks:
            self._marks[mark.student.removeprefix("'")][mark.exercise] = mark
            if mark.of is not None:
                self._parts[mark.exercise] = mark.of
        self._meant = {text: who(text) for text in self._marks}
        for text, student in self._meant.items():
            self._texts[student].append(text)

    def applied(self, record: dict, student: str | None = None, *, is_member: bool = False) -> dict:
        """Return a record with its manual marks, of its owner or of a student by id, and the totals that follow."""
        own = self.own(record, student)
        if is_member:  # others have submitted it, too: marks by the id count before those by the name
            own = self.own(record) | self.own(record | {"name": ""}, student)
        if "exercises" not in record or not (own or self._parts):
            return record
        exercises = [_marked(each, own.get(each["exercise"])) for each in record["exercises"]]
        exercises += [_part(record, name, of, own.get(name)) for name, of in self._parts.items()]
        row = record | {"exercises": exercises, "comment": own[""].comment if "" in own else ""}
        if exercises == record["exercises"]:
            return row
        row |= {key: _plain(max(0, sum(each[key] for each in exercises))) for key in ("earned", "points")}
        row["complete"] = bool(exercises) and all(each["earned"] >= each["points"] for each in exercises)
        if record["exercises"]:
            row["failed"] = ", ".join(filter(None, map(_failed, exercises)))
        return row

    def own(self, record, student=None):
        """Return the marks of a record by exercise; those by its name count before those by the id of a student."""
        found: dict[str, Any] = {}
        for text in (*(self._texts.get(student, ()) if student is not None else _owners(record)), _name(record)):
            if student is not None or self._meant.get(text) in (None, text) or text == _name(record):
                found |= self._marks.get(text, {})
        return found

    def unused(self, records: list[dict], students=lambda record: ()) -> list[str]:
        """Name the marks that belong to no record of a class, or to an exercise that it does not have."""
        known: defaultdict[str, set[str]] = defaultdict(set)
        for record in records:
            texts = [text for student in students(record) for text in self._texts.get(student, ())]
            name = record.get("submission", record["name"]).removeprefix("'")
            for text in (name, *_owners(record), *texts):
                known[text] |= {"", *self._parts, *(each["exercise"] for each in record.get("exercises", ()))}
        return [
            f"{text}: {exercise or 'comment'}"
            for text, marks in self._marks.items()
            for exercise in marks
            if exercise not in known[text]
        ]


def comments_of(record):
    """Return all comments of a teacher on a submission, as one text."""
    said = [record.get("comment", "")]
    for each in record.get("exercises", ()):
        comment = each.get("by_hand", {}).get("comment")
        said += [f"{each['exercise']}: {comment}"] if comment else []
    return " ".join(filter(None, said))


def _name(record):
    return record["name"].removeprefix("'")


def _owners(record):
    """Return the id of the owner of a record, if that is one student."""
    owner = record.get("owner") or {}
    return [owner["id"]] if owner and not owner.get("partners") else []


def _marked(exercise, mark):
    if mark is None:
        return exercise
    if mark.points is None:
        return exercise | {"by_hand": {"tests": None, "comment": mark.comment}}
    return exercise | {"earned": mark.points, "by_hand": {"tests": exercise["earned"], "comment": mark.comment}}


def _part(record, name, of, mark):
    """Return a part that no question asks, in the form of an exercise."""
    return {
        "module": record.get("module"),
        "exercise": name,
        "status": BY_HAND if mark and mark.points is not None else "not yet marked",
        "earned": mark.points if mark and mark.points is not None else 0,
        "points": of,
        "diagnosis": None,
        "next_step": None,
        "next_hint": None,
        "dependencies": [],
        "questions": [],
        "by_hand": {"tests": None, "comment": mark.comment if mark else ""},
    }


def _failed(exercise):
    """Return the entry of the column of failures for an exercise; empty if it has all points."""
    is_marked = exercise["status"] == BY_HAND or exercise.get("by_hand", {}).get("tests") is not None
    if is_marked:
        lacks = exercise["earned"] < exercise["points"]
        return f"{exercise['exercise']} {exercise['earned']}/{exercise['points']} by hand" if lacks else ""
    return "" if exercise["status"] == "right" else f"{exercise['exercise']} {exercise['status']}"


def _plain(number):
    number = round(number, 2)
    return int(number) if number == int(number) else number
