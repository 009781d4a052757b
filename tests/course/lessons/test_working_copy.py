"""The student's folder: created once, updated later, without the loss of a cell."""

import copy
import json
from pathlib import Path

import pytest

from dark.course.lessons import library
from dark.course.lessons.library import load_module, working_folder
from dark.course.lessons.notebook_files import notebook_text, read_notebook, save_file
from dark.course.lessons.working_copy import lay_out, printed_notebook
from dark.course.student.progress import Log
from dark.errors import CourseError
from tests.course import little

ANSWER = "def slope(f, x):\n    return 'mine'"
NAME = f"{little.STEM}.ipynb"


@pytest.fixture
def root(tmp_path, monkeypatch):
    """Return a repository with the little course, on which no work has been done yet."""
    root = little.install(tmp_path, monkeypatch)
    (root / "work" / NAME).unlink()
    (root / "work").rmdir()
    save_file(root / "modules" / NAME, notebook_text(printed_notebook(little.STEM)))
    return root


def answered(path, name="slope", source=ANSWER):
    """Write an answer into a notebook file, as an editor does; return its cell as it is then in the file."""
    notebook = read_notebook(path)
    cell = next(each for each in notebook["cells"] if each["id"] == f"exercise-{name}")
    cell |= {"source": source, "execution_count": 3, "outputs": [{"output_type": "stream", "name": "x", "text": "y"}]}
    save_file(path, notebook_text(notebook))
    return next(each for each in read_notebook(path)["cells"] if each["id"] == f"exercise-{name}")


def cells_of(path):
    return {cell["id"]: cell for cell in read_notebook(path)["cells"]}


def publish(root, change, stem=little.STEM, old=little.STEM):
    """Print a newer version of the course: `change` edits the cells of its solved notebook."""
    solved = json.loads((root / "solutions" / f"{old}.ipynb").read_text())
    change(solved)
    for folder in ("solutions", "modules"):
        (root / folder / f"{old}.ipynb").unlink(missing_ok=True)
        (root / folder / f"{stem}.ipynb").write_text(json.dumps(solved))
    save_file(root / "modules" / f"{stem}.ipynb", notebook_text(printed_notebook(stem)))


def test_at_first_the_printed_notebooks_are_created(root):
    (update,) = lay_out(working_folder())
    assert working_folder() == root / "work"
    assert str(update) == f"{root / 'work' / NAME}: created."
    assert (root / "work" / NAME).read_text() == (root / "modules" / NAME).read_text()


def test_the_glossary_lies_next_to_the_notebooks(root):
    printed = root / "modules" / "glossary.md"
    lay_out(root / "work")
    assert not (root / "work" / "glossary.md").exists()
    for text in ("# Glossary", "# Glossary, longer"):
        printed.write_text(text)
        lay_out(root / "work")
        assert (root / "work" / "glossary.md").read_text() == text
    time = (root / "work" / "glossary.md").stat().st_mtime_ns
    lay_out(root / "work")
    assert (root / "work" / "glossary.md").stat().st_mtime_ns == time


def test_a_second_time_nothing_is_written(root):
    lay_out(root / "work")
    answered(root / "work" / NAME)
    before = (root / "work" / NAME).read_bytes()
    (update,) = lay_out(root / "work")
    assert str(update).endswith("up to date.")
    assert (root / "work" / NAME).read_bytes() == before
    assert not (root / "work" / ".dark").exists()


def test_an_update_keeps_the_students_cells_and_outputs_and_a_backup(root):
    lay_out(root / "work")
    path = root / "work" / NAME
    mine = answered(path)
    answered(path, "minimize", cells_of(path)["exercise-minimize"]["source"])  # has run, and is still the stub
    before = path.read_bytes()

    def change(solved):
        solved["cells"][0]["source"] = "import math, cmath"
        solved["cells"].insert(1, little.cell("given", "x = 1", id="given-2"))

    publish(root, change)
    (update,) = lay_out(root / "work")
    after = cells_of(path)
    assert after["exercise-slope"] == mine
    assert after["exercise-minimize"]["execution_count"] == 3
    assert after["given-2"]["source"] == "x = 1" and after["given-1"]["source"] == "import math, cmath"
    assert update.kept.read_bytes() == before and update.own == 1
    assert "updated. Cells of yours, unchanged: 1. The previous version is" in str(update)


def test_a_changed_exercise_that_was_answered_is_named(root):
    lay_out(root / "work")
    mine = answered(root / "work" / NAME)

    def change(solved):
        cell = solved["cells"][1]
        cell["source"] = cell["source"].replace("nudge", "step")
        cell["metadata"]["dark"]["printed"] = little.printed_hash(cell["source"])

    publish(root, change)
    (update,) = lay_out(root / "work")
    assert cells_of(root / "work" / NAME)["exercise-slope"] == mine
    assert "slope: the exercise has changed; yours is kept (dark reset slope)." in str(update)


def test_work_in_the_folder_of_the_printed_notebooks_is_taken_over(root):
    printed = root / "modules" / NAME
    pristine = printed.read_bytes()
    mine = answered(printed)
    Log(root / "modules").append("hint", exercise="slope", number=2)
    before = printed.read_bytes()
    (update,) = lay_out(root / "work")
    assert update.came_from == printed and update.kept.read_bytes() == before
    assert cells_of(root / "work" / NAME)["exercise-slope"] == mine
    assert printed.read_bytes() == pristine
    assert Log(root / "work").read()[0][0]["number"] == 2


def test_a_renumbered_module_takes_its_notebook_along(root):
    lay_out(root / "work")
    mine = answered(root / "work" / NAME)
    publish(root, lambda solved: solved["metadata"]["dark"].update(module="75"), stem="75-little")
    (update,) = lay_out(root / "work")
    assert [path.name for path in (root / "work").glob("*.ipynb")] == ["75-little.ipynb"]
    assert cells_of(update.path)["exercise-slope"] == mine
    assert read_notebook(update.path)["metadata"]["dark"]["module"] == "75"
    assert update.came_from.name == NAME and update.kept.is_file()


def test_an_answer_follows_its_exercise_into_another_module(root):
    lay_out(root / "work")
    mine = answered(root / "work" / NAME, "minimize")
    parts = json.loads((root / "solutions" / NAME).read_text())
    second = {**parts, "cells": parts["cells"][3:], "metadata": copy.deepcopy(parts["metadata"])}
    second["metadata"]["dark"] |= {"module": "72", "name": "more"}
    del second["metadata"]["dark"]["exercises"]["slope"]
    for folder in ("solutions", "modules"):
        (root / folder / "72-more.ipynb").write_text(json.dumps(second))
    publish(root, lambda solved: solved["cells"].__delitem__(slice(3, None)))
    lay_out(root / "work")
    assert cells_of(root / "work" / "72-more.ipynb")["exercise-minimize"] == mine
    assert "exercise-minimize" not in cells_of(root / "work" / NAME)
    assert not load_module("71").blank["cells"][3:]


def test_a_damaged_notebook_is_named_and_left_alone(root):
    save_file(root / "work" / NAME, "{")
    (update,) = lay_out(root / "work")
    assert "71-little.ipynb: not updated.\n  " in str(update) and "invalid JSON" in str(update)
    assert (root / "work" / NAME).read_text() == "{"


def test_a_folder_that_cannot_be_made_is_a_clear_error(root):
    (root / "work").write_text("a file")
    with pytest.raises(CourseError, match="the notebooks cannot be written"):
        lay_out(root / "work")


def test_an_installed_course_is_copied_beside_you(root, tmp_path, monkeypatch):
    pristine = root / "modules"
    for folder in ("book", "solutions"):
        for path in (root / folder).iterdir():
            path.unlink()
    monkeypatch.setattr(library, "repository_root", lambda: None)
    monkeypatch.setattr(library, "modules_folder", lambda: pristine)
    monkeypatch.setattr(library, "_printed", lambda root: {little.STEM: pristine / NAME})
    here = tmp_path / "here"
    assert working_folder(here) == Path(here, "dark-modules")
    lay_out(working_folder(here))
    assert (here / "dark-modules" / NAME).read_text() == (pristine / NAME).read_text()
