"""Tests of runs in any order: graded, killed, regraded, marked manually, the tables are the same as after one run."""

import json
import shutil
import tempfile
import time
from contextlib import closing, suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dark.course.judging.verdict import RIGHT, WRONG, Verdict
from dark.grading.batch import folder as filling
from dark.grading.batch.folder import check_flaky, grade_folder
from dark.grading.gradebook.rubric import Mark
from dark.grading.grader.grade import Graded, Settings, digest_of
from dark.grading.grader.result import GRADED, NOT_A_NOTEBOOK, Result
from dark.grading.report import gradebook
from dark.grading.report.gradebook import Gradebook
from dark.grading.uploads import Submission

NAMES = ("ann", "=bob", "cy")
EXERCISES = ("double", "square")
TABLES = ("results.json", "grades.csv", "index.html", "teacher/rubric.html")


class Course:
    """A folder of submissions, a report on them, and what stands for the graders: the points are in the files."""

    def __init__(self, root, monkeypatch):
        self.root, self.version, self.bonus, self.marks = root, 1, 0, ()
        self.until = None  # kill the batch after this many
        (root / "in").mkdir(parents=True)
        for name in NAMES:
            self.hand_in(name, 1)
        monkeypatch.setattr(filling, "grade_all", self._grade_all)
        monkeypatch.setattr(gradebook, "course_fingerprint", lambda: str(self.version))

    def hand_in(self, name, points):
        (self.root / "in" / f"{name}.txt").write_text(f"{name} {points}")

    def _grade_all(self, submissions, *, settings, started, **_):
        for number, submission in enumerate(submissions):
            started(submission)
            if number == self.until:
                shutil.copytree(self.root / "out", self.root / "killed")
                raise KeyboardInterrupt
            yield submission, self._graded(submission, settings.only)

    def _graded(self, submission, only):
        content = submission.read()
        points = int(content.split()[1])
        if points == 9:
            return Graded(Result(NOT_A_NOTEBOOK, "It is not a notebook."), digest_of(content))
        points += self.bonus
        verdicts = tuple(
            Verdict("77", name, RIGHT if points >= 2 else WRONG, (), min(points, 2), 2)
            for name in EXERCISES
            if not only or name in only
        )
        return Graded(Result(GRADED, "", "77", verdicts), digest_of(content), 0.0, 0)

    def open(self, out="out"):
        return Gradebook(self.root / out, Settings(), "1", "77")

    def run(self, *, out="out", kill=None, twice=False, **options):
        """Grade; where `kill` says, the report is left as a kill leaves it."""
        self.until = kill
        submissions = [Submission(name, self.root / "in" / f"{name}.txt") for name in NAMES]
        book = self.open(out)
        book.set_rubric(self.marks)
        with suppress(KeyboardInterrupt):
            records = [record for record, _ in grade_folder(book, submissions, Settings(), **options)]
            if twice:
                list(check_flaky(book, submissions, records, Settings()))
        book.close()
        self.until = None
        if (self.root / "killed").exists():
            shutil.rmtree(self.root / "out")
            (self.root / "killed").rename(self.root / "out")
        return book

    def tables(self, out="out"):
        """Return all that a report shows, without times, the history and entries that only a second run makes."""
        shown = {name: (self.root / out / name).read_text() for name in TABLES}
        shown |= {path.name: path.read_text() for path in (self.root / out / "pages").iterdir()}
        found = json.loads(shown["results.json"])
        for name in ("elapsed_seconds", "history"):
            del found[name]
        for row in found["submissions"]:
            row.pop("flaky", None)
        return shown | {"results.json": found}


@pytest.fixture
def course(tmp_path, monkeypatch):
    return Course(tmp_path, monkeypatch)


STEPS = st.one_of(
    st.tuples(st.just("run"), st.none() | st.integers(0, 2)),
    st.tuples(st.just("twice"), st.none() | st.integers(0, 2)),
    st.tuples(st.just("fresh"), st.none() | st.integers(0, 2)),
    st.tuples(st.just("hand in"), st.tuples(st.sampled_from(NAMES), st.sampled_from([0, 1, 2, 9]))),
    st.tuples(st.just("mark"), st.tuples(st.sampled_from(NAMES), st.integers(0, 2))),
    st.tuples(st.just("new course"), st.integers(0, 1)),
)


def do(course, step, value):
    if step in ("run", "twice", "fresh"):
        course.run(kill=value, twice=step == "twice", fresh=step == "fresh")
    elif step == "hand in":
        course.hand_in(*value)
    elif step == "mark":
        name, points = value
        course.marks = (Mark(name, "square", points, comment="By hand."), Mark(name, "report", points, 2))
    else:
        course.version, course.bonus = course.version + 1, value


def check_any_order(steps):
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        course = Course(Path(folder, "course"), patch)
        for step, value in steps:
            do(course, step, value)
        course.run()
        course.run(out="once")
        assert course.tables() == course.tables("once")


def test_a_run_that_is_killed_and_marks_by_hand_end_in_the_tables_of_one_run():
    check_any_order(
        [("run", 1), ("mark", ("=bob", 2)), ("hand in", ("ann", 2)), ("twice", 2), ("new course", 1), ("fresh", 0)]
    )


@pytest.mark.long
@settings(max_examples=40)
@given(st.lists(STEPS, max_size=8))
def test_any_order_of_runs_kills_and_marks_ends_in_the_tables_of_one_run(steps):
    check_any_order(steps)


def test_a_regrade_changes_its_exercise_only_and_says_what(course):
    course.run()
    course.version, course.bonus = 2, 1
    book = course.run(only=("square",))
    found = course.tables()["results.json"]["submissions"]
    assert [[each["earned"] for each in row["exercises"]] for row in found] == [[1, 2]] * 3
    assert [(row["earned"], row["failed"]) for row in found] == [(3, "double wrong")] * 3
    assert [(each["name"], each["exercise"], each["reason"]) for each in book.changes] == [
        (name, "square", "--regrade square") for name in NAMES
    ]
    history = json.loads((course.root / "out" / "results.json").read_text())["history"]
    assert history == book.changes
    assert {"status": "wrong", "earned": 1} == history[0]["before"] != history[0]["after"]
    course.run()
    assert course.tables()["results.json"]["submissions"] == found  # kept, until --fresh


def test_a_regrade_that_is_killed_does_only_the_rest_when_it_is_repeated(course):
    course.run()
    course.version, course.bonus = 2, 1
    course.run(only=("square",), kill=2)
    book = course.run(only=("square",))
    assert [each["name"] for each in book.changes] == ["cy"]
    assert course.run(only=("square",)).changes == []
    course.bonus = 0
    assert len(course.run(only=("square",), fresh=True).changes) == 3


def test_a_regrade_grades_wholly_what_has_changed_or_was_never_graded(course):
    course.run(kill=2)
    course.version, course.bonus = 2, 1
    course.hand_in("=bob", 0)
    course.run(only=("square",))
    found = course.tables()["results.json"]["submissions"]
    assert {row["name"]: row["earned"] for row in found} == {"ann": 3, "=bob": 2, "cy": 4}


def test_a_flaky_answer_is_listed_and_keeps_the_points_of_the_first_run(course):
    course.run(twice=True)
    rows = json.loads((course.root / "out" / "results.json").read_text())["submissions"]
    assert [row["flaky"] for row in rows] == [[]] * 3
    course.run(fresh=True)
    course.bonus = 1  # as if the answers depended on the moment
    course.run(twice=True)
    first, second = {"status": "wrong", "earned": 1}, {"status": "right", "earned": 2}
    for row in json.loads((course.root / "out" / "results.json").read_text())["submissions"]:
        assert row["flaky"] == [{"exercise": name, "first": first, "second": second} for name in EXERCISES]
        assert row["earned"] == 2
    page = next((course.root / "out" / "pages").glob("ann*")).read_text()
    assert "square is flaky: 1 points, and 2 points in a second run" in page
    assert "square is flaky" in (course.root / "out" / "index.html").read_text()
    course.run(fresh=True)
    assert "flaky" not in json.loads((course.root / "out" / "results.json").read_text())["submissions"][0]


def test_a_comparison_that_is_killed_does_only_the_rest_when_it_is_repeated(course):
    course.run()
    course.run(twice=True, kill=1)
    compared = []
    submissions = [Submission(name, course.root / "in" / f"{name}.txt") for name in NAMES]
    with closing(course.open()) as book:
        records = [record for record, _ in grade_folder(book, submissions, Settings())]
        compared = [record["name"] for record in check_flaky(book, submissions, records, Settings())]
    assert sorted(compared) == ["=bob", "cy"]


def test_a_thousand_records_become_tables_in_a_second(course):
    submission = Submission("ann", course.root / "in" / "ann.txt")
    book = course.open()
    book.keep(submission, course._graded(submission, ()))
    record = book.store.record("ann")
    records = [record | {"name": f"s{number}"} for number in range(1000)]
    begun = time.process_time()
    book.write(records, [submission])
    assert time.process_time() - begun < 1
    book.close()
