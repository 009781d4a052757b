"""An answer has the same verdict in both ways of asking: here random mutants of the solutions, and what is left in.

The known answers are compared where they are proved.
"""

import os
from random import Random

import pytest

from dark.course.judging.judge import judge_exercise
from dark.course.lessons.library import load_module, modules
from tests.exams.mutants.mutants import mutants_of
from tests.exams.ways import judge_in, marks

RANDOM = 300  # mutants of all modules
PARTS = 60
MODULES = [load_module(name) for name in modules()]
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
