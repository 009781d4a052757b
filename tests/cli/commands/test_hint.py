"""Tests of `dark hint`: the same hints as in the notebook, counted in the same log."""

import pytest

from dark.cli import main
from dark.course.student.student_kernel import StudentKernel
from tests.course import little


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return the folder of the student's notebooks in the little course."""
    return little.install(tmp_path, monkeypatch) / "modules"


def test_hints_follow_one_another_across_notebook_and_terminal(folder, capsys):
    StudentKernel(folder).hint("slope")
    assert main(["hint", "71", "slope"]) == 0
    assert "slope, hint 2 of 4" in capsys.readouterr().out
    assert "hint 3 of 4" in StudentKernel(folder).hint("slope").text


def test_after_the_last_it_says_so(folder, capsys):
    main(["hint", "71", "slope", "4"])
    assert main(["hint", "little", "slope"]) == 0
    shown = capsys.readouterr().out
    assert "you have seen all 4 hints" in shown and "dark hint 71 slope 4 shows the worked example" in shown


def test_the_log_is_next_to_the_notebook_that_is_named(folder, tmp_path, capsys):
    main(["hint", "71", "slope", "--file", str(tmp_path / "mine.ipynb")])
    assert (tmp_path / ".dark" / "progress.jsonl").is_file()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["71", "slope", "5"], "number is 5"),
        (["71", "slope", "9"], "Try: dark hint 71 slope for the next hint"),
        (["71", "slop"], "Try: slope"),
        (["72", "slope"], "the module '72' does not exist"),
    ],
)
def test_what_is_not_there_is_a_clear_error(folder, capsys, words, said):
    assert main(["hint", *words]) == 2
    assert said in capsys.readouterr().err


def test_a_log_that_cannot_be_used_costs_a_warning_and_not_the_hint(folder, capsys):
    (folder / ".dark" / "progress.jsonl").mkdir(parents=True)
    assert main(["hint", "71", "slope"]) == 0
    shown = capsys.readouterr()
    assert "slope, hint 1 of 4" in shown.out
    assert "cannot be read" in shown.err and "cannot be written" in shown.err


def test_no_folder_is_made_for_a_notebook_that_is_not_there(folder, tmp_path, capsys):
    assert main(["hint", "71", "slope", "--file", str(tmp_path / "nowhere" / "x.ipynb")]) == 0
    assert not (tmp_path / "nowhere").exists()
    assert "hint 1 of 4" in capsys.readouterr().out
