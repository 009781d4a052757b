"""Tests of `dark check`: what is printed, the exit codes, and that it watches a file."""

import json
from types import SimpleNamespace

import pytest

from dark.cli import main
from dark.cli.commands import check as command
from dark.course.judging.observe import LocalObserver
from dark.course.lessons.library import load_module
from dark.course.student.progress import Log
from tests.course import little

WRONG = "def slope(f, x):\n    return 3.0"


@pytest.fixture
def path(tmp_path, monkeypatch):
    """Return the student's blank notebook of the little course."""
    return little.install(tmp_path, monkeypatch) / "work" / "71-little.ipynb"


def test_a_blank_notebook_is_not_attempted(path, capsys):
    assert main(["check", "71"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "· slope: not attempted, 0 of 2 points.",
        "· minimize: not attempted, 0 of 3 points.",
        "0 of 2 right, 0 not yet right, 2 not attempted; 0 of 5 points.",
        "Only what is saved is checked: press Ctrl-S in an open notebook first.",
    ]
    assert not (path.parent / ".dark").exists()


def test_a_solved_notebook_is_right(path, capsys):
    little.student(path, little.SLOPE, little.MINIMIZE)
    assert main(["check", "little", "--all-yours"]) == 0
    shown = capsys.readouterr().out
    assert "2 of 2 right, 0 not yet right, 0 not attempted; 5 of 5 points." in shown
    assert "✓ All yours: right." in shown


def test_a_wrong_answer_is_reported_and_blocks_nothing(path, capsys):
    little.student(path, WRONG, little.MINIMIZE)
    assert main(["check", "71"]) == 1
    shown = capsys.readouterr().out
    assert "✗ slope: runs, wrong" in shown
    assert "Smallest input: x = 0" in shown
    assert "✓ minimize" in shown


def test_only_the_exercises_that_are_named_count(path, capsys):
    little.student(path, WRONG, little.MINIMIZE)
    assert main(["check", "71", "minimize"]) == 0
    assert "slope" not in capsys.readouterr().out


def test_an_endless_loop_and_a_hard_exit_affect_nothing_else(path, capsys):
    little.student(path, "def slope(f, x):\n    import os\n    os._exit(0)", little.MINIMIZE)
    assert main(["check", "71"]) == 1
    shown = capsys.readouterr().out
    assert "! slope: exited" in shown
    assert "✓ minimize" in shown


def test_json_holds_the_verdicts_and_nothing_else_is_printed(path, capsys):
    little.student(path, WRONG)
    assert main(["check", "71", "--json", "--seed", "3", "--all-yours"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert [each["status"] for each in data["exercises"]] == ["wrong", "not attempted"]
    assert (data["earned"], data["points"], data["seed"], data["all_yours"]) == (0, 5, 3, False)


def test_an_attempt_is_written_into_the_log(path):
    little.student(path, WRONG)
    main(["check", "71"])
    ((event,), _) = Log(path.parent).read()
    assert (event["event"], event["exercise"], event["status"]) == ("check", "slope", "wrong")


def test_a_log_that_cannot_be_written_costs_a_warning_only(path, capsys):
    little.student(path, WRONG)
    (path.parent / ".dark").write_text("in the way")
    assert main(["check", "71"]) == 1
    shown = capsys.readouterr()
    assert "✗ slope" in shown.out
    assert "progress log cannot be" in shown.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["72"], "the module '72' does not exist"),
        (["71", "slop"], "Try: slope"),
        (["71", "--file", "gone.ipynb"], "gone.ipynb: cannot be read"),
    ],
)
def test_what_is_not_there_is_a_usage_error(path, capsys, words, said):
    assert main(["check", *words]) == 2
    assert said in capsys.readouterr().err


def test_a_file_that_is_not_a_notebook_is_a_usage_error(path, capsys):
    path.write_text("{")
    assert main(["check", "71"]) == 2
    assert "not a notebook" in capsys.readouterr().err


def task(path):
    """Ask for the exercise slope of this notebook."""
    module = load_module("71")
    return command.Task(module, ("slope",), path, seed=0, all_yours=False, as_json=False)


def test_watching_checks_again_what_was_changed_and_ends_with_ctrl_c(path, capsys):
    edits = [
        lambda: None,
        lambda: little.student(path, WRONG),
        lambda: path.write_text("{"),
        lambda: path.unlink(),
        lambda: None,
        lambda: None,
        lambda: little.student(path, little.SLOPE),
    ]

    def pause(seconds):
        if not edits:
            raise KeyboardInterrupt
        edits.pop(0)()

    assert command.watch(task(path), LocalObserver, pause) == 0
    shown = capsys.readouterr()
    heads = [line for line in shown.out.splitlines() if line[:1] in ("✓", "✗", "·")]
    assert [head[0] for head in heads] == ["·", "✗", "✓"]
    assert "not a notebook" in shown.err
    assert shown.err.count("cannot be read") == 1
    assert shown.err.count("Watching") == 5


def test_a_file_that_is_missing_for_a_moment_is_being_saved(path):
    text, seen = path.read_text(), []
    edits = [lambda: path.unlink(), lambda: path.write_text(text + " ")]

    def pause(seconds):
        if not edits:
            raise KeyboardInterrupt
        edits.pop(0)()

    with pytest.raises(KeyboardInterrupt):
        for _ in command.changes(path, pause):
            seen.append(path.exists())
    assert seen == [True, True]


def test_hints_are_offered_as_a_terminal_asks_for_them(path, capsys):
    little.student(path, WRONG)
    main(["check", "71", "slope"])
    assert "Hint 1: dark hint 71 slope" in capsys.readouterr().out
    main(["hint", "71", "slope", "4"])
    main(["check", "71", "slope"])
    assert "Hint 1: dark hint 71 slope" in capsys.readouterr().out  # the others were skipped
    for _ in range(3):
        main(["hint", "71", "slope"])
    main(["check", "71", "slope"])
    assert "You have seen all 4 hints. dark hint 71 slope 4 shows the worked example again" in capsys.readouterr().out


def test_without_a_word_it_says_what_can_be_named(path, capsys):
    assert main(["check"]) == 2
    said = "check: no module and no exercise is named.\n  Expected: a module, such as 01; an exercise, such as slope;"
    assert said in capsys.readouterr().err


def test_an_answer_that_has_not_changed_is_not_judged_again(path, capsys):
    known = {}
    command.check(task(path), LocalObserver, known)
    capsys.readouterr()
    command.check(task(path), None, known)
    assert capsys.readouterr().out.startswith("0 of 1 right")


def test_the_command_line_asks_for_watching(path, monkeypatch):
    asked = []
    monkeypatch.setattr(command, "watch", lambda task, observer: asked.append(task.names) or 0)
    assert main(["check", "71", "slope", "--watch"]) == 0
    assert asked == [("slope",)]


def test_changes_waits_for_a_file_that_is_not_there():
    gone = SimpleNamespace(stat=lambda: (_ for _ in ()).throw(FileNotFoundError()))
    paused = []

    def pause(seconds):
        paused.append(seconds)
        if len(paused) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(command.changes(gone, pause))
    assert paused == [command.PAUSE_SECONDS] * 3


def test_a_notebook_is_checked_by_its_path_wherever_it_is(path, tmp_path, capsys):
    handed_in = little.student(tmp_path / "elsewhere.ipynb", little.SLOPE, "def minimize(f, x):\n    return [x]")
    assert main(["check", str(handed_in)]) == 1
    shown = capsys.readouterr().out
    assert "✓ slope" in shown and "· minimize" not in shown
    assert (tmp_path / ".dark" / "progress.jsonl").is_file()
    assert main(["check", str(handed_in), "slope"]) == 0


def test_exercises_are_checked_without_their_module(path, capsys):
    little.student(path, little.SLOPE, little.MINIMIZE)
    assert main(["check", "slope"]) == 0
    assert "1 of 1 right" in capsys.readouterr().out
    assert main(["check", "slope", "minimize"]) == 0
    assert "2 of 2 right" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["modules/71-litle.ipynb"], "modules/71-litle.ipynb: cannot be read; the file does not exist"),
        (["modules/71-litle.ipynb"], "Try: modules/71-little.ipynb"),
        (
            ["modules/71-little.ipynb", "--file", "other.ipynb"],
            "named once, got modules/71-little.ipynb and --file other",
        ),
        (["modules/71-little.ipynb", "slop"], "Try: slope"),
        (["other.ipynb"], "other.ipynb: not a notebook of the course"),
        (["slop"], "'slop' is neither a module nor an exercise of the course"),
        (["slop"], "Try: slope"),
        (["litle"], "Try: little"),
        (["slope", "minimze"], "Try: minimize"),
        (["01"], "the module '01' does not exist"),
    ],
)
def test_what_is_misspelled_is_named_with_near_misses(path, monkeypatch, capsys, words, said):
    monkeypatch.chdir(path.parent.parent)
    strange = {"nbformat": 4, "nbformat_minor": 5, "cells": [], "metadata": {"dark": "strange"}}
    (path.parent.parent / "other.ipynb").write_text(json.dumps(strange))
    assert main(["check", *words]) == 2
    error = capsys.readouterr().err
    assert said in error and "Expected: " in error
