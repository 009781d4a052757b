"""Tests of the names in tables: as on the roster, each student told from the others."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from dark.grading.gradebook.by_hand import ByHand
from dark.grading.gradebook.rubric import Mark
from dark.grading.policy import Course, Owners
from dark.grading.policy.groups import Group
from dark.grading.policy.roster import Roster, Student
from dark.grading.report.row_names import Students, for_rubric, with_names
from dark.grading.uploads import Submission
from dark.grading.uploads.owners import Owner

ROSTER = Roster([Student("1", "Ann Bee", {"canvas": "4711"}), Student("2", "Bob Coe"), Student("3", " ")])
COURSE = Course(Path(), roster=ROSTER, groups=(Group("owls", ("2", "3")),))
FILES = [
    Submission("beeann", Path("x"), owner=Owner("canvas", "4711", "beeann")),
    Submission("owls", Path("owls.ipynb")),
    Submission("nobody", Path("nobody.ipynb")),
]
STUDENTS = Students(Owners(COURSE, FILES))


def record(name, **changes):
    exercises = [{"exercise": "slope", "status": "wrong", "earned": 0, "points": 2, "questions": []}]
    return {"name": name, "owner": None, "status": "graded", "module": "01", "failed": "slope wrong"} | {
        "exercises": exercises, "earned": 0, "points": 2, "complete": False
    } | changes  # fmt: skip


def row(name, student=None, **changes):
    return {"name": name, "student": student and {"id": student[0], "name": student[1]}} | changes


def test_rows_have_the_names_of_the_roster_and_know_their_submission():
    rows = [row(f"w{k}", (str(k), "Wei Wang")) for k in (1, 2)]
    rows += [row("beeann", ("3", "Ann")), row("x", ("4", " "))]
    found = with_names([*rows, row("nobody"), {"name": "bob", "status": "not yet graded"}])
    assert [(each["name"], each["submission"]) for each in found] == [
        ("4", "x"), ("Ann", "beeann"), ("Wei Wang (1)", "w1"), ("Wei Wang (2)", "w2"), ("bob", "bob"),
        ("nobody", "nobody"),
    ]  # fmt: skip
    pair = [row("both", owner={"id": str(k)}, group="A, A", submission="first") for k in (1, 2)]
    pair = [{key: value for key, value in each.items() if key != "student"} for each in pair]
    assert [(each["name"], each["submission"]) for each in with_names(pair)] == [
        ("both (1)", "first"), ("both (2)", "first")
    ]  # fmt: skip


def test_without_a_roster_only_the_members_of_a_group_have_names_of_their_own():
    files = [Submission("cy/one", Path("x"), first="cy"), Submission("owls", Path("owls.ipynb"))]
    found = Students(Owners(Course(Path(), groups=COURSE.groups), files))
    assert found.shown(record("cy/one")) == "cy/one" and found.shown(record("owls")) == "2, 3"
    rows = [row("cy/one", ("cy", "")), row("owls", ("2", ""), group="owls"), row("owls", ("3", ""), group="owls")]
    assert [each["name"] for each in with_names(rows, found.have_roster)] == ["2", "3", "cy/one"]


@given(st.lists(st.tuples(st.integers(0, 9).map(str), st.sampled_from(["A", "B", ""])), unique_by=lambda each: each[0]))
def test_no_two_students_have_one_name(people):
    found = [each["name"] for each in with_names([row("x", each) for each in people])]
    assert len(set(found)) == len(found) or "" in {name for _, name in people}


def test_the_students_of_records():
    assert STUDENTS.of(record("beeann")) == {"1": "Ann Bee"} and STUDENTS.alone(record("beeann")) == "1"
    assert STUDENTS.shown(record("owls")) == "Bob Coe, 3" and STUDENTS.alone(record("owls")) is None
    assert STUDENTS.shown(record("nobody")) == "nobody" and STUDENTS.who("4711") == "1"
    assert STUDENTS.who("ANN bee") == "1" and STUDENTS.who("0001") == "1" and STUDENTS.who("x") is None
    assert Students().who("x") == "x" and Students().of(record("x")) == {} and Students().shown(record("x")) == "x"
    assert STUDENTS.of_row(row("Ann Bee", ("1", ""), submission="beeann")) == ["1"]
    assert STUDENTS.of_row(row("nobody", submission="nobody")) == []


def test_a_mark_by_any_id_is_that_of_the_student_alone():
    for text in ("1", "01", "4711", "Ann Bee", "1 (Ann Bee)", "Ann Bee (1)", "Participant 4711", "'1"):
        by_hand = ByHand([Mark(text, "slope", 1)], STUDENTS.who)
        assert by_hand.applied(record("beeann"), "1")["earned"] == 1, text
        assert by_hand.applied(record("owls"), "2")["earned"] == 0 == by_hand.applied(record("nobody"))["earned"]
        assert by_hand.unused([record("beeann")], STUDENTS.of) == []
        assert len(by_hand.unused([record("owls")], STUDENTS.of)) == 1
    of_the_group = ByHand([Mark("owls", "slope", 1), Mark("2", "slope", 2), Mark("3", comment="Hm.")], STUDENTS.who)
    assert [of_the_group.applied(record("owls"), each)["earned"] for each in (None, "2", "3")] == [1, 1, 1]
    assert of_the_group.applied(record("owls"), "2", is_member=True)["earned"] == 2
    assert of_the_group.applied(record("owls"), "3", is_member=True)["earned"] == 1
    assert of_the_group.applied(record("owls"), "3")["comment"] == "Hm."


def test_an_owner_who_is_not_on_the_roster_has_marks_by_the_id_of_the_system():
    unknown = record("x", owner={"id": "4799"})
    assert ByHand([Mark("4799", "slope", 1)], STUDENTS.who).applied(unknown)["earned"] == 1
    refused = record("x", owner={"id": "4711"})  # the id of Ann, with the name of another
    assert ByHand([Mark("4711", "slope", 1)], STUDENTS.who).applied(refused)["earned"] == 0


def test_the_page_for_marks_has_an_entry_for_each_submission_member_and_student_without_one():
    marks = [Mark("1", "slope", 1), Mark("owls", "slope", 2), Mark("3", comment="Hm."), Mark("5", comment="Ill.")]
    records = [record("beeann"), record("owls")]
    missing = row("Eve", ("5", "Eve"), status="missing", exercises=[])
    by_hand = ByHand(marks, lambda text: text)
    entries, found = for_rubric(records, [row("x", ("1", "Ann"), status="graded"), missing], by_hand, STUDENTS)
    assert [(each["name"], each["shown"]) for each in entries] == [
        ("3", "3, of Bob Coe, 3"), ("beeann", "Ann Bee"), ("owls", "Bob Coe, 3"), ("2", "Bob Coe, of Bob Coe, 3"),
        ("5", "Eve"),
    ]  # fmt: skip
    assert found == [Mark("beeann", "slope", 1), marks[1], marks[2], marks[3]]
