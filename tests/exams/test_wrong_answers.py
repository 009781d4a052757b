"""Wrong answers that are not bugs with a diagnosis: none of them may get full points."""

import re

import pytest

from dark.course.judging.bank import load_bank
from dark.course.judging.judge import judge_exercise
from dark.course.lessons.library import load_module, modules

OTHER_BODIES = ("return None", "return []", "return 0")
MODULES = [module for module in map(load_module, modules()) if module.exercises]
EXERCISES = [(module, name) for module in MODULES for name in module.exercises]
WRONG = [
    pytest.param(  # `make test` asks the first of each exercise
        module, name, answer.source, id=f"{module.id}-{name}-{answer.name}", marks=() if k == 0 else pytest.mark.long
    )
    for module, name in EXERCISES
    for k, answer in enumerate(load_bank(module, name).wrong)
]


@pytest.mark.parametrize(("module", "exercise", "source"), WRONG)
def test_a_wrong_answer_without_a_diagnosis_gets_no_full_points(module, exercise, source, same_in_another_process):
    verdict = judge_exercise(module, exercise, {exercise: source}, bank=())
    assert verdict.status not in ("right", "not attempted") and verdict.earned < verdict.points
    if "id(self)" not in source:  # an object of another process may have the address of an object that is gone
        same_in_another_process(verdict, module, {exercise: source})


@pytest.mark.parametrize(("module", "exercise"), EXERCISES, ids=lambda v: getattr(v, "id", v))
@pytest.mark.parametrize("body", ["pass", *(pytest.param(body, marks=pytest.mark.long) for body in OTHER_BODIES)])
def test_a_body_that_does_nothing_earns_nothing(module, exercise, body):
    source = re.sub(r"raise NotImplementedError\(.*\)", body, module.exercises[exercise].stub)
    verdict = judge_exercise(module, exercise, {exercise: source}, bank=())
    assert verdict.earned == 0, [finding.question for finding in verdict.findings if finding.earned]


@pytest.mark.parametrize(("module", "exercise"), EXERCISES, ids=lambda v: getattr(v, "id", v))
def test_every_exercise_has_such_wrong_answers(module, exercise):
    assert load_bank(module, exercise).wrong, (
        f"tests/exams/bank/{module.id}/{exercise}.toml has no table [wrong].\n"
        "  Expected: a wrong answer or more that no sentence is written for, and that gets no full points.\n"
        "  Try: [wrong]\n       doubled.change = { 'text of the solution' = 'other text' }"
    )
