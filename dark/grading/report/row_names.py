"""The name of a student in tables: as on the roster, or the names of all who have submitted together."""

from collections import defaultdict
from dataclasses import replace


class Students:
    """The students of records, as far as it is known whose they are; without owners, a record belongs to its owner."""

    def __init__(self, owners=None):
        self._owners = owners
        self.have_roster = owners is not None and owners.course.roster is not None

    def who(self, text):
        """Return the id of the student whom a string means, or None."""
        return self._owners.who(text) if self._owners else text

    def of(self, record):
        """Return the students of a record: the name of each by id."""
        found = self._owners.of(record["name"], record.get("module")) if self._owners else ()
        return {student.id: self._owners.label(student) for student, _ in found}

    def of_row(self, row):
        """Return the ids of the students of a row: the one that it names, or all of its record."""
        student = row.get("student")
        return [student["id"]] if student else list(self.of(row | {"name": row["submission"]}))

    def alone(self, record):
        """Return the id of the student who alone has submitted a record, or None."""
        found = list(self.of(record))
        return found[0] if len(found) == 1 else None

    def marked(self, by_hand, record, student=None):
        """Return a record with the manual marks of a student, or of the one who alone has submitted it."""
        alone = self.alone(record)
        is_member = student is not None and alone is None
        return by_hand.applied(record, alone if student is None else student, is_member=is_member)

    def titled(self, by_hand, record):
        """Return a record as its page shows it: with its marks, and the names of its students."""
        return self.marked(by_hand, record) | {"name": self.shown(record), "submission": record["name"]}

    def shown(self, record):
        """Return the names of the students of a record on the roster, or of several; else its own."""
        found = self.of(record)
        return ", ".join(found.values()) if found and (self.have_roster or len(found) > 1) else record["name"]


def with_names(rows: list[dict], have_roster: bool = True) -> list[dict]:
    """Return rows under the names of their students, equal ones with the id; "submission" is the name before."""
    labels, ids = [_label(row, have_roster) for row in rows], defaultdict(set)
    for name, number in labels:
        ids[name].add(number)
    found = []
    for row, (name, number) in zip(rows, labels, strict=True):
        shown = f"{name} ({number})" if len(ids[name]) > 1 and number is not None else name
        found.append({"name": shown, "submission": row["name"]} | {k: v for k, v in row.items() if k != "name"})
    return sorted(found, key=lambda row: (row["name"], (row.get("student") or {}).get("id", "")))


def _label(row, have_roster):
    student = row.get("student")
    if student and (have_roster or row.get("group")):
        return student["name"].strip() or student["id"], student["id"]
    return row["name"], row["owner"]["id"] if row.get("group") and not student else None


def for_rubric(records: list[dict], rows: list[dict], by_hand, students: Students):
    """Return entries for manual marks, of each record, each of several students and each missing one; and the marks."""
    entries, marks = {}, []
    for record in records:
        people, shown = students.of(record), students.shown(record)
        single = {record["name"]: (students.alone(record), shown)}
        several = {each: (each, f"{name}, of {shown}") for each, name in people.items()} if len(people) > 1 else {}
        for key, (student, label) in (single | several).items():
            if key not in entries:
                named = record | {"name": key}
                entries[key] = by_hand.applied(named, student) | {"shown": label}
                marks += [replace(mark, student=key) for mark in by_hand.own(named, student).values()]
    for row in rows:
        key = row["student"]["id"] if row["status"] == "missing" else None
        if key is not None and key not in entries:
            entries[key] = row | {"name": key, "shown": row["name"]}
            marks += [replace(mark, student=key) for mark in by_hand.own(row | {"name": ""}, key).values()]
    return sorted(entries.values(), key=lambda entry: entry["shown"]), marks
