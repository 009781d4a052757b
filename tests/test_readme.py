"""Every code block of the pages at the root and of the book's first page runs alone, and prints what it says."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import dark
from dark.course.lessons.library import load_module, modules

ROOT = Path(__file__).parents[1]
PAGES = [
    ROOT / name
    for name in ("README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "CHANGELOG.md", "book/index.md", "book/glossary.md")
]
BLOCK = re.compile(r"^```(\w+|\{[\w-]+\})?[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PROMISE = re.compile(r"^ *print\(.*\)  # (.*)$", re.MULTILINE)
NOT_RUN = ("make ", "git clone ", ". .venv/", "python -m pip ", "pre-commit ")  # installs, or needs a network
RUN_ELSEWHERE = ("dark build",)  # by tests/exams/test_printed.py, which prints all notebooks
NEEDED = ("book", "dark", "examples", "modules", "solutions", "tests", "conftest.py", "pyproject.toml", ".gitignore")
EXIT_CODE_1 = ("dark check", "dark progress", "pytest ")  # 1 for blank notebooks


def blocks(page, *languages):
    """List the fenced blocks of a page in these languages, in order."""
    found = BLOCK.findall(page.read_text(encoding="utf-8"))
    return [text for language, text in found if language in languages]


def commands(text):
    """Return the lines of a shell block that are executed here, without prompts."""
    lines = [line.removeprefix("$ ").partition("  #")[0].strip() for line in text.splitlines()]
    return [line for line in lines if line and not line.startswith((*NOT_RUN, *RUN_ELSEWHERE, "#"))]


PYTHON = [(page.name, text) for page in PAGES for text in blocks(page, "python")]
SHELL = [(page.name, text) for page in PAGES for text in blocks(page, "sh", "console")]
EXECUTED = [(page, text) for page, text in SHELL if commands(text)]


@pytest.fixture
def copy(tmp_path):
    """Copy the files that the commands use, so that they may write."""
    skip = shutil.ignore_patterns("__pycache__", ".dark", ".ipynb_checkpoints")
    for name in NEEDED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, tmp_path / name, ignore=skip)
        elif source.exists():
            shutil.copy(source, tmp_path / name)
    return tmp_path


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_block_says_its_language(page):
    known = {"python", "sh", "console", "text", "mermaid", "{toctree}", "{glossary}", "{live-graph}", "{picture}"}
    languages = {language for language, _ in BLOCK.findall(page.read_text(encoding="utf-8"))}
    assert languages <= known, f"no test runs {sorted(languages - known)}"


def headings(page, level):
    """List the headings of a page of one level, in order, without what is in code blocks."""
    text = BLOCK.sub("", page.read_text(encoding="utf-8"))
    return re.findall(rf"^{'#' * level} (.+)$", text, re.MULTILINE)


@pytest.mark.parametrize("page", [page for page in PAGES if page.name != "CHANGELOG.md"], ids=lambda page: page.name)
def test_no_two_sections_of_a_page_have_the_same_name(page):
    names = [name for level in (1, 2, 3) for name in headings(page, level)]
    assert names and len(set(names)) == len(names)


def test_the_readme_begins_with_what_one_can_do_then_the_start_then_the_course():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    begin, start, _ = text.split("\n## ", 2)
    assert "you can\n\n- " in begin and "It is for you if" in begin and "hours" in begin and "![" in begin
    assert [line for line in start.splitlines() if line.startswith(("git clone", "make"))][-1] == "make lab"
    assert headings(ROOT / "README.md", 3)[:3] == ["Follow the course", "Draw a graph", "Train a network"]


def test_the_first_pages_tell_the_true_numbers_of_modules_exercises_and_hours():
    numbers = (
        "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
        "fourteen", "fifteen", "sixteen", "seventeen",
    )  # fmt: skip
    found = [load_module(name) for name in modules()]
    exercises, hours = sum(len(each.exercises) for each in found), sum(each.minutes for each in found) / 60
    begin = (ROOT / "README.md").read_text(encoding="utf-8").partition("\n## ")[0]
    index = (ROOT / "book" / "index.md").read_text(encoding="utf-8")
    whole = numbers[int(found[-1].id) - 1]  # the last is the capstone
    assert f"the {whole} modules, with {exercises} exercises and about {hours:.0f} hours, you can" in " ".join(
        begin.split()
    )
    assert f"{whole} modules, {exercises} exercises, about {hours:.0f} hours, and then a project" in " ".join(
        index.split()
    )
    assert f"the {whole} modules, with the [project]" in index


def test_the_first_page_of_the_book_links_each_module():
    index = (ROOT / "book" / "index.md").read_text(encoding="utf-8")
    linked = re.findall(r"\[\d\d\]\((\d\d-[\w-]+)\.md\)", index)
    assert linked == list(modules())


def test_the_work_of_a_student_is_ignored_and_never_in_a_package():
    ignored = (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    assert "work/" in ignored and "dark-modules/" in ignored


def test_there_are_as_many_ways_as_the_heading_says():
    (ways,) = (name for name in headings(ROOT / "README.md", 2) if "ways" in name)
    assert len(headings(ROOT / "README.md", 3)) == {"Three": 3, "Four": 4, "Five": 5, "Six": 6}[ways.split()[0]]


def test_the_readme_says_what_the_words_of_the_card_mean():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    losses = text.partition("### A loss as an object\n")[2].partition("\n### ")[0]
    for word in ("A *context* holds", "An *executor* is", "A *distribution strategy* divides"):
        assert word in losses
    drawing = text.partition("### Draw a graph\n")[2].partition("\n### ")[0]
    assert "Graphviz" in drawing and "ipywidgets" in drawing
    assert "dark.is_training" in text and "dark.manual_seed" in text


@pytest.mark.parametrize(("page", "text"), PYTHON, ids=[f"{page}-{k}" for k, (page, _) in enumerate(PYTHON)])
def test_each_python_block_runs_alone_and_prints_what_it_says(page, text, tmp_path):
    if "import torch\n" in text:
        pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", text], cwd=tmp_path, env=environment, text=True, capture_output=True
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == PROMISE.findall(text)


@pytest.mark.long
@pytest.mark.parametrize(("page", "text"), EXECUTED, ids=[f"{n}-{commands(t)[0]}" for n, t in EXECUTED])
def test_the_shell_blocks_run(page, text, copy):
    lines = [f"{line} || [ $? = 1 ]" if line.startswith(EXIT_CODE_1) else line for line in commands(text)]
    environment = {
        **os.environ,
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        "PYTHONPATH": str(copy),
    }
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "start_new_session": True}
    process = subprocess.Popen(["sh", "-e", "-c", "\n".join(lines)], cwd=copy, env=environment, **streams)
    try:
        printed, errors = process.communicate(timeout=900)  # a command that does not end, such as a server, fails
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        raise
    assert process.returncode == 0, printed + errors
    assert "Traceback" not in errors


def test_the_readme_has_the_commands_of_nbval_and_pytest():
    text = (ROOT / "README.md").read_text(encoding="utf-8").partition("\n## Run the autograder\n")[2]
    for command in ("pytest --nbval-lax work/", "pytest tests/exams --student work/"):
        assert f"\n{command}" in text.partition("\n## ")[0]


def test_the_targets_that_are_named_exist():
    named = {target for _, text in SHELL for target in re.findall(r"^make ([\w-]+)", text, re.MULTILINE)}
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert named >= {"lab", "test", "test-all"}
    assert all(f"\n{target}:" in makefile for target in named)


def test_the_activated_environment_knows_the_command():
    activate = Path(sys.prefix) / "bin" / "activate"
    if not activate.exists():
        pytest.skip("this Python is not in a virtual environment")
    assert ". .venv/bin/activate" in (ROOT / "README.md").read_text(encoding="utf-8")
    found = subprocess.run(["sh", "-c", f". '{activate}'; command -v dark"], capture_output=True, text=True)
    assert Path(found.stdout.strip()).parent == activate.parent


def test_git_and_ruff_leave_submissions_and_notebooks_alone(copy):
    bad = {"cells": [{"cell_type": "code", "source": "import os, sys; l = 1", "metadata": {}, "outputs": []}]}
    for folder in ("submissions", "report", "elsewhere"):
        (copy / folder).mkdir()
        (copy / folder / "blank.ipynb").write_text(json.dumps({**bad, "metadata": {}, "nbformat": 4}))
    ruff = Path(sys.executable).with_name("ruff")
    command = [ruff, "check", "modules", "submissions", "report", "elsewhere"]
    linted = subprocess.run(command, cwd=copy, capture_output=True, text=True)
    assert linted.returncode == 0, linted.stdout
    subprocess.run(["git", "init", "-q"], cwd=copy, check=True)
    status = subprocess.run(["git", "status", "--porcelain"], cwd=copy, check=True, capture_output=True, text=True)
    assert "elsewhere/" in status.stdout
    assert "submissions" not in status.stdout and "report/" not in status.stdout


def test_every_linked_or_listed_file_exists():
    pages = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "benchmarks/README.md")]
    for page in pages:
        text = page.read_text(encoding="utf-8")
        links = [link for link in re.findall(r"\]\(([^)]+)\)", text) if "://" not in link]
        assert all((page.parent / link).exists() for link in links), page.name
    listed = re.findall(r"^\| `([\w/.]+)` \|", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert listed and all((ROOT / path).exists() for path in listed)


def test_the_picture_is_the_one_that_the_readme_makes(copy):
    picture = copy / "book" / "_static" / "quadratic.svg"
    before = picture.read_text(encoding="utf-8")
    command = [sys.executable, "-m", "dark", "draw", "examples/quadratic.py:fx", "-o", str(picture)]
    subprocess.run(command, cwd=copy, env={**os.environ, "PYTHONPATH": str(copy)}, check=True, capture_output=True)
    assert picture.read_text(encoding="utf-8") == before


def test_the_drawing_of_the_architecture_shows_what_its_table_allows():
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    table = {name: re.findall(r"`(\w+)`", row) for name, row in re.findall(r"^\| `(\w+)` \|([^|]*)\|", text, re.M)}
    drawn = re.findall(r"^ +(\w+) --> (\w+)$", text, re.MULTILINE)
    assert drawn and all(imported in table[package] for package, imported in drawn)
    assert all((ROOT / "dark" / package).exists() for package, _ in drawn)


def test_the_citation_has_the_version_of_the_package():
    assert f"\nversion: {dark.__version__}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
