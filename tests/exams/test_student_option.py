"""Tests of `pytest tests/exams --student FILE`, run as a student runs it, in a separate process."""

import json
import subprocess
import sys

import pytest

from dark.course.lessons.library import load_module, repository_root


def ask(*words, folder=None):
    """Run the exam as a student does, in the repository or in a folder of notebooks; return exit code and output."""
    root = repository_root()
    command = [sys.executable, "-m", "pytest", str(root / "tests" / "exams"), "-p", "no:cacheprovider", *words]
    done = subprocess.run(command, cwd=folder or root, capture_output=True, text=True, timeout=300)
    return done.returncode, done.stdout + done.stderr


@pytest.fixture
def notebook(tmp_path):
    """Return a notebook of module 01 in which one exercise is solved."""
    module = load_module("01")
    answer = {"exercise-slope": {"source": module.exercises["slope"].solution}}
    cells = [cell | answer.get(cell["id"], {}) for cell in module.blank["cells"]]
    path = tmp_path / "mine.ipynb"
    path.write_text(json.dumps(module.blank | {"cells": cells}))
    return path


@pytest.mark.long
def test_each_question_is_an_item_and_a_failure_is_a_report_without_a_traceback(notebook):
    code, printed = ask("--student", str(notebook), "-rA")
    assert code == 1
    assert "PASSED tests/exams/test_student.py::test_the_answer_is_right[slope/" in printed
    assert "FAILED tests/exams/test_student.py::test_the_answer_is_right[backward/" in printed
    assert "· backward: not attempted" in printed
    assert "Traceback" not in printed
    assert "test_proof" not in printed


@pytest.mark.long
def test_a_file_that_is_not_there_is_a_usage_error():
    code, printed = ask("--student", "gone.ipynb")
    assert code == pytest.ExitCode.USAGE_ERROR
    assert "gone.ipynb: cannot be read" in printed


@pytest.mark.long
def test_a_module_that_does_not_exist_is_a_usage_error():
    code, printed = ask("--student", "99")
    assert code == pytest.ExitCode.USAGE_ERROR
    assert "the module '99' does not exist" in printed


@pytest.mark.long
def test_without_a_file_the_notebooks_in_the_students_folder_are_asked(notebook):
    notebook.rename(notebook.with_name(f"{load_module('01').stem}.ipynb"))
    for words in (["--student"], ["--student", "01"]):
        code, printed = ask(*words, "--collect-only", "-q", folder=notebook.parent)
        assert code == 0 and "test_the_answer_is_right[slope/" in printed
        assert "test_proof" not in printed
