"""Tests of finding submissions: every file is listed, by a unique name, with the reason if it cannot be graded."""

import os
from pathlib import Path

import pytest

from dark.errors import UsageError
from dark.grading.uploads import Submission, find_submissions
from dark.grading.uploads.find import EMPTY, LINK, NOT_A_NOTEBOOK

CLASS = ("ann.ipynb", "bob/work.ipynb", "cy/one.ipynb", "cy/two.ipynb", ".ipynb_checkpoints/ann-checkpoint.ipynb")
CLASS += ("bob/.ipynb_checkpoints/work-checkpoint.ipynb", "deep/er/lost.ipynb", "notes.txt")


@pytest.fixture
def folder(tmp_path):
    """Return a folder with the files of a class."""
    for name in CLASS:
        path = tmp_path / "in" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"{}")
    return tmp_path / "in"


def test_submissions_are_the_notebooks_here_and_one_folder_down(folder):
    (folder / "di").mkdir()
    (folder / "di" / "WORK.IPYNB").write_bytes(b"")
    found = [each.name for each in find_submissions(folder) if not each.fault]
    assert found == ["ann", "bob", "cy/one", "cy/two", "di"]


def test_what_is_called_a_notebook_and_cannot_be_graded_is_listed_with_its_fault(folder):
    (folder / "dangling.ipynb").symlink_to("nowhere")
    (folder / "loop.ipynb").symlink_to("loop.ipynb")
    (folder / "folder.ipynb").mkdir()
    (folder / "cy" / "zero.ipynb").symlink_to(os.devnull)
    os.mkfifo(folder / "pipe.ipynb")
    (folder / "up").symlink_to("..")
    (folder / "deep" / "round").symlink_to("..")
    faults = {each.name: each.fault for each in find_submissions(folder) if each.fault}
    assert faults == {
        "cy/zero": LINK,
        "dangling": LINK,
        "deep/er/lost": "It is nested more than one folder deep.",
        "deep/round": LINK,
        "folder": EMPTY,
        "loop": LINK,
        "notes.txt": NOT_A_NOTEBOOK,
        "pipe": "It is not a regular file.",
        "up": LINK,
    }


def test_a_student_without_a_notebook_is_listed_with_each_file(folder):
    for name in ("gil/answer.py", "gil/work.ipynb.txt", "bob/data.csv", "hal.zip"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(b"")
    (folder / "ina").mkdir()
    (folder / "bob" / "nothing").mkdir()
    faults = {each.name: each.fault for each in find_submissions(folder)}
    assert faults["gil/answer.py"] == faults["gil/work.ipynb.txt"] == NOT_A_NOTEBOOK
    assert faults["hal.zip"] == "It is not a zip, or only a part of one."
    assert faults["ina"] == EMPTY
    assert faults["bob"] == "" and not {"bob/data.csv", "bob/nothing"} & faults.keys()


def test_a_name_that_is_not_utf_8_is_graded(folder):
    path = os.fsencode(folder) + b"/\xff.ipynb"
    with open(path, "wb") as file:
        file.write(b"{}")
    assert "\\udcff" in [each.name for each in find_submissions(folder)]


def test_a_folder_that_cannot_be_read_is_listed(folder, monkeypatch):
    real = Path.iterdir

    def guarded(path):
        if path.name == "cy":
            raise PermissionError(13, "Permission denied")
        return real(path)

    monkeypatch.setattr(Path, "iterdir", guarded)
    faults = {each.name: each.fault for each in find_submissions(folder)}
    assert faults["cy"] == "The folder cannot be read (Permission denied)."


def test_a_name_that_two_would_have_becomes_the_path(folder):
    (folder / "ann").mkdir()
    (folder / "ann" / "x.ipynb").write_bytes(b"")
    assert [each.name for each in find_submissions(folder)][:2] == ["ann", "ann/x"]


def test_slugs_are_plain_and_never_equal():
    names = ["a/b", "a_b", "../../etc", "A_B", "é", "", "x" * 300]
    slugs = [Submission(name, Path("f")).slug for name in names]
    assert len({slug.lower() for slug in slugs}) == len(names)
    assert all("/" not in slug and not slug.startswith(".") and len(slug) < 80 for slug in slugs)


@pytest.mark.parametrize(
    ("name", "what"),
    [("nowhere", "does not exist"), ("notes.txt", "is a file"), ("deep/er/none", "contains no notebook")],
)
def test_a_folder_without_notebooks_is_a_usage_error(folder, name, what):
    (folder / "deep" / "er" / "none").mkdir()
    with pytest.raises(UsageError, match=f"{what}(.|\n)*Expected: (.|\n)*Try: "):
        find_submissions(folder / name)
