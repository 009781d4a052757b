"""Wrong answers that stand in no bank: none of them may get full points."""

import re

import pytest

from dark.course.judging.judge import judge_exercise
from dark.course.lessons.library import load_module, modules, repository_root

FOLDER = repository_root() / "tests" / "exams" / "answers"
CELL = re.compile(r"^# %% +(\S+) +(\S+)\n", re.MULTILINE)
MODULES = [load_module(name) for name in modules()]
EXERCISES = [(module, name) for module in MODULES for name in module.exercises]


def wrong_answers(module):
    """Read the wrong answers to a module: exercise, name, source; none where there is no file."""
    path = FOLDER / f"wrong_{module.id}.py"
    _, *pieces = CELL.split(path.read_text(encoding="utf-8") if path.is_file() else "")
    return list(zip(pieces[::3], pieces[1::3], pieces[2::3], strict=True))


@pytest.mark.parametrize(
    ("module", "exercise", "source"),
    [
        pytest.param(module, exercise, source, id=f"{module.id}-{exercise}-{name}")
        for module in MODULES
        for exercise, name, source in wrong_answers(module)
    ],
)
def test_a_wrong_answer_outside_the_bank_gets_no_full_points(module, exercise, source):
    verdict = judge_exercise(module, exercise, {exercise: source}, bank=())
    assert verdict.status not in ("right", "not attempted") and verdict.earned < verdict.points


@pytest.mark.parametrize(("module", "exercise"), EXERCISES, ids=lambda v: getattr(v, "id", v))
@pytest.mark.parametrize("body", ["pass", "return None", "return []", "return 0"])
def test_a_body_that_does_nothing_earns_nothing(module, exercise, body):
    source = module.exercises[exercise].stub.replace("raise NotImplementedError", body)
    verdict = judge_exercise(module, exercise, {exercise: source}, bank=())
    assert verdict.earned == 0, [finding.question for finding in verdict.findings if finding.earned]


@pytest.mark.parametrize("module", MODULES, ids=lambda m: m.id)
def test_every_exercise_has_wrong_answers_with_names_of_their_own(module):
    answers = wrong_answers(module)
    assert {exercise for exercise, _, _ in answers} == set(module.exercises)
    assert len({(exercise, name) for exercise, name, _ in answers}) == len(answers)
