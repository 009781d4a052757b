"""A release as an assignment of nbgrader, generated, autograded and exported by nbgrader itself."""

import csv
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from dark.course.lessons.notebook_files import notebook_text, read_notebook
from dark.grading.grader.grade import load_assignment
from dark.grading.release import choose, find_leaks, write_release

MODULE = "02"


@pytest.fixture(scope="module")
def assignment():
    return load_assignment(MODULE)


@pytest.mark.long
def test_the_source_has_solutions_between_markers_and_the_points_of_the_release(assignment, tmp_path):
    module = assignment.module
    [first, *others] = module.exercises
    terms = choose(module, assignment.exam, [first], {first: 3})
    write_release(assignment, terms, tmp_path, "nbgrader")
    notebook = read_notebook(tmp_path / "source" / module.stem / f"{module.stem}.ipynb")
    marks = {cell["id"]: cell["metadata"]["nbgrader"] for cell in notebook["cells"] if "nbgrader" in cell["metadata"]}
    assert {name: mark["points"] for name, mark in marks.items() if mark["grade"]} == {f"check-{first}": 3}
    assert sum(mark["solution"] for mark in marks.values()) == len(module.exercises)
    text = notebook_text(notebook)
    assert text.count("### BEGIN SOLUTION") == text.count("### END SOLUTION") >= len(module.exercises)
    assert not [cell for cell in notebook["cells"] if 'predict("' in cell["source"] and "...)" not in cell["source"]]


def run(folder, *words):
    """Run nbgrader in a folder."""
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    root = str(Path(__file__).parents[3])
    environment = os.environ | {"PATH": programs, "PYTHONPATH": root, "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "nbgrader", *words], cwd=folder, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-3000:]


@pytest.mark.long
@pytest.mark.oracle
def test_nbgrader_gives_full_marks_to_the_solution_and_none_to_the_blank(assignment, tmp_path):
    pytest.importorskip("nbgrader", reason="the extra 'interop' is not installed")
    module = assignment.module
    name = module.stem
    terms = choose(module, assignment.exam)
    write_release(assignment, terms, tmp_path, "nbgrader")
    run(tmp_path, "generate_assignment", name, "--create")
    released = read_notebook(tmp_path / "release" / name / f"{name}.ipynb")
    assert find_leaks(released, module, assignment.exam) == []
    for student in ("solved", "half", "blank"):
        (tmp_path / "submitted" / student / name).mkdir(parents=True)
        source = "release" if student == "blank" else "source"
        shutil.copy(tmp_path / source / name / f"{name}.ipynb", tmp_path / "submitted" / student / name)
    half = tmp_path / "submitted" / "half" / name / f"{name}.ipynb"
    last = list(module.exercises)[-1]
    notebook = read_notebook(half)
    for cell in notebook["cells"]:
        if cell["id"] == f"exercise-{last}":
            cell["source"] = module.exercises[last].stub
    half.write_text(notebook_text(notebook))
    run(tmp_path, "autograde", name, "--create")
    run(tmp_path, "export")
    grades = (tmp_path / "grades.csv").read_text().splitlines()
    rows = {row["student_id"]: row for row in csv.DictReader(grades)}
    total = sum(terms.points.values())
    scores = {student: float(row["score"]) for student, row in rows.items()}
    assert scores == {"solved": total, "half": total - terms.points[last], "blank": 0}
    assert {float(row["max_score"]) for row in rows.values()} == {total}
