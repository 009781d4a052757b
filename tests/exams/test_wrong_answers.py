"""Wrong answers that are not in the bug bank: none of them may get full points."""

import re

import pytest

from dark.course.judging.judge import judge_exercise
from dark.course.lessons.library import load_module, modules, repository_root

FOLDER = repository_root() / "tests" / "exams" / "answers"
OTHER_BODIES = ("return None", "return []", "return 0")
CELL = re.compile(r"^# %% +(\S+) +(\S+)\n", re.MULTILINE)
MODULES = [load_module(name) for name in modules()]
EXERCISES = [(module, name) for module in MODULES for name in module.exercises]


def wrong_answers(module):
    """Read the wrong answers to a module: exercise, name, source; empty without a file."""
    path = FOLDER / f"wrong_{module.id}.py"
    _, *pieces = CELL.split(path.read_text(encoding="utf-8") if path.is_file() else "")
    return list(zip(pieces[::3], pieces[1::3], pieces[2::3], strict=True))


def firsts(answers):
    """Add to each answer whether it is the first to its exercise: `make test` asks these only."""
    exercises = [exercise for exercise, _, _ in answers]
    return [(*answer, exercises.index(answer[0]) == k) for k, answer in enumerate(answers)]


@pytest.mark.parametrize(
    ("module", "exercise", "source"),
    [
        pytest.param(
            module, exercise, source, id=f"{module.id}-{exercise}-{name}", marks=() if is_first else pytest.mark.long
        )
        for module in MODULES
        for exercise, name, source, is_first in firsts(wrong_answers(module))
    ],
)
def test_a_wrong_answer_outside_the_bank_gets_no_full_points(module, exercise, source):
    verdict = judge_exercise(module, exercise, {exercise: source}, bank=())
    assert verdict.status not in ("right", "not attempted") and verdict.earned < verdict.points


@pytest.mark.parametrize(("module", "exercise"), EXERCISES, ids=lambda v: getattr(v, "id", v))
@pytest.mark.parametrize("body", ["pass", *(pytest.param(body, marks=pytest.mark.long) for body in OTHER_BODIES)])
def test_a_body_that_does_nothing_earns_nothing(module, exercise, body):
    source = module.exercises[exercise].stub.replace("raise NotImplementedError", body)
    verdict = judge_exercise(module, exercise, {exercise: source}, bank=())
    assert verdict.earned == 0, [finding.question for finding in verdict.findings if finding.earned]


@pytest.mark.parametrize("module", MODULES, ids=lambda m: m.id)
def test_every_exercise_has_wrong_answers_with_names_of_their_own(module):
    answers = wrong_answers(module)
    assert {exercise for exercise, _, _ in answers} == set(module.exercises)
    assert len({(exercise, name) for exercise, name, _ in answers}) == len(answers)
