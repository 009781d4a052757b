"""`dark grade` with earlier results: regrade exercises, add manual marks, list changes, flaky and similar answers."""

import sys
from collections.abc import Callable, Iterable
from functools import cached_property, partial
from pathlib import Path

from dark.cli.progress_line import ProgressLine
from dark.errors import UsageError, near_misses
from dark.grading.batch.preflight import modules_of, read_assignment
from dark.grading.gradebook.rubric import Mark, check_names, read_rubric
from dark.grading.grader.grade import Assignment
from dark.grading.policy import Owners
from dark.grading.policy.students import several
from dark.grading.report.grade_table import printable
from dark.grading.similarity import compare_class
from dark.grading.uploads import Submission

SIMILAR = "teacher/similar.html"


class Exercises:
    """The exercises and questions of a module, by default of all that the submissions name; read when first needed."""

    def __init__(self, load: Callable[[str], Assignment], module: str | None, submissions: list[Submission]):
        self._load, self._module, self._submissions = load, module, submissions

    @cached_property
    def assignments(self) -> list[Assignment]:
        """The assignments."""
        modules = [self._module] if self._module else modules_of(self._submissions)
        return [read_assignment(name, partial(self._load, name)) for name in modules]

    def names(self):
        """Return the names of all exercises."""
        return [name for each in self.assignments for name in each.module.exercises]

    def touched(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return the exercises that some questions or exercises touch."""
        known = {name: name for name in self.names()}
        for each in self.assignments:
            for question in each.exam.questions.values():
                known.setdefault(question.name, question.exercise)
        for name in names:
            if name not in known:
                raise UsageError(
                    f"--regrade {name}: there is no such question or exercise.",
                    "the name of a question or an exercise of what is graded; several with commas.",
                    near_misses(name, known),
                )
        return tuple(dict.fromkeys(known[name] for name in names))


def read_marks(path: Path, submissions: list[Submission], exercises: Exercises, owners: Owners) -> tuple[Mark, ...]:
    """Read a rubric, and refuse one for students or exercises that do not exist."""
    marks = read_rubric(path)
    known = {each.name for each in submissions}
    meant = {mark.student: owners.meant(mark.student.removeprefix("'")) for mark in marks}
    _check_meant(path, [mark for mark in marks if mark.student not in known], meant)
    texts = {each.owner.id for each in submissions if each.owner} | {text for text, found in meant.items() if found}
    texts |= {text for each in owners.students for text in (each.id, each.name, *each.ids.values()) if text}
    check_names(path, marks, known | texts, exercises.names())
    return marks


def _check_meant(path, marks, meant):
    """Refuse marks for a string that means several students, and two marks for one student under two names."""
    seen: dict[tuple[str, str], str] = {}
    for mark in marks:
        text, students = mark.student, meant[mark.student]
        if len(students) > 1:
            what = f"{path}: {text!r} is ambiguous; {several(students)}."
            raise UsageError(what, "a value that only one student has.", f"the id, such as {students[0].id}")
        for student in students:
            first = seen.setdefault((student.id, mark.exercise), text)
            if first != text:
                what = f"{path}: {first!r} and {text!r} are both {student}, and both have a mark"
                what += f" for {mark.exercise!r}." if mark.exercise else " without an exercise."
                raise UsageError(what, "one mark for each student and exercise.", "join the two")


def changes_text(changes: list[dict], graded: int) -> str:
    """Format the changes of a run, as in the history of results.json, in which some submissions were graded again.

    >>> wrong, right = {"status": "wrong", "earned": 0}, {"status": "right", "earned": 2}
    >>> print(changes_text([{"name": "ann", "exercise": "add", "before": wrong, "after": right}], 3))
    3 graded again, 1 mark has changed:
    name  exercise  before    after
    ann   add       0, wrong  2, right
    """
    if not changes:
        return f"{graded} graded again, no mark has changed."
    rows = [("name", "exercise", "before", "after")]
    for each in changes:
        marks = [f"{each[when]['earned']}, {each[when]['status']}" for when in ("before", "after")]
        rows.append((printable(each["name"]), each["exercise"], *marks))
    widths = [max(len(row[k]) for row in rows) for k in range(4)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    count = f"{len(changes)} marks have" if len(changes) > 1 else "1 mark has"
    return "\n".join([f"{graded} graded again, {count} changed:", *lines])


def flaky_text(records):
    """Format the answers whose points differ between two runs, and the ones that cannot be compared.

    >>> second = {"exercise": "add", "first": {"earned": 2}, "second": {"earned": 0}}
    >>> print(flaky_text([{"name": "ann", "flaky": [second]}, {"name": "bob", "flaky": []}]))
    2 compared in two runs, 1 answer is flaky; the points of the first run count:
    ! ann: add, 2 and 0 points
    """
    lines = [
        f"! {printable(record['name'])}: {each['exercise']}, {each['first']['earned']} and {each['second']['earned']} "
        "points"
        for record in records
        for each in record.get("flaky", ())
    ]
    compared = sum("flaky" in record for record in records)
    if not lines:
        return f"{compared} compared in two runs, no answer is flaky."
    count = f"{len(lines)} answers are" if len(lines) > 1 else "1 answer is"
    return "\n".join([f"{compared} compared in two runs, {count} flaky; the points of the first run count:", *lines])


def list_similar(gradebook, submissions, rows, say):
    """Compare the answers of a class, write the page, and say where it is; a run after Ctrl-C continues."""
    graded = {row["name"] for row in rows if row.get("counts", True) and row.get("module")}
    progress = ProgressLine(sum(each.name in graded for each in submissions), done="read, to find similar answers")
    results = gradebook.heading | {"submissions": rows}
    try:
        page = compare_class(submissions, results, gradebook.store, progress.show)
    except KeyboardInterrupt:
        progress.hide()
        print("\nThe answers are not compared; all grades and exports are written.", file=sys.stderr)
        raise
    progress.hide()
    gradebook.add_page(SIMILAR, "Similar answers", page)
    say(gradebook.folder / SIMILAR)
