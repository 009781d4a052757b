"""The files that start the course elsewhere, the page about them, and what an installed package says."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from dark.cli.setup_advice import setup_advice
from dark.course.lessons import library
from dark.course.printing.solved_notebook import HOSTED

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "book" / "where_to_run.md").read_text(encoding="utf-8")


class Shell:
    """A shell of IPython that notes its magics."""

    def __init__(self, kind):
        self.kind, self.ran = kind, []

    def __str__(self):
        return self.kind

    def run_line_magic(self, *words):
        self.ran.append(words)


@pytest.mark.parametrize(
    ("kind", "variable", "runs"),
    [
        ("<google.colab._shell.Shell>", "", True),
        ("<ipykernel>", "KAGGLE_KERNEL_RUN_TYPE", True),
        ("<ipykernel>", "", False),
    ],
)
def test_the_first_cell_installs_only_on_colab_and_kaggle(monkeypatch, kind, variable, runs):
    monkeypatch.delenv("KAGGLE_KERNEL_RUN_TYPE", raising=False)
    if variable:
        monkeypatch.setenv(variable, "Interactive")
    shell = Shell(kind)
    names = {"get_ipython": lambda: shell}
    before = set(names) | {"__builtins__"}
    exec(HOSTED, names)
    assert shell.ran == ([("pip", "install -q dark-course anywidget")] if runs else []) and set(names) == before


def test_the_containers_install_the_extra_and_make_the_notebooks():
    settings = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text())
    assert "'.[lab]' && dark update" in settings["postCreateCommand"]
    opened = settings["customizations"]["codespaces"]["openFiles"]
    assert all((ROOT / "modules" / Path(name).name).is_file() for name in opened)
    assert (ROOT / "binder" / "requirements.txt").read_text().strip() == "-e .[lab]"
    assert "dark update" in (ROOT / "binder" / "postBuild").read_text()
    assert (ROOT / "binder" / "postBuild").stat().st_mode & 0o100


def test_the_dockerfile_runs_a_command_that_dark_has():
    lines = (ROOT / "Dockerfile").read_text().replace("\\\n", " ").splitlines()
    steps = [line.split(" ", 1) for line in lines if line and not line.startswith("#")]
    assert {word for word, _ in steps} <= {"FROM", "COPY", "RUN", "USER", "WORKDIR", "VOLUME", "EXPOSE", "CMD"}
    assert steps[0][0] == "FROM" and steps[-1][0] == "CMD" and ["USER", "student"] in steps
    assert any(words.startswith("pip install --no-cache-dir -e ") for step, words in steps if step == "RUN")
    assert ["VOLUME", "/opt/dark/work"] in steps and "-v dark-work:/opt/dark/work" in PAGE
    command = json.loads(steps[-1][1])
    help_text = subprocess.run([sys.executable, "-m", "dark", "lab", "--help"], capture_output=True, text=True).stdout
    assert command[:2] == ["dark", "lab"] and all(word in help_text for word in command if word.startswith("--"))
    assert ".venv" in (ROOT / ".dockerignore").read_text().split()


def test_the_page_names_each_file_and_its_commands_are_commands():
    index = (ROOT / "book" / "index.md").read_text(encoding="utf-8")
    assert re.search(r"^where_to_run$", index, re.MULTILINE)
    for name in (".devcontainer/devcontainer.json", "binder/", "Dockerfile"):
        assert f"`{name}`" in PAGE and (ROOT / name).exists()
    for words in set(re.findall(r"^dark (\w+)", PAGE, re.MULTILINE)):
        assert (ROOT / "dark" / "cli" / "commands" / f"{words}.py").is_file()


def test_without_a_repository_the_folder_is_not_nested(tmp_path, monkeypatch):
    monkeypatch.setattr(library, "repository_root", lambda: None)
    inside = tmp_path / "dark-modules"
    assert library.working_folder(tmp_path) == library.working_folder(inside) == inside


def test_the_advice_names_make_only_to_who_has_it(tmp_path, monkeypatch):
    (tmp_path / "Makefile").touch()
    assert setup_advice(tmp_path / "site-packages") == 'python -m pip install "dark-course[lab]"'
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert setup_advice(tmp_path) == f'python -m pip install -e "{tmp_path}[lab]"'
