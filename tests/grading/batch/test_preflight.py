"""Tests of the preflight: a fault of the course is found before anybody is graded, and names its question."""

from dataclasses import replace
from functools import partial

import pytest

from dark.course.exams.answers import Answers, join
from dark.course.exams.reading import read_exam
from dark.course.lessons.library import modules
from dark.errors import CourseError
from dark.grading.batch import preflight as preflights
from dark.grading.batch.module_check import PreflightError, check_assignment
from dark.grading.batch.preflight import modules_of, preflight, read_assignment
from dark.grading.grader.grade import Assignment, load_assignment
from dark.grading.uploads import Submission
from tests.course import tiny


def faulty(folder, change, to, answers=None):
    """Return the tiny assignment with one change of its questions."""
    assert change in tiny.QUESTIONS
    path = folder / "exam_77_tiny.py"
    path.write_text(tiny.QUESTIONS.replace(change, to))
    return Assignment(tiny.MODULE, join(read_exam(path), answers, tiny.REFERENCE), ())


def test_a_sound_module_passes(tmp_path):
    said = []
    check_assignment(tiny.assignment(tmp_path), tell=said.append)
    assert said[0] == "testing the course: 77-tiny, double" and len(said) == 3


BODY = '{"value": dark.square(x)}'
FAULTS = {
    "a typo": ('{"value": dark.square(x) + undefined_by_the_teacher}', "the reference fails (NameError: name 'undef"),
    "a typo for some inputs": ('{"value": dark.square(x) if x < 2 else x.y}', "the reference fails (AttributeError"),
    "no end": ("[0 for _ in iter(int, 1)]", "the reference fails (timed out"),
    "another answer": ('{"value": dark.square(x) if dark.__name__ == "x" else x}', "the blank notebook answers it"),
    "nothing of the exercise": ('{"value": x}', "the blank notebook answers it correctly"),
    "an object": ('{"value": object()}', "the solution is wrong"),
}


@pytest.mark.parametrize("name", [pytest.param(n, marks=pytest.mark.long) if n == "no end" else n for n in FAULTS])
def test_a_fault_names_the_question_and_the_inputs(tmp_path, name):
    body, what = FAULTS[name]
    with pytest.raises(PreflightError) as caught:
        check_assignment(faulty(tmp_path, BODY, body))
    lines = str(caught.value).splitlines()
    assert lines[0].startswith("module 77, exercise square, question times_itself: ") and what in lines[0]
    assert lines[1].startswith("  Expected: ") and lines[2].startswith("  Try: ")
    assert "blank" in what or ", for x = " in lines[0]


def test_an_exercise_without_a_question_is_a_fault(tmp_path):
    with pytest.raises(PreflightError, match="exercise square: judging the solution fails .CourseError: exam 77: no"):
        check_assignment(faulty(tmp_path, '"square", points=1', '"both", points=1'))


@pytest.mark.parametrize(
    ("judge", "why"),
    [(lambda answer, inputs: "It is too small.", "It is too small"), (lambda answer, inputs: answer["x"], "KeyError")],
)
def test_a_judge_that_refuses_the_solution_or_raises_is_a_fault(tmp_path, judge, why):
    answers = Answers("77")
    answers.judge("times_itself")(judge)
    with pytest.raises(PreflightError, match=f"question times_itself: the solution is wrong.*{why}"):
        check_assignment(faulty(tmp_path, "", "", answers))


def test_an_installed_course_without_solutions_is_tested_by_its_reference(tmp_path):
    found = faulty(tmp_path, BODY, '{"value": dark.square(x) + undefined}')
    bare = {name: replace(each, solution=None) for name, each in tiny.MODULE.exercises.items()}
    module = replace(tiny.MODULE, exercises=bare)
    with pytest.raises(PreflightError, match="question times_itself: the reference fails"):
        check_assignment(replace(found, module=module))
    check_assignment(replace(tiny.assignment(tmp_path.parent), module=module))


def test_questions_that_cannot_be_imported_are_a_fault(tmp_path):
    with pytest.raises(PreflightError, match=r"module 77: its questions cannot be read \(SyntaxError(.|\n)*Try: "):
        read_assignment("77", partial(faulty, tmp_path, "return", "retrun"))
    with pytest.raises(CourseError, match="the module '99' does not exist"):
        read_assignment("99", partial(load_assignment, "99"))


def test_what_has_passed_is_tested_again_only_when_the_course_changes(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    tested = []
    monkeypatch.setattr(preflights, "check_assignment", lambda assignment, seed, tell: tested.append(assignment))
    for course in ({"fingerprint": "a"}, {"fingerprint": "a"}, {"fingerprint": "b"}):
        preflight({"77": partial(tiny.assignment, tmp_path)}, course)
    assert len(tested) == 2


def test_what_has_failed_is_not_remembered(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    load = partial(faulty, tmp_path, BODY, '{"value": x}')
    for _ in range(2):
        with pytest.raises(PreflightError):
            preflight({"77": load}, {})


@pytest.mark.parametrize("damage", [b"", b"{}", b"\xff"])
def test_a_damaged_memory_is_forgotten(tmp_path, monkeypatch, damage):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    (tmp_path / "dark").mkdir()
    (tmp_path / "dark" / "preflights.json").write_bytes(damage)
    preflight({"77": partial(tiny.assignment, tmp_path)}, {})
    assert b"77" in (tmp_path / "dark" / "preflights.json").read_bytes()


@pytest.mark.skipif(not modules(), reason="no module is printed yet: dark build")
def test_only_the_modules_that_the_notebooks_name_are_tested(tmp_path):
    def named(**contents):
        files = []
        for name, content in contents.items():
            (tmp_path / name).write_bytes(content)
            files.append(Submission(name, tmp_path / name))
        return modules_of(files)

    first = b'{"cells": [], "metadata": {"dark": {"module": "01"}}}'
    assert named(ann=first) == named(ann=first.decode().encode("utf-16")) == modules()[:1]
    assert named(ann=first, bob=b"no", cy=b'"cells" "module": "99"') == modules()[:1]
    assert named(ann=first, bob=b'{"cells": []}') == modules()
    assert named(bob=b"no") == ()
    assert modules_of([Submission("x", tmp_path, "It is a link."), Submission("y", tmp_path / "gone")]) == ()


@pytest.mark.long
@pytest.mark.parametrize("name", modules())
def test_every_module_passes(name):
    check_assignment(load_assignment(name), seed=11)
