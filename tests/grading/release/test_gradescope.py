"""A release as an autograder of Gradescope: what is in the zip, and what its script writes for a submission."""

import io
import json
import os
import shutil
import stat
import subprocess
import sys
import zipfile

import pytest

from dark.cli import autograder, main
from dark.course.lessons.library import repository_root
from dark.grading.exports.gradescope import describe
from dark.grading.grader.grade import load_assignment
from dark.grading.release import choose
from dark.grading.release.gradescope_autograder import autograder_zip

QUESTION = '''
from dark.course.exams import Exam, Float

exam = Exam("01")


@exam.question("slope", hidden=True, category="lines", hint="Think of lines.")
def slope_of_a_private_line(dark, tilt: Float(1, 9)):
    """A line has its tilt."""
    return dark.slope(lambda x: tilt * x, 1.0) > 0
'''
SOLVED = repository_root() / "solutions" / "01-scalar-autodiff.ipynb"
BLANK = repository_root() / "modules" / "01-scalar-autodiff.ipynb"


@pytest.fixture
def private(tmp_path):
    path = tmp_path / "private" / "questions" / "exam_01_mine.py"
    path.parent.mkdir(parents=True)
    path.write_text(QUESTION)
    return tmp_path / "private"


@pytest.mark.long
def test_the_command_writes_a_zip_with_which_gradescope_grades(private, tmp_path):
    out = tmp_path / "out"
    words = ["--format", "gradescope", "--exam", str(private), "--exercises", "slope", "--points", "slope=14"]
    assert main(["release", "01", "--out", str(out), *words]) == 0
    assert sorted(path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file()) == [
        "autograder.zip", "class/01-scalar-autodiff.ipynb", "class/glossary.md", "release.toml",
    ]  # fmt: skip
    root = tmp_path / "autograder"
    with zipfile.ZipFile(out / "autograder.zip") as archive:
        archive.extractall(root / "source")

    def grade(**notebooks):
        shutil.rmtree(root / "submission", ignore_errors=True)
        (root / "submission").mkdir()
        (root / "submission" / "notes.txt").write_text("mine")
        for name, path in notebooks.items():
            shutil.copy(path, root / "submission" / f"{name}.ipynb")
        environ = os.environ | {"AUTOGRADER": str(root), "AUTOGRADER_PYTHON": sys.executable, "HOME": str(tmp_path)}
        environ["XDG_STATE_HOME"] = str(tmp_path / "state")
        command = ["bash", root / "source" / "run_autograder"]
        done = subprocess.run(command, cwd=root, env=environ, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        return json.loads((root / "results" / "results.json").read_text())

    solved = grade(mine=SOLVED)
    assert (solved["score"], [(each["name"], each["max_score"]) for each in solved["tests"]]) == (14, [("slope", 14)])
    assert solved["tests"][0]["output"] == "right. Hidden tests, lines: 1 of 1 pass."
    assert grade(mine=BLANK)["score"] == 0
    assert grade()["output"].startswith("The submission contains no notebook that can be graded. notes.txt: It is not")
    assert grade(a=SOLVED, b=BLANK) == autograder._nothing("Hand in one notebook; these are 2.")


@pytest.mark.long
def test_the_zip_has_two_programs_and_what_grades_and_is_always_the_same(private):
    assignment = load_assignment("01")
    terms = choose(assignment.module, assignment.exam)
    content = autograder_zip(terms, private)
    assert content == autograder_zip(terms, private)
    archive = zipfile.ZipFile(io.BytesIO(content))
    names = set(archive.namelist())
    programs = {info.filename for info in archive.infolist() if info.external_attr >> 16 & stat.S_IXUSR}
    assert programs == {"setup.sh", "run_autograder"}
    assert all(archive.read(name).startswith(b"#!/usr/bin/env bash\n") for name in programs)
    assert {"release.toml", "exam/questions/exam_01_mine.py", "course/dark/__init__.py"} <= names
    assert {f"course/solutions/{SOLVED.name}", "course/tests/exams/bank/01/slope.toml"} <= names
    assert not [name for name in names if "__pycache__" in name or "/mutants/" in name]
    requirements = archive.read("requirements.txt").decode().splitlines()
    assert [line.partition("==")[0] for line in requirements] == [
        "numpy", "graphviz", "pygments",
    ]  # fmt: skip


def test_a_failure_of_grading_is_no_result(tmp_path, monkeypatch):
    (tmp_path / "submission").mkdir()
    shutil.copy(BLANK, tmp_path / "submission" / "a.ipynb")
    monkeypatch.setattr(autograder, "main", lambda words: 4)
    assert autograder.run_autograder(tmp_path) == 4
    rows = {"submissions": [{"status": "not graded"}, {"status": "skipped"}]}

    def ended(words):
        (tmp_path / "report").mkdir()
        (tmp_path / "report" / "results.json").write_text(json.dumps(rows))
        return 1

    monkeypatch.setattr(autograder, "main", ended)
    assert autograder.run_autograder(tmp_path) == 1
    assert not (tmp_path / "results").exists()


def test_what_failed_is_told_where_it_is_known():
    error = {"type": "TypeError", "message": "no"}
    known = {"title": "It adds.", "inputs": {"x": 2.0}, "status": "wrong", "differences": [], "error": error}
    said = {"status": "wrong", "diagnosis": "", "next_step": "", "questions": [{"status": "right"}, known]}
    assert describe(said) == "wrong. Test: It adds. For x = 2.0: TypeError: no"
    known |= {"inputs": {}, "error": None, "differences": [{"yours": "3", "expected": "4"}]}
    assert describe(said) == "wrong. Test: It adds. yours 3, expected 4"


@pytest.mark.parametrize(
    ("files", "says"),
    [
        (["answer.py"], "answer.py: It is not a notebook: its name does not end in .ipynb."),
        (["work/answer.py", "b.txt"], "b.txt: It is not a notebook: its name does not end in .ipynb. work/answer.py"),
        ([f"{k}.py" for k in range(9)], "and 6 more"),
        ([], ""),
    ],
)
def test_a_submission_without_a_notebook_names_its_files_and_why(tmp_path, files, says):
    for name in files:
        path = tmp_path / "submission" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("def slope(f, x): ...")
    (tmp_path / "submission").mkdir(exist_ok=True)
    assert autograder.run_autograder(tmp_path) == 0
    result = json.loads((tmp_path / "results" / "results.json").read_text())
    assert result["output"].startswith("The submission contains no notebook that can be graded.")
    assert says in result["output"]
    assert result["output"].endswith(" Hand in one notebook (.ipynb).") and result["score"] == 0
