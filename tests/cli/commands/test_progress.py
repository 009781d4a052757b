"""Tests of `dark progress`: statuses from the notebook, tries and hints from the log."""

import json

import pytest

from dark.cli import main
from dark.course.student.progress import Log
from tests.course import little

WRONG = "def slope(f, x):\n    return 3.0"


@pytest.fixture
def path(tmp_path, monkeypatch):
    """Return the student's notebook of the little course: one answer right, one wrong."""
    root = little.install(tmp_path, monkeypatch)
    return little.student(root / "work" / "71-little.ipynb", WRONG, little.MINIMIZE)


def test_the_table_has_sign_minutes_points_attempts_and_hints(path, capsys):
    main(["check", "71"])
    main(["hint", "71", "slope", "2"])
    capsys.readouterr()
    assert main(["progress", "71"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "71-little: Little",
        "   exercise  minutes  points  attempts  hints",
        "✗  slope           5     0/2         1    1/4",
        "✓  minimize        5     3/3         1    0/4",
        "1 of 2 right, 3 of 5 points, about 5 minutes to go.",
    ]


def test_without_a_module_all_that_are_here_are_shown(path, capsys):
    main(["progress"])
    assert "71-little: Little" in capsys.readouterr().out


def test_a_claim_in_the_log_does_not_make_an_answer_right(path, capsys):
    Log(path.parent).append("check", exercise="slope", source="a", status="right", earned=2, points=2)
    main(["progress", "71", "--json"])
    assert json.loads(capsys.readouterr().out)[0]["exercises"][0]["status"] == "wrong"


def test_all_right_is_exit_code_zero(path, capsys):
    little.student(path, little.SLOPE, little.MINIMIZE)
    assert main(["progress"]) == 0
    assert "2 of 2 right, 5 of 5 points.\n" in capsys.readouterr().out


def test_a_damaged_log_is_reported_and_the_rest_is_used(path, capsys):
    log = Log(path.parent)
    log.append("hint", exercise="slope", number=3)
    log.path.write_bytes(b"\xff\xfe\n" + log.path.read_bytes())
    main(["progress", "71"])
    shown = capsys.readouterr()
    assert "1/4" in shown.out
    assert "line 1 is damaged and was ignored" in shown.err
    assert log.path.with_name("progress.jsonl.damaged-1").read_bytes() == b"\xff\xfe"


def test_a_missing_notebook_is_a_clear_error(path, capsys):
    path.unlink()
    assert main(["progress"]) == 2
    assert "71-little.ipynb: cannot be read" in capsys.readouterr().err


def test_a_course_without_modules_is_a_clear_error(path, tmp_path, capsys):
    path.unlink()
    for folder in ("modules", "solutions"):
        (tmp_path / folder / "71-little.ipynb").unlink()
    assert main(["progress"]) == 2
    assert "the module '" in capsys.readouterr().err


def test_a_log_that_cannot_be_read_costs_a_warning_and_not_the_table(path, capsys):
    (path.parent / ".dark" / "progress.jsonl").mkdir(parents=True)
    assert main(["progress", "71"]) == 1
    shown = capsys.readouterr()
    assert "1 of 2 right" in shown.out and "the progress log cannot be read" in shown.err
