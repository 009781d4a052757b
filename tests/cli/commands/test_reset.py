"""Tests of `dark reset`: it asks for confirmation, prints where the answer is, and records it in the log."""

import io
import json

import pytest

from dark.cli import main
from dark.course.lessons.blank import blank
from dark.course.student.progress import Log
from tests.course import little

ANSWER = "def slope(f, x):\n    return 3.0"


@pytest.fixture
def path(tmp_path, monkeypatch):
    """Return the student's notebook of the little course, its first exercise answered."""
    root = little.install(tmp_path, monkeypatch)
    return little.student(root / "work" / "71-little.ipynb", slope=ANSWER)


class Terminal(io.StringIO):
    """A standard input that is a terminal."""

    def isatty(self):
        """Say that it is a terminal."""
        return True


def source(path):
    """Return the source of the exercise's cell."""
    return "".join(json.loads(path.read_text())["cells"][1]["source"])


def test_the_old_answer_is_named_in_the_output(path, capsys):
    assert main(["reset", "71", "slope", "--yes"]) == 0
    shown = capsys.readouterr().out
    kept = next((path.parent / ".dark" / "history").iterdir())
    assert str(kept) in shown
    assert kept.read_text() == ANSWER + "\n"
    assert source(path) == blank(little.SLOPE)
    assert Log(path.parent).read()[0][-1]["kept"] == kept.name


def test_a_second_reset_finds_nothing_to_put_away(path, capsys):
    main(["reset", "71", "slope", "--yes"])
    assert main(["reset", "71", "slope", "--yes"]) == 0
    assert "nothing to reset" in capsys.readouterr().out


@pytest.mark.parametrize(("typed", "code"), [("y\n", 0), ("n\n", 1), ("\n", 1)])
def test_it_asks_first(path, capsys, monkeypatch, typed, code):
    monkeypatch.setattr("sys.stdin", Terminal(typed))
    assert main(["reset", "71", "slope"]) == code
    shown = capsys.readouterr().out
    assert "Restore the stub of slope" in shown
    assert (source(path) == ANSWER) == bool(code)


def test_without_a_terminal_nothing_is_changed(path, capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))
    assert main(["reset", "71", "slope"]) == 2
    assert "cannot ask for confirmation: not a terminal" in capsys.readouterr().err
    assert source(path) == ANSWER


def test_another_notebook_can_be_named(path, tmp_path, capsys):
    mine = little.student(tmp_path / "mine.ipynb", slope=ANSWER)
    assert main(["reset", "71", "slope", "--yes", "--file", str(mine)]) == 0
    assert source(mine) == blank(little.SLOPE)
    assert source(path) == ANSWER


def test_an_unknown_exercise_and_a_missing_notebook_are_clear(path, capsys):
    assert main(["reset", "71", "slop", "--yes"]) == 2
    assert "Try: slope" in capsys.readouterr().err
    assert main(["reset", "71", "slope", "--yes", "--file", "gone.ipynb"]) == 2
    assert "gone.ipynb: cannot be read" in capsys.readouterr().err


def test_a_log_that_cannot_be_written_costs_a_warning_once_the_notebook_is_changed(path, capsys):
    (path.parent / ".dark" / "progress.jsonl").mkdir(parents=True)
    assert main(["reset", "71", "slope", "--yes"]) == 0
    shown = capsys.readouterr()
    assert "the stub is restored" in shown.out and "the progress log cannot be written" in shown.err
