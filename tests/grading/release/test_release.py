"""`dark release`: what counts stands in the notebook, nothing that answers it does, and the module is tested first."""

import base64
import json
import os
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from dark.cli import main
from dark.course.exams.answers import join, with_points
from dark.course.exams.reading import read_exam
from dark.course.lessons.answers import collect
from dark.course.lessons.library import load_module, modules, repository_root
from dark.course.lessons.notebook_files import read_notebook
from dark.errors import CourseError, UsageError
from dark.grading.batch.module_check import PreflightError
from dark.grading.grader.grade import Settings, grade_submission, load_assignment
from dark.grading.release import LeakError, choose, find_leaks, read_terms, write_release
from dark.grading.release.leaks import find_leaks_in_text
from dark.grading.release.notebook import released_notebook
from dark.grading.sandbox.limits import Limits
from dark.grading.sandbox.worker_observer import Worker
from tests.course import little, tiny

DEADLINE = datetime.fromisoformat("2026-12-01T23:59+01:00")
HIDDEN = '''

@exam.question("slope", points=4, tolerance=1e-4, hidden=True, category="steep", hint="Think of steep lines.")
def slope_of_a_steep_line(dark, tilt: Float(1e3, 1e4)):
    """A steep line has its tilt."""
    return dark.slope(lambda x: tilt * x, 1.0)
'''


@pytest.fixture
def course(tmp_path, monkeypatch):
    """Make the little course the only one."""
    root = tmp_path / "course"
    root.mkdir()
    return little.install(root, monkeypatch)


def released(folder, **choices):
    """Release the little module; return its notebook and the files."""
    assignment = load_assignment("71")
    terms = choose(assignment.module, assignment.exam, **choices)
    files = write_release(assignment, terms, folder)
    return read_notebook(folder / "71-little.ipynb"), files


def test_a_release_tells_what_counts_and_until_when(course, tmp_path):
    notebook, files = released(tmp_path / "out", points={"slope": 7}, deadline=DEADLINE)
    assert [path.name for path in files] == ["71-little.ipynb", "release.toml"]
    cell = notebook["cells"][1]["source"]
    assert "until **2026-12-01 23:59+01:00**" in cell and "| `slope` | 7 |" in cell and "| together | 10 |" in cell
    told = notebook["metadata"]["dark"]["release"]
    assert told == {"points": {"slope": 7, "minimize": 3}, "deadline": "2026-12-01T23:59:00+01:00"}
    terms = read_terms(tmp_path / "out" / "release.toml")
    assert (terms.module, terms.points, terms.deadline) == ("71", {"slope": 7, "minimize": 3}, DEADLINE)
    module = load_module("71")
    assert collect(notebook, module).sources == collect(module.blank, module).sources


def test_exercises_that_are_not_chosen_are_for_practice(course, tmp_path):
    notebook, _ = released(tmp_path / "out", exercises=["minimize"])
    cell = notebook["cells"][1]["source"]
    assert "`slope` |" not in cell and "For practice, without points: `slope`." in cell


def test_a_second_release_replaces_the_first_and_other_folders_are_refused(course, tmp_path):
    released(tmp_path / "out")
    assert released(tmp_path / "out", points={"slope": 1})[0]["metadata"]["dark"]["release"]["points"]["slope"] == 1
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "mine.txt").write_text("mine")
    with pytest.raises(UsageError, match="other is not empty and is not a release"):
        released(tmp_path / "other")


def test_only_what_counts_is_graded_for_the_points_of_the_release(course, tmp_path):
    wrong = "def minimize(f, x, learning_rate=0.1, steps=100):\n    return [x]"
    right = little.SLOPE.replace("    ### BEGIN SOLUTION\n", "").replace("\n    ### END SOLUTION", "")
    content = little.student(tmp_path / "ann.ipynb", slope=right, minimize=wrong).read_bytes()
    roomy = Settings(Limits(wall_seconds=60, cpu_seconds=30, memory_mib=512), points=(("slope", 7),))
    with Worker() as worker:
        result = grade_submission(content, load_assignment("71"), worker=worker, settings=roomy)
    assert (result.earned, result.points) == (7, 7)
    assert [each.exercise for each in result.verdicts] == list(result.together) == ["slope"]


@pytest.mark.parametrize(("count", "shares"), [(5, [3, 2]), (7, [5, 2]), (0, [0, 0]), (1, [1, 0]), (300, [200, 100])])
def test_points_are_divided_as_the_questions_have_them(tmp_path, count, shares):
    path = tmp_path / "exam_77_tiny.py"
    path.write_text(tiny.QUESTIONS.replace('"square", points=1', '"double", points=1'))
    exam = join(read_exam(path))
    changed = with_points(exam, (("double", count),))
    assert [question.points for question in changed.questions_of("double")] == shares
    assert changed is with_points(exam, (("double", count),))
    assert changed.questions_of("both")[0].points == 1


def places(cell, text):
    """Put a text into each place of a cell."""
    encoded = base64.b64encode(f"tEXt{text}".encode()).decode()
    html = "".join(f"<span>{character}</span>".replace("<span><", "<span>&lt;") for character in text)
    return {
        "source": {**cell, "source": text},
        "stream": {**cell, "outputs": [{"output_type": "stream", "name": "stdout", "text": text}]},
        "html": {**cell, "outputs": [{"output_type": "display_data", "data": {"text/html": html}, "metadata": {}}]},
        "image": {**cell, "outputs": [{"output_type": "display_data", "data": {"image/png": encoded}, "metadata": {}}]},
        "traceback": {**cell, "outputs": [{"output_type": "error", "traceback": text.split("\n")}]},
        "metadata": {**cell, "metadata": {**cell["metadata"], "note": [{"deep": text}]}},
        "attachment": {**cell, "attachments": {"a.png": {"image/png": encoded}}},
    }


@pytest.mark.parametrize("place", places({"metadata": {}}, ""))
@pytest.mark.parametrize(
    "what", ["the solution of `minimize`", "the solution of `slope`", "a hidden question of `slope`"]
)
def test_an_answer_is_found_wherever_it_stands(course, place, what):
    path = course / "tests" / "exams" / "questions" / "exam_71_little.py"
    path.write_text(path.read_text() + HIDDEN)
    assignment = load_assignment("71")
    texts = {
        "the solution of `slope`": "found = (f(x + nudge) - f(x - nudge)) / (2 * nudge)".replace("found =", "return"),
        "the solution of `minimize`": "for _ in range(steps):\n        x = x - learning_rate * slope(f, x)",
        "a hidden question of `slope`": "slope_of_a_steep_line",
    }
    blank = assignment.module.blank
    assert find_leaks(blank, assignment.module, assignment.exam) == []
    changed = {**blank, "cells": [places(blank["cells"][0], texts[what])[place], *blank["cells"][1:]]}
    assert what in {leak.what for leak in find_leaks(changed, assignment.module, assignment.exam)}


def test_hints_of_hidden_questions_may_be_told(course):
    path = course / "tests" / "exams" / "questions" / "exam_71_little.py"
    path.write_text(path.read_text() + HIDDEN)
    assignment = load_assignment("71")
    assert find_leaks_in_text("Think of steep lines.", assignment.module, assignment.exam) == []
    assert find_leaks_in_text("A steep line has\nits tilt.", assignment.module, assignment.exam)


def test_an_answered_prediction_is_a_leak(course):
    assignment = load_assignment("71")
    module = assignment.module
    answered = {"cell_type": "code", "metadata": {}, "source": 'predict("71.1a", 6)', "outputs": []}
    shown = {**answered, "source": 'predict("71.1a", ...)', "outputs": [{"output_type": "stream", "text": "6"}]}
    blank = {**shown, "outputs": []}
    found = [
        find_leaks({**module.blank, "cells": [cell]}, module, assignment.exam) for cell in (answered, shown, blank)
    ]
    assert [len(leaks) for leaks in found] == [1, 1, 0]


def test_nothing_is_written_with_a_leak_or_a_faulty_question(course, tmp_path, capsys):
    path = course / "solutions" / "71-little.ipynb"
    notebook = json.loads(path.read_text())
    notebook["metadata"]["dark"]["title"] = little.SLOPE
    original = path.read_text()
    path.write_text(json.dumps(notebook))
    with pytest.raises(LeakError, match="the notebook's metadata contains .*nothing is released"):
        released(tmp_path / "out")
    assert main(["release", "71", "--out", str(tmp_path / "out")]) == 3
    path.write_text(original)
    exam = course / "tests" / "exams" / "questions" / "exam_71_little.py"
    exam.write_text(exam.read_text().replace("tolerance=1e-4", "tolerance=0", 1).replace("x * x, x)", "x * y, x)"))
    with pytest.raises(PreflightError, match="the reference fails"):
        released(tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_the_preflight_tries_three_seeds(course, tmp_path, capsys):
    assert main(["release", "71", "--out", str(tmp_path / "out"), "--exercises", "slope", "--points", "slope=5"]) == 0
    said = capsys.readouterr()
    assert [f"71-little, slope, seed {seed}" in said.err for seed in range(4)] == [True, True, True, False]
    assert str(tmp_path / "out" / "71-little.ipynb") in said.out


@pytest.mark.long
def test_a_release_is_graded_from_the_command_line(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    release = str(tmp_path / "out" / "release.toml")
    chosen = ["--exercises", "slope,minimize", "--points", "slope=5,minimize=2"]
    assert main(["release", "01", "--out", str(tmp_path / "out"), *chosen, "--deadline", DEADLINE.isoformat()]) == 0
    (tmp_path / "in").mkdir()
    solved = (repository_root() / "solutions" / "01-scalar-autodiff.ipynb").read_bytes()
    (tmp_path / "in" / "ann.ipynb").write_bytes(solved)
    (tmp_path / "in" / "bob.ipynb").write_bytes((tmp_path / "out" / "01-scalar-autodiff.ipynb").read_bytes())
    words = ["grade", str(tmp_path / "in"), "--out", str(tmp_path / "report"), "--jobs", "1", "--release", release]
    assert main(words) == 0
    said = capsys.readouterr().out
    assert "ann   7/7     100 %" in said and "bob   0/7     0 %      nothing attempted" in said
    assert json.loads((tmp_path / "report" / "results.json").read_text())["counting"] == {"slope": 5, "minimize": 2}
    (tmp_path / "course.toml").write_text('[course]\ntimezone = "Europe/Vienna"\n')
    os.utime(tmp_path / "in" / "ann.ipynb", ((DEADLINE + timedelta(hours=25)).timestamp(),) * 2)
    assert main([*words, "--course", str(tmp_path / "course.toml")]) == 0
    rows = json.loads((tmp_path / "report" / "results.json").read_text())["submissions"]
    assert [row["deadline"] for row in rows] == ["2026-12-01T23:59:00+01:00"] * 2
    assert [row["late_days"] for row in rows] == [2, 0]


def test_a_release_of_another_module_is_refused(course, tmp_path, capsys):
    released(tmp_path / "out", exercises=["slope"], points={"slope": 5})
    little.second(course / "work")
    (tmp_path / "in").mkdir()
    little.student(tmp_path / "in" / "ann.ipynb")
    words = ["grade", str(tmp_path / "in"), "--out", str(tmp_path / "report"), "--module", "72"]
    assert main([*words, "--release", str(tmp_path / "out" / "release.toml")]) == 2
    assert "release.toml: it must be of module 72, but is of 71." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (["--exercises", "slop"], "module 71 has no exercise 'slop'"),
        (["--exercises", "slope", "--points", "minimize=3"], "--points: 'minimize' is not among the exercises"),
    ],
)
def test_a_wrong_choice_is_refused(course, tmp_path, words, what, capsys):
    assert main(["release", "71", "--out", str(tmp_path / "out"), *words]) == 2
    said = capsys.readouterr().err
    assert what in said and "Expected: " in said and "Try: " in said


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (["--deadline", "2026-12-01T23:59"], "has no offset from UTC"),
        (["--deadline", "tomorrow"], "try 2026-12-01T23:59"),
        (["--points", "slope"], "'slope' is not an exercise and its points"),
    ],
)
def test_a_wrong_argument_is_refused(course, words, what, capsys):
    with pytest.raises(SystemExit):
        main(["release", "71", *words])
    assert what in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("module =", "Invalid value"),
        ('module = "71"', "the module or the points are missing"),
        ('modul = "71"', "modul = '71' is not valid"),
        ('module = "71"\n[points]\nslope = -1', "the points of slope must be an integer from 0 to .*, got -1"),
        ('module = "71"\n[points]\nslope = true', "the points of slope must be an integer from 0 to .*, got True"),
        ('module = "71"\ndeadline = 2026-10-04T12:00:00\n[points]\nslope = 1', "its deadline has no offset"),
    ],
)
def test_a_damaged_release_file_is_refused(tmp_path, text, what):
    (tmp_path / "release.toml").write_text(text)
    with pytest.raises(CourseError, match=what):
        read_terms(tmp_path / "release.toml")


def test_a_course_without_solutions_cannot_be_searched(course, tmp_path):
    assignment = load_assignment("71")
    slope = replace(assignment.module.exercises["slope"], solution=None)
    changed = replace(assignment, module=replace(assignment.module, exercises={"slope": slope}))
    with pytest.raises(UsageError, match="has no solutions here"):
        write_release(changed, choose(changed.module, changed.exam), tmp_path / "out")


@pytest.mark.parametrize("name", modules())
def test_no_module_tells_an_answer_and_every_solution_would_be_found(name):
    assignment = load_assignment(name)
    module, exam = assignment.module, assignment.exam
    assert find_leaks(released_notebook(module, choose(module, exam)), module, exam) == []
    solved = read_notebook(repository_root() / "solutions" / f"{module.stem}.ipynb")
    told = {leak.what for leak in find_leaks(solved, module, exam)}
    assert {f"the solution of `{exercise}`" for exercise in module.exercises} <= told
