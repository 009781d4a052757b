"""Modules, exercises and paths are found; errors name what is missing or damaged."""

import json

import pytest

from dark.course.lessons import library
from dark.course.lessons.library import find_exercise, fresh_cell, load_module, modules, notebook_path, repository_root
from dark.course.lessons.notebook_files import notebook_text, save_file
from dark.errors import CourseError
from tests.course.sample import sample


@pytest.fixture
def course(tmp_path, monkeypatch):
    """Return a repository with one printed module, and nothing else."""
    (tmp_path / "book").mkdir()
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "dark-course"\n')
    _, blank, solved = sample(tmp_path)
    save_file(tmp_path / "solutions" / "07-small.ipynb", notebook_text(solved))
    save_file(tmp_path / "modules" / "07-small.ipynb", notebook_text(blank))
    monkeypatch.setattr(library, "repository_root", lambda: tmp_path)
    return tmp_path


@pytest.fixture
def installed(course, monkeypatch):
    """Return an installed package instead, which holds the blank notebooks alone."""
    package = course / "dark"
    (course / "modules").rename(course / "_modules")
    package.mkdir()
    (course / "_modules").rename(package / "_modules")
    monkeypatch.setattr(library, "repository_root", lambda: None)
    monkeypatch.setattr(library, "PACKAGE", package)
    return course


@pytest.mark.parametrize("name", ["07", "small", "07-small"])
def test_a_module_has_a_number_and_a_name(course, name):
    module = load_module(name)
    assert (module.id, module.name, module.title, module.stem) == ("07", "small", "Small numbers", "07-small")
    assert modules() == ("07-small",)


def test_a_module_holds_its_code_in_order(course):
    module = load_module("07")
    assert [(part.kind, part.exercise) for part in module.parts] == [
        ("given", None), ("given", None), ("exercise", "twice"), ("exercise", "double"),
    ]  # fmt: skip
    assert "return 2 * x" in module.parts[2].source


def test_what_the_first_cell_imports_every_answer_has(course):
    assert load_module("07").parts[0].source == "import math"


def test_an_exercise_holds_all_that_was_written_about_it(course):
    exercise = find_exercise("double")
    assert exercise == load_module("07").exercises["double"] == find_exercise("double", "small")
    assert (exercise.module, exercise.defines, exercise.minutes, exercise.difficulty) == ("07", ("Box.double",), 5, 1)
    assert [hint.text for hint in exercise.hints] == ["A nudge.", "A picture.", "pseudo\ncode", "A sibling."]
    assert [hint.draw for hint in exercise.hints] == [None, "3\n", None, None]
    assert exercise.why == "So.\nNext."
    assert "raise NotImplementedError" in exercise.stub
    assert "twice(self.value)" in exercise.solution


def test_the_blank_notebook_is_the_one_that_is_printed(course):
    printed = json.loads((course / "modules" / "07-small.ipynb").read_text(encoding="utf-8"))
    assert notebook_text(load_module("07").blank) == notebook_text(printed)


def test_a_fresh_cell_is_the_printed_one_and_a_copy(course):
    exercise = find_exercise("twice")
    cell = fresh_cell(exercise)
    assert (cell["id"], cell["source"], cell["outputs"]) == ("exercise-twice", exercise.stub, [])
    cell["metadata"]["mine"] = 1
    assert "mine" not in fresh_cell(exercise)["metadata"]


def test_without_solutions_the_stub_is_all_there_is(installed):
    exercise = find_exercise("twice")
    assert exercise.solution is None
    assert load_module("07").parts[2].source == exercise.stub


def test_without_solutions_a_students_answer_is_not_a_stub(installed):
    path = installed / "dark" / "_modules" / "07-small.ipynb"
    notebook = json.loads(path.read_text(encoding="utf-8"))
    cell = next(cell for cell in notebook["cells"] if cell["id"] == "exercise-twice")
    cell["source"] = ["def twice(x):\n", "    return x + x"]
    save_file(path, notebook_text(notebook))
    assert find_exercise("twice").stub == ""


def test_a_newer_print_is_seen_at_once(course):
    before = load_module("07")
    path = course / "solutions" / "07-small.ipynb"
    save_file(path, path.read_text(encoding="utf-8").replace("Small numbers", "Small things"))
    assert load_module("07").title == "Small things" != before.title


def test_while_building_the_new_print_is_read(course, monkeypatch, tmp_path):
    folder = tmp_path / "new"
    text = (course / "solutions" / "07-small.ipynb").read_text(encoding="utf-8")
    save_file(folder / "07-small.ipynb", text.replace("Small numbers", "New numbers"))
    monkeypatch.setenv("DARK_SOLUTIONS", str(folder))
    assert load_module("07").title == "New numbers"


def test_unknown_names_come_with_near_misses(course):
    with pytest.raises(CourseError, match=r"the module 'smal' does not exist(?s:.*)07-small(?s:.*)Try: small"):
        load_module("smal")
    with pytest.raises(CourseError, match=r"the course has no exercise 'twize'(?s:.*)Try: twice"):
        find_exercise("twize")
    with pytest.raises(CourseError, match="module 07-small has no exercise 'x'"):
        find_exercise("x", "07")


def test_an_empty_course_says_how_to_print_it(course):
    (course / "solutions" / "07-small.ipynb").unlink()
    (course / "modules" / "07-small.ipynb").unlink()
    with pytest.raises(CourseError, match="no module is printed\n  Try: dark build"):
        load_module("07")
    with pytest.raises(CourseError, match="a printed module.\n  Try: dark build"):
        find_exercise("twice")


def test_a_damaged_notebook_is_named(course):
    path = course / "solutions" / "07-small.ipynb"
    text = path.read_text(encoding="utf-8")
    path.write_text(text[:100])
    with pytest.raises(CourseError, match="07-small.ipynb: not a notebook: invalid JSON"):
        load_module("07")
    notebook = json.loads(text)
    del notebook["metadata"]["dark"]["exercises"]["twice"]
    path.write_text(json.dumps(notebook))
    with pytest.raises(CourseError, match=r"07-small.ipynb: the course metadata is damaged \(KeyError: 'twice'\)"):
        load_module("07")


def test_the_students_notebook_is_here_or_in_work_and_never_the_printed_one(course, tmp_path, monkeypatch):
    here = tmp_path / "here"
    here.mkdir()
    assert notebook_path("07", here) == course / "work" / "07-small.ipynb"
    assert notebook_path("07", course / "modules") == course / "work" / "07-small.ipynb"
    (here / "07-small.ipynb").touch()
    assert notebook_path("07", here) == here / "07-small.ipynb"


def test_outside_the_repository_it_is_in_the_folder_of_copies(installed):
    assert notebook_path("07", installed).relative_to(installed).as_posix() == "dark-modules/07-small.ipynb"
    assert library.modules_folder() == installed / "dark" / "_modules"


def test_the_repository_is_found_from_below(course):
    deep = course / "dark" / "course"
    deep.mkdir(parents=True)
    assert repository_root(deep) == course
    assert library.modules_folder() == course / "modules"


def test_a_folder_that_is_not_a_repository_is_none(tmp_path):
    assert repository_root(tmp_path) is None


def test_the_ids_of_the_exercises_are_unique_in_the_course():
    ids = [name for stem in modules() for name in load_module(stem).exercises]
    assert len(ids) > 20 and len(set(ids)) == len(ids)
    assert all(find_exercise(name).id == name for name in ids)
