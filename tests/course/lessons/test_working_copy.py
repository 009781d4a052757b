"""The student's folder: copied once, completed later, never overwritten."""

from pathlib import Path

import pytest

from dark.course.lessons import library
from dark.course.lessons.working_copy import copy_missing, working_folder
from dark.errors import CourseError


@pytest.fixture
def pristine(tmp_path):
    folder = tmp_path / "pristine"
    folder.mkdir()
    for name in ("01-one.ipynb", "02-two.ipynb"):
        (folder / name).write_text(f"printed {name}")
    return folder


def test_all_modules_are_copied_at_first(pristine, tmp_path):
    written = copy_missing(pristine, tmp_path / "mine")
    assert [path.name for path in written] == ["01-one.ipynb", "02-two.ipynb"]
    assert written[1].read_text() == "printed 02-two.ipynb"


def test_a_students_file_is_never_overwritten(pristine, tmp_path):
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "01-one.ipynb").write_text("my work")
    assert [path.name for path in copy_missing(pristine, mine)] == ["02-two.ipynb"]
    assert (mine / "01-one.ipynb").read_text() == "my work"
    assert copy_missing(pristine, mine) == []


def test_a_folder_that_cannot_be_made_is_a_clear_error(pristine, tmp_path):
    (tmp_path / "mine").write_text("a file")
    with pytest.raises(CourseError, match="the modules cannot be copied to this folder"):
        copy_missing(pristine, tmp_path / "mine")


def test_in_the_repository_the_modules_themselves_are_used():
    assert working_folder() == library.modules_folder()


def test_an_installed_course_is_copied_beside_you(pristine, tmp_path, monkeypatch):
    monkeypatch.setattr(library, "repository_root", lambda: None)
    monkeypatch.setattr(library, "modules_folder", lambda: pristine)
    folder = working_folder(tmp_path)
    assert folder == Path(tmp_path, "dark-modules")
    assert (folder / "01-one.ipynb").read_text() == "printed 01-one.ipynb"
