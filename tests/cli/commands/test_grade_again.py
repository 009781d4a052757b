"""Tests of what `dark grade` does with earlier results: regrading, manual marks, flaky answers."""

import csv
import json
from functools import partial

import pytest

from dark.cli import main
from dark.cli.commands import grade
from dark.grading.report import gradebook
from tests.course import tiny

RUBRIC = """
[[mark]]
student = "ann"
exercise = "square"
points = 0.5
comment = "Elegant, but see <me>."

[[mark]]
student = "bob"
exercise = "report"
points = 4
of = 5
"""


@pytest.fixture
def class_folder(tmp_path, monkeypatch):
    """Return a folder with a class of two whose submissions are graded."""
    monkeypatch.setattr(grade, "load_assignment", partial(tiny.assignment, tmp_path))
    monkeypatch.setattr(gradebook, "course_fingerprint", lambda: "the same")
    (tmp_path / "in").mkdir()
    wrong = tiny.RIGHT | {"square": "def square(x):\n    return 2 * x"}
    for name, answers in {"ann": tiny.RIGHT, "bob": wrong}.items():
        (tmp_path / "in" / f"{name}.ipynb").write_bytes(tiny.submission(**answers))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*words):
    return main(["grade", "in", "--out", "report", "--module", "77", "--jobs", "1", "--seed", "1", *words])


def results(folder):
    return json.loads((folder / "report" / "results.json").read_text())


def earned(folder):
    return {row["name"]: [each["earned"] for each in row["exercises"]] for row in results(folder)["submissions"]}


def change_questions(folder, monkeypatch, old, new):
    """Change the exam, as a teacher does who has found a mistake in it."""
    path = folder / "exam_77_tiny.py"
    path.write_text(path.read_text().replace(old, new))
    monkeypatch.setattr(gradebook, "course_fingerprint", lambda: new)


def test_only_what_a_question_touches_is_graded_again(class_folder, monkeypatch, capsys):
    assert run() == 0 and earned(class_folder) == {"ann": [2, 1, 1], "bob": [2, 0, 1]}
    change_questions(class_folder, monkeypatch, "points=1", "points=3")  # of square, and of both
    capsys.readouterr()
    assert run("--regrade", "times_itself") == 0
    assert earned(class_folder) == {"ann": [2, 3, 1], "bob": [2, 0, 1]}
    printed = capsys.readouterr().out
    assert "2 graded again, 1 mark has changed:\nname  exercise  before    after\n" in printed
    assert "\nann   square    1, right  3, right\n" in printed
    (change,) = results(class_folder)["history"]
    assert (change["name"], change["reason"]) == ("ann", "--regrade square")
    assert [(row["earned"], row["points"]) for row in results(class_folder)["submissions"]] == [(6, 6), (3, 6)]
    assert "3 of 3" in next((class_folder / "report" / "pages").glob("ann*")).read_text()
    assert run() == 0 and "(unchanged)" in capsys.readouterr().out
    assert earned(class_folder)["ann"] == [2, 3, 1]


def test_a_question_that_does_not_exist_is_refused_with_near_misses(class_folder, capsys):
    assert run("--regrade", "times_itsef") == 2
    assert "--regrade times_itsef: there is no such question or exercise" in (said := capsys.readouterr().err)
    assert "Try: times_itself" in said and not (class_folder / "report").exists()


def test_marks_by_hand_are_kept_through_every_rerun(class_folder, capsys):
    (class_folder / "rubric.toml").write_text(RUBRIC)
    assert run("--rubric", "rubric.toml", "--export", "gradescope,junit") == 0
    for words in (("--fresh",), ("--regrade", "square")):
        run(*words)
        assert earned(class_folder) == {"ann": [2, 0.5, 1, 0], "bob": [2, 0, 1, 4]}
    rows = results(class_folder)["submissions"]
    assert [(row["earned"], row["points"], row["failed"]) for row in rows] == [
        (3.5, 9, "square 0.5/1 by hand, report not yet marked"), (7, 9, "square wrong, report 4/5 by hand"),
    ]  # fmt: skip
    assert "3.5/9   38 %" in capsys.readouterr().out
    page = next((class_folder / "report" / "pages").glob("ann*")).read_text()
    assert "0.5 of 1 points; the tests gave 1. Elegant, but see &lt;me&gt;." in page
    table = list(csv.DictReader((class_folder / "report" / "grades.csv").read_text().splitlines()))
    assert table[0]["comment"] == "square: Elegant, but see <me>." and table[1]["report"] == "4"
    graded = json.loads(next((class_folder / "report" / "gradescope").glob("ann*")).read_text())
    assert graded["score"] == 3.5 and "see <me>" in graded["tests"][1]["output"]
    assert "Elegant" in (class_folder / "report" / "teacher" / "rubric.html").read_text()
    (class_folder / "rubric.toml").write_text("")
    run("--rubric", "rubric.toml")
    assert earned(class_folder) == {"ann": [2, 1, 1], "bob": [2, 0, 1]}


@pytest.mark.long
def test_marks_for_somebody_who_is_not_there_are_refused_or_said(class_folder, capsys):
    (class_folder / "rubric.toml").write_text(RUBRIC.replace('"ann"', '"anne"'))
    assert run("--rubric", "rubric.toml") == 2
    assert "'anne' has no submission" in capsys.readouterr().err and not (class_folder / "report").exists()
    (class_folder / "rubric.toml").write_text(RUBRIC)
    run("--rubric", "rubric.toml")
    (class_folder / "in" / "ann.ipynb").unlink()
    assert run() == 0 and "matches no row of this report: ann: square" in capsys.readouterr().err


@pytest.mark.long
def test_an_answer_with_other_points_in_a_second_run_is_listed(class_folder, capsys):
    assert run("--check-flaky") == 0
    assert "2 compared in two runs, no answer is flaky." in capsys.readouterr().out
    run("--fresh")
    path = class_folder / "exam_77_tiny.py"  # as if bob's answer were right at another moment
    path.write_text(path.read_text().replace("dark.square(x)}", "dark.square(2.0)}"))
    capsys.readouterr()
    assert run("--check-flaky") == 1
    said = "2 compared in two runs, 1 answer is flaky; the points of the first run count:\n! bob: square, 0 and 1"
    assert said in capsys.readouterr().out and earned(class_folder)["bob"] == [2, 0, 1]
    assert run() == 1 and run("--fresh") == 0
