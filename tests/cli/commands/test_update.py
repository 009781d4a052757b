"""Tests of `dark update`: what it prints, and its exit code."""

import pytest

from dark.cli import main
from dark.course.lessons.notebook_files import notebook_text, read_notebook, save_file
from tests.course import little

NAME = f"{little.STEM}.ipynb"


@pytest.fixture
def work(tmp_path, monkeypatch):
    return little.install(tmp_path, monkeypatch) / "work"


def test_a_missing_notebook_is_created_and_then_up_to_date(work, capsys):
    (work / NAME).unlink()
    assert main(["update"]) == 0
    assert capsys.readouterr().out == f"{work / NAME}: created.\n"
    assert main(["update"]) == 0
    assert capsys.readouterr().out == f"{work / NAME}: up to date.\n"


def test_a_newer_course_is_merged_and_the_previous_version_is_named(work, capsys):
    main(["update"])
    notebook = read_notebook(work / NAME)
    notebook["cells"][1]["source"] = "def slope(f, x):\n    return 1"
    del notebook["cells"][0]
    save_file(work / NAME, notebook_text(notebook))
    capsys.readouterr()
    assert main(["update"]) == 0
    said = capsys.readouterr().out
    assert f"{work / NAME}: updated. Cells of yours, unchanged: 1. The previous version is {work / '.dark'}" in said
    assert "File > Reload Notebook from Disk" in said


def test_a_damaged_notebook_is_exit_code_one(work, capsys):
    (work / NAME).write_text("{")
    assert main(["update"]) == 1
    assert "not updated." in capsys.readouterr().out


@pytest.mark.parametrize("command", ["check", "hint"])
def test_an_exercise_needs_no_module(work, capsys, command):
    assert main([command, "slope"]) in (0, 1)
    assert "slope" in capsys.readouterr().out


def test_a_reset_needs_no_module_and_one_exercise(work, capsys):
    assert main(["reset", "slope", "--yes"]) == 0
    assert "slope: nothing to reset" in capsys.readouterr().out
    assert main(["reset", "71", "--yes"]) == 2
    assert "reset: expected one exercise, got 0." in capsys.readouterr().err


def test_the_students_own_notebooks_are_graded_by_default(work, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["grade", "--module", "71", "--jobs", "1"]) == 1
    assert "71-little" in capsys.readouterr().out
    assert (tmp_path / "report" / "index.html").is_file()
