"""An answer has the same verdict in all ways of asking: here random mutants, random notebooks, and what is left in.

The known answers are compared where they are proved.
"""

import os
from functools import partial
from random import Random

import pytest

from dark.course.exams.questions import load_exam
from dark.course.judging.bank import load_bank
from dark.course.judging.judge import judge_exercise
from dark.course.lessons.library import load_module, modules
from dark.grading.grader.grade import Assignment
from dark.grading.grader.judge_answers import judge_answers
from dark.grading.sandbox.limits import Limits
from dark.grading.sandbox.worker_observer import WorkerObserver
from tests.exams.mutants.mutants import mutants_of
from tests.exams.ways import judge_in, marks

RANDOM = 300  # mutants of all modules
PARTS = 60
NOTEBOOKS = 24
MODULES = [module for module in map(load_module, modules()) if module.exercises]
EXERCISES = [(module, name) for module in MODULES for name in module.exercises]

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="a worker forks")


def assert_same_marks(worker, module, exercise, source, status=None):
    sources = {exercise: source}
    here, there = judge_exercise(module, exercise, sources, bank=()), judge_in(worker, module, exercise, sources)
    assert marks(here) == marks(there) and status in (None, here.status), source


@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.long) for part in range(1, PARTS))])
def test_a_random_wrong_answer_has_the_same_verdict_in_another_process(part, worker):
    rng = Random(part)
    for _ in range(RANDOM // PARTS):
        module, exercise = rng.choice(EXERCISES)
        mutant = rng.choice(mutants_of(module.exercises[exercise].solution))
        assert_same_marks(worker, module, exercise, mutant.source)


def some_answer(rng, module, exercise):
    """Return an answer: most are right, some wrong or blank."""
    each, bank = module.exercises[exercise], load_bank(module, exercise)
    kind = rng.choice(["right", "right", "right", "wrong", "mutant", "blank"])
    if kind == "right":
        return rng.choice([each.solution, *(answer.source for answer in bank.right)])
    if kind == "wrong":
        return rng.choice([answer.source for answer in (*bank.bug, *bank.wrong)])
    return each.stub if kind == "blank" else rng.choice(mutants_of(each.solution)).source


@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.long) for part in range(1, NOTEBOOKS))])
def test_answers_that_are_judged_together_first_have_the_marks_of_each_by_itself(part, worker):
    rng = Random(part)
    module = rng.choice(MODULES)
    sources = {name: some_answer(rng, module, name) for name in module.exercises}
    assignment = Assignment(module, load_exam(module.id), ())
    observer = partial(WorkerObserver, worker=worker, limits=Limits(wall_seconds=60))
    found, _ = judge_answers(assignment, sources, list(module.exercises), observer=observer, seed=part)
    expected = {name: judge_in(worker, module, name, sources, part) for name in module.exercises}
    assert {name: marks(each) for name, each in found.items()} == {name: marks(each) for name, each in expected.items()}


LEFT_IN = {  # in front of an answer, and behind it
    "pictures": ("import matplotlib.pyplot as plt\n", "\nplt.plot([1, 2])\nplt.show()\n"),
    "unused imports": ("import torch\nfrom scipy.special import expit\nfrom IPython.display import display\n", ""),
    "an example": ("", "\nexample = dark.Parameter(3.0)\ndark.draw(dark.mul(example, example))\n"),
    "magics": ("%matplotlib inline\n", "\n%timeit -n1 -r1 1 + 1\n!ls\n"),
    "a main part": ("from __future__ import annotations\n", "\nif __name__ == '__main__':\n    nowhere()\n"),
}


@pytest.mark.parametrize("left_in", LEFT_IN)
@pytest.mark.parametrize(
    ("module", "exercise"),
    [
        pytest.param(module, list(module.exercises)[-1], marks=() if k == 0 else pytest.mark.long, id=module.id)
        for k, module in enumerate(MODULES)
    ],
)
def test_what_is_left_in_a_right_answer_is_no_fault_in_either_process(module, exercise, left_in, worker):
    before, after = LEFT_IN[left_in]
    source = f"{before}{module.exercises[exercise].solution}{after}"
    assert_same_marks(worker, module, exercise, source, "right")
