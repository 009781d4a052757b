"""Wrong answers to module 01 that stand in no bank: none of them may get full points."""

import re

import pytest

from dark.course.judging.judge import judge_exercise
from dark.course.lessons.library import load_module, repository_root

FILE = repository_root() / "tests" / "exams" / "answers" / "wrong_01.py"
CELL = re.compile(r"^# %% +(\S+) +(\S+)\n", re.MULTILINE)
_, *PIECES = CELL.split(FILE.read_text(encoding="utf-8"))
ANSWERS = list(zip(PIECES[::3], PIECES[1::3], PIECES[2::3], strict=True))
MODULE = load_module("01")


@pytest.mark.parametrize(
    ("exercise", "source"),
    [pytest.param(exercise, source, id=f"{exercise}-{name}") for exercise, name, source in ANSWERS],
)
def test_a_wrong_answer_outside_the_bank_gets_no_full_points(exercise, source):
    verdict = judge_exercise(MODULE, exercise, {exercise: source}, bank=())
    assert verdict.status not in ("right", "not attempted") and verdict.earned < verdict.points


@pytest.mark.parametrize("exercise", list(MODULE.exercises))
@pytest.mark.parametrize("body", ["pass", "return None", "return []"])
def test_a_body_that_does_nothing_earns_nothing(exercise, body):
    source = MODULE.exercises[exercise].stub.replace("raise NotImplementedError", body)
    verdict = judge_exercise(MODULE, exercise, {exercise: source}, bank=())
    assert verdict.earned == 0, [finding.question for finding in verdict.findings if finding.earned]


def test_every_exercise_has_wrong_answers_with_names_of_their_own():
    assert {exercise for exercise, _, _ in ANSWERS} == set(MODULE.exercises)
    assert len({(exercise, name) for exercise, name, _ in ANSWERS}) == len(ANSWERS)
