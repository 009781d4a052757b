"""Tests of the exports: what other systems read, with ids byte for byte, and nothing that they would execute."""

import csv
import io
import json
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dark.grading.exports import EXPORTS, canvas_files, gradescope_files, junit_files, moodle_files

ODD = "=Ann \x1b\ud800 <b>&"


def exercise(name, status, earned, points):
    return {
        "exercise": name, "status": status, "earned": earned, "points": points,
        "diagnosis": f"It is {status}.", "next_step": None,
    }  # fmt: skip


def record(name, system="canvas", number="0042", module="01", status="graded", **changes):
    owner = system and {"system": system, "id": number, "name": name, "attempt": 7}
    verdicts = [exercise("slope", "right", 2, 2), exercise("add", "wrong", 1, 4), exercise("mul", "timed out", 0, 1)]
    verdicts.append(exercise("dot", "not attempted", 0, 3))
    is_graded = status == "graded"
    return {
        "name": name, "owner": owner, "counts": True, "page": f"pages/{name[:3]}-1.html", "status": status,
        "message": "" if is_graded else "Invalid JSON.", "module": module if is_graded else None,
        "earned": 3 if is_graded else 0, "points": 10 if is_graded else 0, "failed": "add wrong",
        "elapsed_seconds": 0.5, "exercises": verdicts if is_graded else [],
    } | changes  # fmt: skip


def results(*records):
    return {"submissions": [*records, {"name": "late", "status": "not yet graded"}]}


def table(text):
    return list(csv.reader(io.StringIO(text, newline="")))


def test_canvas_finds_each_student_by_the_id():
    found = results(
        record("ann"), record("ann", module="02", earned=5, points=8), record("bob", number="17", module="02"),
        record("cy", number="18", status="not a notebook"), record("di", "moodle"), record("old", counts=False),
    )  # fmt: skip
    assert table(canvas_files(found)["canvas.csv"]) == [
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Module 01", "Module 02"],
        ["    Points Possible", "", "", "", "", "10", "10"],
        ["ann", "0042", "", "", "", "3", "5"],
        ["bob", "17", "", "", "", "", "3"],
        ["cy", "18", "", "", "", "", ""],
    ]


def test_moodle_has_a_worksheet_a_module():
    found = results(record("Ann", "moodle"), record("Bob", "moodle", "7", "02"), record("cy", None), record("di"))
    files = moodle_files(found)
    assert list(files) == ["moodle-01.csv", "moodle-02.csv"]
    assert table(files["moodle-01.csv"]) == [
        ["Identifier", "Full name", "Grade", "Maximum Grade", "Feedback comments"],
        ["Participant 0042", "Ann", "3", "10", "add wrong"],
    ]


@given(st.text("0123456789", min_size=1, max_size=30), st.text(max_size=10))
def test_ids_are_kept_and_no_name_is_a_formula(number, name):
    for system, function, column, whole in (
        ("canvas", canvas_files, 1, "{}"),
        ("moodle", moodle_files, 0, "Participant {}"),
    ):
        (text,) = function(results(record(f"={name}", system, number))).values()
        row = table(text)[-1]
        assert row[column] == whole.format(number)
        assert not any(cell.startswith(("=", "+", "-", "@", "\t", "\r")) for cell in row)


def test_gradescope_has_a_file_a_submission():
    files = gradescope_files(results(record("ann"), record("cy", None, status="not a notebook")))
    found = json.loads(files["gradescope/ann-1.json"])
    assert (found["score"], len(found["tests"])) == (3, 4)
    assert found["tests"][1] == {
        "name": "add", "score": 1, "max_score": 4, "status": "failed", "output": "wrong. It is wrong.",
    }  # fmt: skip
    cy = json.loads(files["gradescope/cy-1.json"])
    assert (cy["score"], cy["output"], cy["tests"]) == (0, "Invalid JSON.", [])


def test_junit_counts_failures_errors_and_what_is_skipped():
    text = junit_files(results(record("ann"), record("cy", None, status="not a notebook")))["junit.xml"]
    ann, cy = ElementTree.fromstring(text)
    counts = [ann.get(key) for key in ("name", "tests", "failures", "errors", "skipped", "time")]
    assert counts == ["ann", "4", "1", "1", "1", "0.500"]
    assert ann.find("testcase/failure").get("message") == "wrong. It is wrong."
    assert cy.find("testcase/error").get("message") == "not a notebook. Invalid JSON."


def with_policy(name, final, system="canvas", group=None, student=None, **changes):
    policy = {"student": {"id": "s1", "name": name} | (student or {}), "group": group, "final": final}
    return record(name, system) | policy | {"penalty": 1, "late_days": 2} | changes


def test_final_marks_are_exported_where_there_is_a_policy():
    known = {"canvas": "=007", "sis_user_id": "00", "section": "A", "moodle": "09"}
    found = results(
        with_policy("ann", 2.5, student=known), with_policy("bob", 2, group="owls", student={"canvas": "8"}),
        with_policy("cy", 1, group="owls"), with_policy("di", None, student={"canvas": "9"}, points=0),
    )  # fmt: skip
    assert table(canvas_files(found)["canvas.csv"])[2:] == [
        ["ann", "=007", "00", "", "A", "2.5"], ["bob", "8", "", "", "", "2"], ["di", "9", "", "", "", ""],
    ]  # fmt: skip
    assert table(moodle_files(found)["moodle-01.csv"])[1:] == [["Participant 09", "ann", "2.5", "10", "add wrong"]]
    files = gradescope_files(found)
    assert [json.loads(text)["score"] for text in files.values()] == [2.5, 2, 1, 0]
    assert json.loads(files["gradescope/bob-1-s1.json"])["output"] == "3 points, less 1 for 2 late days."
    suite = ElementTree.fromstring(junit_files(found)["junit.xml"])[0]
    assert suite.get("tests") == "4" and [each.get("value") for each in suite.find("properties")] == ["s1", "2.5"]


def test_each_who_has_submitted_a_file_together_is_exported():
    pair = [
        record(name, "canvas", number, page="pages/fir-1.html") | {"group": "Ned, Ola", "submission": "first"}
        for number, name in (("49", "Ned"), ("50", "Ola"))
    ]
    assert [row[:2] for row in table(canvas_files(results(*pair))["canvas.csv"])[2:]] == [["Ned", "49"], ["Ola", "50"]]
    assert sorted(gradescope_files(results(*pair))) == ["gradescope/fir-1-49.json", "gradescope/fir-1-50.json"]
    moodle = [row | {"owner": row["owner"] | {"system": "moodle"}} for row in pair]
    assert [row[1] for row in table(moodle_files(results(*moodle))["moodle-01.csv"])[1:]] == ["Ned", "Ola"]


def test_names_are_those_of_the_roster_and_a_refused_file_takes_no_row():
    bob = with_policy("coebob", 3, student={"name": "Bob Coe"})
    thief = record("beeann") | {"student": None, "group": None, "final": None, "penalty": 0, "late_days": 0}
    for rows in ((bob, thief), (thief, bob)):
        assert table(canvas_files(results(*rows))["canvas.csv"])[2:] == [["Bob Coe", "0042", "", "", "", "3"]]
    doubtful = record("beeann", doubt="The id 0042 stands with two names.")
    assert len(table(canvas_files(results(doubtful))["canvas.csv"])) == 2
    assert moodle_files(results(record("x", "moodle", doubt="…"))) == {}


@pytest.mark.parametrize("name", EXPORTS)
def test_odd_names_are_exported(name):
    for system in ("canvas", "moodle", None):
        for text in EXPORTS[name](results(record(ODD, system))).values():
            assert "\x1b" not in text
            if name == "junit":
                assert ElementTree.fromstring(text)[0].get("name") == "=Ann ?? <b>&"


@pytest.mark.parametrize("name", EXPORTS)
def test_nothing_graded_is_no_error(name):
    EXPORTS[name](results())
