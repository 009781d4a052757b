"""`dark capstone` and `dark capstone start`: five questions, each with a program, data and an empty page."""

import ast
import json
import shutil
import signal
import subprocess
import sys
import time

import pytest

from dark.cli import main
from dark.course.capstone import start as start_file
from dark.course.capstone.page import SECTIONS, sections_of
from dark.course.capstone.project import find_package
from dark.course.capstone.questions import QUESTIONS, find_question
from dark.course.capstone.start import GIVEN, library_text, start
from dark.course.capstone.static_checks import imported
from tests.course.capstone.projects import edit, make_package

every_question = pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.name)


def test_the_questions_are_listed_with_their_data(capsys):
    assert main(["capstone"]) == 0
    told = capsys.readouterr().out
    assert len(QUESTIONS) == 5 and all(each.title in told and each.data in told for each in QUESTIONS)


@every_question
def test_a_skeleton_imports_nothing_but_the_package_and_libraries(question, tmp_path):
    folder, package = start(question, tmp_path / "project", make_package(tmp_path / "mine"))
    names = {path.name for path in folder.iterdir()}
    assert names >= {"run.py", "runs.py", "curves.py", "page.md", "capstone.toml"}
    for path in folder.glob("*.py"):
        source = path.read_text(encoding="utf-8")
        known = {"numpy", "sklearn", package.name, "runs", "curves"}
        assert imported(source) <= known | sys.stdlib_module_names and "PACKAGE" not in source
        assert all(len(line) <= 120 for line in source.splitlines())
        ast.parse(source)
    page = (folder / "page.md").read_text(encoding="utf-8")
    assert page.startswith(f"# {question.title}\n") and "METRIC" not in page and "DATA" not in page
    sections = sections_of(page)
    assert tuple(sections) == SECTIONS and not any(each.is_written for each in sections.values())


def test_what_a_project_gets_passes_the_linter(tmp_path):
    make_package(tmp_path / "mine")
    for question in QUESTIONS:
        start(question, tmp_path / question.name, tmp_path / "mine")
    config = start_file.HERE.parents[2] / "pyproject.toml"
    words = ["--config", config, "--ignore", "I001,B905", *(tmp_path / each.name for each in QUESTIONS)]
    done = subprocess.run([sys.executable, "-m", "ruff", "check", *map(str, words)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_path_of_the_package_is_relative(tmp_path):
    folder, _ = start(find_question("gpt"), tmp_path / "deep" / "project", make_package(tmp_path / "mine"))
    assert 'package = "../../mine"' in (folder / "capstone.toml").read_text()


def test_a_package_is_found_beside_the_project(tmp_path, monkeypatch):
    package = make_package(tmp_path / "mine")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(start_file, "working_folder", lambda: tmp_path / "nothing")
    _, found = start(find_question("gpt"), tmp_path / "project")
    assert found.folder == package and found.name == "mine"


def test_without_a_package_the_command_is_named_that_makes_one(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(start_file, "working_folder", lambda: tmp_path / "work")
    assert main(["capstone", "start", "gpt", "project"]) == 2
    told = capsys.readouterr().err
    assert "no exported package was found." in told and f"Try: dark export {tmp_path}/work/mine" in told
    assert not (tmp_path / "project").exists()


def test_a_folder_that_is_not_a_package_is_refused(tmp_path, capsys):
    assert main(["capstone", "start", "gpt", str(tmp_path / "project"), "--package", str(tmp_path)]) == 2
    assert "this folder does not hold an exported package." in capsys.readouterr().err
    assert find_package(tmp_path) is None


def test_files_of_the_student_are_never_replaced(tmp_path, capsys):
    package = make_package(tmp_path / "mine")
    words = ["capstone", "start", "faster", str(tmp_path / "project"), "--package", str(package)]
    assert main(words) == 0
    edit(tmp_path / "project" / "page.md", "> To write:", "Written:")
    before = {path: path.read_bytes() for path in (tmp_path / "project").iterdir()}
    assert main(words) == 2
    told = capsys.readouterr().err
    assert "this folder is not empty, and nothing was written." in told and "project-2" in told
    assert before == {path: path.read_bytes() for path in (tmp_path / "project").iterdir()}


def test_a_question_that_does_not_exist(capsys):
    assert main(["capstone", "start", "gtp"]) == 2
    told = capsys.readouterr().err
    assert "'gtp' is not one of the questions." in told and "Try: gpt" in told


@pytest.mark.parametrize("words", [["capstone"], ["capstone", "start"], ["capstone", "check"]])
def test_each_action_has_help(words, capsys):
    with pytest.raises(SystemExit) as caught:
        main([*words, "--help"])
    assert caught.value.code == 0 and "usage: dark capstone" in capsys.readouterr().out


def test_the_text_of_the_library_is_plain_and_long_enough():
    text = library_text()
    assert len(text) > 50_000 and text.isascii() and "def " in text


def test_runs_are_resumed_by_the_program_itself(project):
    shutil.rmtree(project.folder / "runs" / "whole-1")
    kept = project.folder / "runs" / "whole-2" / "result.json"
    before = kept.stat().st_mtime_ns
    recorded = (project.folder / "results.json").read_text()
    done = subprocess.run([sys.executable, "run.py"], cwd=project.folder, capture_output=True, text=True)
    assert done.returncode == 0 and "15 of 15: too_fast, seed 5" in done.stdout
    assert kept.stat().st_mtime_ns == before
    curves = [[run["curve"] for run in json.loads(text)["runs"]]
              for text in (recorded, (project.folder / "results.json").read_text())]  # fmt: skip
    assert curves[0] == curves[1]


def test_ctrl_c_stops_the_program_without_a_traceback(project):
    shutil.rmtree(project.folder / "runs")
    edit(project.folder / "run.py", "    def measure(self):\n", "    def measure(self):\n        time.sleep(0.01)\n")
    edit(project.folder / "run.py", "import runs\n", "import time\n\nimport runs\n")
    process = subprocess.Popen([sys.executable, "run.py"], cwd=project.folder, stderr=subprocess.PIPE, text=True,
                               stdout=subprocess.DEVNULL)  # fmt: skip
    while not list((project.folder / "runs").rglob("result.json")):
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=30)[1] == "\nStopped. What is done is kept: the same command continues.\n"
    assert process.returncode == 130


def test_a_changed_program_records_everything_anew(project):
    edit(project.folder / "run.py", "learning_rate=0.3", "learning_rate=0.03")
    before = json.loads((project.folder / "results.json").read_text())["runs"][0]["curve"]
    subprocess.run([sys.executable, "run.py"], cwd=project.folder, check=True, capture_output=True)
    assert json.loads((project.folder / "results.json").read_text())["runs"][0]["curve"] != before


def test_one_run_needs_a_variant_a_seed_and_a_folder(project):
    done = subprocess.run(
        [sys.executable, "run.py", "--variant", "whole"], cwd=project.folder, capture_output=True, text=True
    )
    assert done.returncode == 2 and "one run needs all of --variant, --seed and --out" in done.stderr


def test_the_given_files_are_those_of_the_course(tmp_path):
    folder, _ = start(find_question("optimizer"), tmp_path / "project", make_package(tmp_path / "mine"))
    for name, path in GIVEN.items():
        assert (folder / name).read_bytes() == path.read_bytes()
