"""Tests of `dark hint`: the same hints as in the notebook, counted in the same log."""

import pytest

from dark.cli import main
from dark.course.student.student_kernel import StudentKernel
from tests.course import little


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return the folder of the student's notebooks in the little course."""
    return little.install(tmp_path, monkeypatch) / "work"


def test_hints_follow_one_another_across_notebook_and_terminal(folder, capsys):
    StudentKernel(folder).hint("slope")
    assert main(["hint", "71", "slope"]) == 0
    assert "slope, hint 2 of 4" in capsys.readouterr().out
    assert "hint 3 of 4" in StudentKernel(folder).hint("slope").text


def test_after_the_last_it_says_so(folder, capsys):
    for number in "1234":
        main(["hint", "71", "slope", number])
    assert main(["hint", "little", "slope"]) == 0
    shown = capsys.readouterr().out
    assert "you have seen all 4 hints" in shown and "dark hint 71 slope 4 shows the worked example" in shown


def test_the_log_is_next_to_the_notebook_that_is_named(folder, tmp_path, capsys):
    main(["hint", "71", "slope", "--file", str(tmp_path / "mine.ipynb")])
    assert (tmp_path / ".dark" / "progress.jsonl").is_file()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["71", "slope", "5"], "number must be from 1 to 4, got 5"),
        (["71", "slope", "9"], "Try: dark hint 71 slope for the next hint"),
        (["71", "slop"], "Try: slope"),
        (["72", "slope"], "the module '72' does not exist"),
        ([], "hint: no exercise is named.\n  Expected: [MODULE] EXERCISE [NUMBER].\n  Try: dark hint slope"),
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
    shown = capsys.readouterr()
    assert "hint 1 of 4" in shown.out and not shown.err


def test_an_exercise_is_found_without_its_module(folder, capsys):
    assert main(["hint", "slope"]) == 0
    assert "slope, hint 1 of 4" in capsys.readouterr().out
    assert main(["hint", "slope", "3"]) == 0
    assert "slope, hint 3 of 4" in capsys.readouterr().out
    assert main(["hint", "slope"]) == 0
    assert "slope, hint 4 of 4" in capsys.readouterr().out


def test_a_hint_for_a_notebook_file_is_recorded_next_to_it(folder, tmp_path, capsys):
    notebook = little.student(tmp_path / "handed-in.ipynb")
    assert main(["hint", str(notebook), "minimize", "2"]) == 0
    assert "minimize, hint 2 of 4" in capsys.readouterr().out
    assert (tmp_path / ".dark" / "progress.jsonl").is_file()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["slop"], "Try: slope"),
        (["71"], "71 is a module, not an exercise"),
        (["71"], "Try: dark hint 71 slope"),
        (["little", "2"], "little is a module, not an exercise"),
        (["litle", "slope"], "Try: little"),
        (["71", "slope", "two"], "too many words"),
        (["slope", "-1"], "number must be from 1 to 4, got -1"),
        (["slope", "9"], "number must be from 1 to 4, got 9"),
    ],
)
def test_what_a_hint_is_about_is_asked_for_in_words(folder, capsys, words, said):
    assert main(["hint", *words]) == 2
    error = capsys.readouterr().err
    assert said in error and "Expected: " in error


@pytest.mark.parametrize("command", ["hint", "check"])
def test_an_exercise_of_two_modules_is_ambiguous(folder, capsys, command):
    little.second(folder, exercises=True)
    assert main([command, "slope"]) == 2
    error = capsys.readouterr().err
    assert "the exercise 'slope' is in several modules: 71-little, 72-more." in error
    assert "dark hint 71 slope" in error
    assert main(["hint", "72", "slope"]) == 0


def test_the_usage_names_the_words_once(capsys):
    with pytest.raises(SystemExit):
        main(["hint", "--help"])
    assert "usage: dark hint [-h] [--file FILE] [module] exercise [number]\n" in capsys.readouterr().out
