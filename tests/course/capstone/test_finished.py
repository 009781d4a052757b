"""A finished project joins the map, `dark progress` and the book; one that has changed since leaves them."""

import os
import subprocess
import sys

import pytest

from dark.cli import main
from dark.course.capstone.finished import MARK, finished_projects, is_finished, mark_finished, projects_in
from dark.course.lessons.library import load_module, modules, repository_root
from dark.course.lessons.notebook_files import notebook_text
from dark.course.student.course_map import course_map, owned_card, summary_lines
from tests.course.capstone.projects import edit

LAST = modules()[-1]
BOOK = repository_root() / "book"


def test_a_project_is_finished_as_long_as_nothing_changes(project):
    assert not is_finished(project) and finished_projects(project.folder.parent) == []
    mark_finished(project)
    assert is_finished(project) and finished_projects(project.folder.parent) == [project]
    (project.folder / "__pycache__").mkdir(exist_ok=True)
    assert is_finished(project)


@pytest.mark.parametrize("name", ["page.md", "results.json", "curves.svg", "run.py", "runs.py", "capstone.toml"])
def test_any_change_of_the_project_asks_for_a_new_check(project, name):
    mark_finished(project)
    with open(project.folder / name, "a") as file:
        file.write("\n")
    assert not is_finished(project)


def test_a_change_of_the_package_asks_for_a_new_check(project):
    mark_finished(project)
    with open(project.package.folder / "mine" / "_05_answers.py", "a") as file:
        file.write("\n")
    assert not is_finished(project)


def test_a_project_without_a_package_is_left_out(project):
    (project.package.folder / "pyproject.toml").unlink()
    assert projects_in(project.folder.parent) == []


@pytest.mark.long
def test_a_check_marks_a_project_only_if_nothing_is_missing(project, capsys):
    (project.folder / "page.md").rename(project.folder / "later.md")
    assert main(["capstone", "check", str(project.folder)]) == 1
    assert not (project.folder / MARK).exists()
    (project.folder / "later.md").rename(project.folder / "page.md")
    assert main(["capstone", "check", str(project.folder)]) == 0
    assert is_finished(project) and "make book" in capsys.readouterr().out


def test_a_finished_project_stands_in_progress_and_on_the_map(project, capsys):
    file = project.folder.parent / f"{LAST}.ipynb"
    file.write_text(notebook_text(load_module(LAST).blank), encoding="utf-8")
    mark_finished(project)
    assert main(["progress", LAST, "--file", str(file)]) == 0
    assert capsys.readouterr().out.endswith("\n✓  project\n")
    number = LAST[:2]
    assert course_map(None, {number: 1}).contents.rows[-1][4] == "yours"
    assert f"✓ yours: {load_module(LAST).yours}" in summary_lines({number: 1})[-1]
    shown = owned_card(load_module(LAST), {number: 1})
    assert shown.ok and shown.text.startswith(f"✓ Module {number} is yours: 1 project finished.")


def build(source, work, out):
    """Build a small book with the settings of the course's book; return what is printed."""
    extensions = "extensions=myst_nb,pages,folding,capstones"
    words = ["-W", "-b", "html", "-c", str(BOOK), "-D", extensions, str(source), str(out)]
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", *words],
        env={**os.environ, "DARK_WORK": str(work), "PYTHONPATH": str(BOOK.parent)}, text=True, capture_output=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture
def source(tmp_path):
    """Return a folder with the first page of a book, with the table of contents of the course's first part."""
    pytest.importorskip("sphinx_book_theme", reason="the extra 'book' is not installed")
    folder = tmp_path / "source"
    folder.mkdir()
    index = (BOOK / "index.md").read_text(encoding="utf-8")
    start = index.index('```{toctree}\n:caption: "Part I')
    contents = index[start : index.index("```", start + 3) + 3]
    (folder / "index.md").write_text(f"# Book\n\n{contents}\n", encoding="utf-8")
    (folder / "01-one.md").write_text("# One\n\nA module.\n", encoding="utf-8")
    return folder


@pytest.mark.long
def test_the_page_of_a_finished_project_joins_the_book(project, source, tmp_path):
    mark_finished(project)
    build(source, project.folder.parent, tmp_path / "html")
    page = (tmp_path / "html" / "capstones" / "project" / "page.html").read_text(encoding="utf-8")
    for told in ("Two rings", "mean", "without_hidden", "<table", "Program", "class"):
        assert told in page
    assert list((tmp_path / "html" / "_images").glob("curves*.svg"))
    assert "capstones/project/page.html" in (tmp_path / "html" / "index.html").read_text(encoding="utf-8")
    edit(project.folder / "page.md", "Two rings", "Three rings")
    told = build(source, project.folder.parent, tmp_path / "again")
    assert "project is not in the book: dark capstone check" in told
    assert not (tmp_path / "again" / "capstones").exists() and not (source / "capstones").exists()


def test_a_book_without_projects_is_built_as_before(source, tmp_path):
    build(source, tmp_path / "nothing", tmp_path / "html")
    assert (tmp_path / "html" / "01-one.html").is_file() and not (tmp_path / "html" / "capstones").exists()
