"""Every code block of the README and of the book's first page runs, and prints what it says."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / name for name in ("README.md", "CHANGELOG.md", "book/index.md", "book/glossary.md")]
BLOCK = re.compile(r"^```(\w+|\{[\w-]+\})?[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PROMISE = re.compile(r"^print\(.*\)  # (.*)$", re.MULTILINE)
NOT_RUN = ("make ", "git clone ", ". .venv/")  # what sets up or needs a network; looked up instead
NEEDED = ("book", "dark", "docs", "examples", "modules", "solutions", "tests", "pyproject.toml", ".gitignore")
NOT_GREEN = ("dark check", "dark grade")  # blank notebooks are among theirs: "not attempted" is 1


def blocks(page, *languages):
    """List the fenced blocks of a page in these languages, in order."""
    found = BLOCK.findall(page.read_text(encoding="utf-8"))
    return [text for language, text in found if language in languages]


SHELL = [(page.name, text) for page in PAGES for text in blocks(page, "sh", "console")]


def commands(text):
    """Return the lines of a shell block that are run here, without prompts."""
    lines = [line.removeprefix("$ ").strip() for line in text.splitlines()]
    return [line for line in lines if line and not line.startswith((*NOT_RUN, "#"))]


@pytest.fixture
def copy(tmp_path):
    """Copy what the commands work on, so that they may write."""
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
    known = {"python", "sh", "console", "text", "{toctree}", "{glossary}"}
    languages = {language for language, _ in BLOCK.findall(page.read_text(encoding="utf-8"))}
    assert languages <= known, f"no test runs {sorted(languages - known)}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_python_blocks_run_in_order_and_print_what_they_say(page, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    namespace = {"__name__": "__main__"}
    for text in blocks(page, "python"):
        exec(compile(text, page.name, "exec"), namespace)
        assert capsys.readouterr().out.splitlines() == PROMISE.findall(text)


@pytest.mark.parametrize(("page", "text"), SHELL, ids=[f"{n}-{t.split()[0]}" for n, t in SHELL])
def test_the_shell_blocks_run(page, text, copy):
    lines = commands(text)
    environment = {
        **os.environ,
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        "PYTHONPATH": str(copy),
    }
    done = subprocess.run(
        ["sh", "-e", "-c", "\n".join(lines)], cwd=copy, env=environment, text=True, capture_output=True
    )
    allowed = (0, 1) if lines and lines[-1].startswith(NOT_GREEN) else (0,)
    assert done.returncode in allowed, done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_the_targets_that_are_named_exist():
    named = {target for _, text in SHELL for target in re.findall(r"^make (\w+)", text, re.MULTILINE)}
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert named and all(f"\n{target}:" in makefile for target in named)


def test_the_activated_environment_knows_the_command():
    activate = Path(sys.prefix) / "bin" / "activate"
    if not activate.exists():
        pytest.skip("this Python is in no environment that can be activated")
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


def test_every_file_that_is_linked_or_listed_exists():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    links = [link for link in re.findall(r"\]\(([^)]+)\)", text) if "://" not in link]
    listed = re.findall(r"^\| `([\w/.]+)` \|", text, re.MULTILINE)
    missing = [path for path in links + listed if not (ROOT / path).exists()]
    assert not missing


def test_the_picture_is_the_one_that_the_readme_makes(copy):
    picture = copy / "docs" / "quadratic.svg"
    before = picture.read_text(encoding="utf-8")
    command = [sys.executable, "-m", "dark", "draw", "examples/quadratic.py:fx", "-o", str(picture)]
    subprocess.run(command, cwd=copy, env={**os.environ, "PYTHONPATH": str(copy)}, check=True, capture_output=True)
    assert picture.read_text(encoding="utf-8") == before
