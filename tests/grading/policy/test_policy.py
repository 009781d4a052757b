"""Laws of the policy: one attempt counts, free days stay within the budget, and the order of files changes nothing."""

import json
import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dark.errors import UsageError
from dark.grading.policy import MISSING, Course, Policy
from dark.grading.policy.groups import Group
from dark.grading.policy.late import Late, charge, count_late_days, final_mark
from dark.grading.policy.roster import Roster, Student
from dark.grading.uploads import Submission
from dark.grading.uploads.owners import Owner

NOON = datetime(2026, 10, 4, 12, tzinfo=UTC)
DEADLINES = {"01": NOON, "02": NOON + timedelta(days=7)}
ROSTER = Roster([Student("ann", "Ann Bee"), Student("bob", "Bob Coe"), Student("0043", "Cy Dee", {"canvas": "4713"})])
COURSE = Course(Path(), zone=UTC, deadlines=DEADLINES, time_from=("name",))


def file_of(student, hours, number=0):
    """Return a submission as Blackboard names it, `hours` after noon."""
    name = f"work{number}_{student}_attempt_{NOON + timedelta(hours=hours):%Y-%m-%d-%H-%M-%S}"
    return Submission(name, Path(f"{name}.ipynb"))


def record(submission, module="01", earned=10, status="graded"):
    is_graded = status == "graded"
    return {
        "name": submission.name, "owner": None, "counts": True, "status": status, "exercises": [],
        "module": module if is_graded else None, "earned": earned, "points": 20 if is_graded else 0,
    }  # fmt: skip


def rows_of(course, records, submissions, **options):
    return Policy(course, submissions, Path("in"), **options).rows(records)


def counting(rows):
    return {(row["student"]["id"], row["module"]): row for row in rows if row["counts"]}


work = st.tuples(
    st.sampled_from(["ann", "bob"]), st.integers(-60, 300), st.sampled_from(sorted(DEADLINES)), st.integers(0, 20)
)
rules = st.builds(
    Late, st.integers(0, 5), st.none() | st.integers(0, 3), st.integers(0, 40), st.integers(0, 100),
    st.none() | st.integers(0, 5),
)  # fmt: skip


@given(st.lists(work, max_size=8), rules, st.sampled_from(["latest", "best"]), st.randoms(use_true_random=False))
def test_laws(works, late, attempt, shuffler):
    course = replace(COURSE, late={"": late}, attempts={"": attempt})
    files = [file_of(student, hours, number) for number, (student, hours, _, _) in enumerate(works)]
    records = [record(file, module, earned) for file, (_, _, module, earned) in zip(files, works, strict=True)]
    before = json.dumps(records)
    rows = rows_of(course, records, files)
    assert json.dumps(records) == before
    mixed = list(zip(files, records, strict=True))
    shuffler.shuffle(mixed)
    assert rows_of(course, [record for _, record in mixed], [file for file, _ in mixed]) == rows

    assert {row["name"]: row["earned"] for row in rows} == {row["name"]: row["earned"] for row in records}
    assert len(counting(rows)) == sum(row["counts"] for row in rows) == len({(who, what) for who, _, what, _ in works})
    spent = dict.fromkeys(["ann", "bob"], 0)
    for (student, module), row in sorted(counting(rows).items(), key=lambda item: item[0][1]):
        assert 0 <= row["final"] <= row["earned"] and row["penalty"] == pytest.approx(row["earned"] - row["final"])
        left = late.free_days - spent[student]
        marks = []
        for who, hours, what, earned in works:
            if (who, what) == (student, module):
                days = count_late_days(NOON + timedelta(hours=hours), DEADLINES[module])
                marks.append((hours, final_mark(earned, charge(late, days, left).percent)))
        latest = max(hours for hours, _ in marks)
        assert row["final"] in [mark for hours, mark in marks if attempt == "best" or hours == latest]
        assert attempt == "latest" or row["final"] == max(mark for _, mark in marks)
        spent[student] += row["late_days_used"]
        assert 0 <= row["late_days_used"] <= row["late_days"] and spent[student] <= late.free_days


def test_latest_and_best():
    files = [file_of("ann", -2), file_of("ann", -1, 1), file_of("ann", 25, 2)]
    records = [record(file, earned=earned) for file, earned in zip(files, (15, 15, 18), strict=True)]
    course = replace(COURSE, late={"": Late(percent_per_day=10)})

    def chosen(attempt):
        row = counting(rows_of(replace(course, attempts={"": attempt}), records, files))["ann", "01"]
        return row["name"][:5], row["final"], row["late_days"]

    assert chosen("latest") == ("work2", 14.4, 2)
    assert chosen("best") == ("work0", 15, 0)  # the highest mark after penalties, and of equal ones the earliest


def test_an_attempt_that_is_no_notebook_does_not_replace_one_that_is():
    files = [file_of("ann", -2), file_of("ann", -1, 1)]
    rows = rows_of(COURSE, [record(files[0]), record(files[1], status="not a notebook")], files, module="01")
    assert [(row["counts"], row["final"], row["note"]) for row in rows] == [
        (True, 10, ""), (False, None, "another attempt counts"),
    ]  # fmt: skip


def test_an_extension_and_a_closing_day():
    files = [file_of("ann", 73), file_of("bob", 73, 1)]
    course = replace(
        COURSE, late={"": Late(percent_per_day=10, max_days=3)}, extensions={("bob", "01"): NOON + timedelta(days=2)}
    )
    rows = counting(rows_of(course, [record(file) for file in files], files))
    ann, bob = rows["ann", "01"], rows["bob", "01"]
    assert (ann["late_days"], ann["final"], ann["note"]) == (4, 0, "more than 3 days late")
    assert (bob["late_days"], bob["final"], bob["penalty"], bob["deadline"][:10]) == (2, 8, 2, "2026-10-06")


def test_free_days_are_used_in_the_order_of_the_deadlines_and_those_of_other_reports_are_gone(tmp_path):
    first, second = file_of("ann", 47), file_of("ann", 7 * 24 + 47, 1)
    course = replace(COURSE, late={"": Late(free_days=3, percent_per_day=10)})
    rows = rows_of(course, [record(second, "02"), record(first, "01")], [second, first])
    assert [(row["module"], row["late_days_used"], row["final"]) for row in rows] == [("01", 2, 10), ("02", 1, 9)]
    (tmp_path / "results.json").write_text(json.dumps({"submissions": rows}))
    later = replace(course, earlier_reports=(tmp_path,))
    assert rows_of(later, [record(second, "02")], [second])[0]["late_days_used"] == 1
    third = replace(later, deadlines=DEADLINES | {"03": NOON + timedelta(days=7)})
    assert rows_of(third, [record(second, "03")], [second])[0]["late_days_used"] == 0
    with pytest.raises(UsageError, match=r"results.json: the free days .* cannot be read(.|\n)*Expected: (.|\n)*Try: "):
        rows_of(replace(course, earlier_reports=(tmp_path / "none",)), [], [])


def test_a_submission_of_a_group_is_a_row_for_each_member():
    course = replace(COURSE, roster=ROSTER, groups=(Group("owls", ("ann", "bob"), ("01",)),))
    file = file_of("bob", -1)
    rows = rows_of(course, [record(file)], [file])
    assert [(row["student"]["id"], row["group"], row["final"]) for row in rows] == [
        ("0043", None, None), ("ann", "owls", 10), ("bob", "owls", 10),
    ]  # fmt: skip
    assert rows[0]["status"] == MISSING
    alone = rows_of(course, [record(file, "02")], [file])
    assert [row["group"] for row in alone if row["status"] != MISSING] == [None]
    named = Submission("owls/work", Path("owls/work.ipynb"))
    rows = rows_of(course, [record(named)], [named])
    assert {(row["student"]["id"], row["final"]) for row in rows if row["group"]} == {("ann", 10), ("bob", 10)}
    assert Policy(course, [named], Path("in")).unknown() == []


def test_each_member_of_a_group_has_free_days_and_an_extension_of_its_own():
    course = replace(
        COURSE, late={"": Late(free_days=1, percent_per_day=50)}, groups=(Group("owls", ("ann", "bob")),),
        extensions={("bob", "01"): NOON + timedelta(days=2)},
    )  # fmt: skip
    file = file_of("ann", 30)
    rows = counting(rows_of(course, [record(file)], [file]))
    assert [(row["late_days_used"], row["final"]) for row in rows.values()] == [(1, 5), (0, 10)]


def test_nobody_on_the_roster_is_named_with_near_misses_and_students_without_work_are_listed():
    files = [file_of("anne", -1), Submission("x", Path("x"), owner=Owner("canvas", "4714", "deecy"))]
    policy = Policy(replace(COURSE, roster=ROSTER), files, Path("in"), module="01")
    assert policy.unknown() == [
        f"! {files[0].name}: It matches no student on the roster; did you mean ann (Ann Bee)?",
        "! x: It matches no student on the roster; did you mean 0043 (Cy Dee)?",
    ]
    rows = policy.rows([record(files[0]), record(files[1])])
    assert [(row["name"], row["final"], row["status"]) for row in rows if row["student"]] == [
        ("Ann Bee", None, MISSING), ("Bob Coe", None, MISSING), ("Cy Dee", None, MISSING),
    ]  # fmt: skip
    unknown = [row for row in rows if not row["student"]]
    assert [row["earned"] for row in unknown] == [10, 10] and all("on the roster" in row["note"] for row in unknown)


def test_missing_students_may_have_zero_when_it_is_due():
    course = replace(COURSE, roster=ROSTER, missing_mark=0, extensions={("bob", "01"): NOON + timedelta(days=2)})
    rows = rows_of(course, [], [], module="01", now=NOON + timedelta(hours=1))
    assert [(row["final"], row["note"]) for row in rows] == [(0, ""), (None, "not due yet"), (0, "")]


def test_a_time_that_is_unknown_costs_nothing_and_is_said():
    file = Submission("ann", Path("ann.ipynb"))
    (row,) = rows_of(COURSE, [record(file)], [file])
    assert (row["final"], row["submitted"], row["note"]) == (10, None, "time of submission unknown")


def test_what_waits_is_neither_missing_nor_marked():
    file = file_of("ann", -1)
    rows = rows_of(
        replace(COURSE, roster=ROSTER), [{"name": file.name, "status": "not yet graded"}], [file], module="01"
    )
    assert [row["status"] for row in rows if row["student"]["id"] == "ann"] == ["not yet graded"]


def test_a_class_of_a_thousand_takes_less_than_two_seconds():
    shuffler = random.Random(0)
    files = [file_of(f"s{number % 500}", shuffler.randrange(-50, 50), number) for number in range(1000)]
    begun = datetime.now(UTC)
    rows = rows_of(replace(COURSE, late={"": Late(2)}), [record(file) for file in files], files)
    assert sum(row["counts"] for row in rows) == 500 and datetime.now(UTC) - begun < timedelta(seconds=2)
