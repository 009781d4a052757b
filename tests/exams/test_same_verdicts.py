"""An answer has the same verdict however it is asked: input by input in this process, or many at once in another one.

These are the ways of `check` and of `dark grade`; asked are the known wrong answers, the right answers that are written
differently, and random mutants of the solutions.
"""

import os
from random import Random

import pytest

from dark.course.grading.limits import Limits
from dark.course.grading.worker_observer import Worker, WorkerObserver
from dark.course.judging.bank import load_bank
from dark.course.judging.judge import judge_exercise
from dark.course.lessons.library import load_module, modules
from tests.exams.mutants.mutants import mutants_of

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="a worker forks")
RANDOM = 300  # mutants of all modules
PARTS = 60
MODULES = [load_module(name) for name in modules()]
EXERCISES = [(module, name) for module in MODULES for name in module.exercises]
QUICK = {"slope"}


@pytest.fixture(scope="module")
def worker():
    with Worker() as found:
        yield found


def marks(module, exercise, source, worker=None):
    """Return the status and the points of an answer, and of each question.

    What is shown as evidence is left out: an answer may draw random numbers, or keep something between calls.
    """
    options = {"observer": lambda exam: WorkerObserver(exam, worker, Limits(wall_seconds=60))} if worker else {}
    verdict = judge_exercise(module, exercise, {exercise: source}, bank=(), **options)
    return verdict.status, verdict.earned, [(each.question, each.status, each.earned) for each in verdict.findings]


def differing(answers, worker):
    """Return the answers that have two verdicts."""
    found = []
    for module, exercise, name, source in answers:
        one, other = marks(module, exercise, source), marks(module, exercise, source, worker)
        if one != other:
            found.append((module.id, exercise, name, one, other))
    return found


@pytest.mark.parametrize(
    ("module", "exercise"),
    [
        pytest.param(*each, marks=() if each[1] in QUICK else pytest.mark.long, id=f"{each[0].id}-{each[1]}")
        for each in EXERCISES
    ],
)
def test_known_answers_have_the_same_verdict_in_another_process(module, exercise, worker):
    bank = load_bank(module, exercise)
    answers = [(module, exercise, each.name, each.source) for each in (*bank.right, *bank.wrong, *bank.bug)]
    assert differing(answers, worker) == []


@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.long) for part in range(1, PARTS))])
def test_random_wrong_answers_have_the_same_verdict_in_another_process(part, worker):
    rng = Random(part)
    answers = []
    while len(answers) < RANDOM // PARTS:
        module, exercise = rng.choice(EXERCISES)
        mutant = rng.choice(mutants_of(module.exercises[exercise].solution))
        answers.append((module, exercise, mutant.name, mutant.source))
    assert differing(answers, worker) == []
