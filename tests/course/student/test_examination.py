"""All answers together: the exercise at fault is named, not the first that suffers from it."""

import pytest

from dark.course.judging.bank import edited
from dark.course.lessons.library import load_module
from dark.course.student.examination import all_yours, all_yours_card

MODULE = load_module("07")
SOLUTIONS = {name: each.solution for name, each in MODULE.exercises.items()}


@pytest.mark.parametrize(
    ("exercise", "change"),
    [
        ("engine_run", {"self.run_epoch()": "self.run_iterations()"}),
        ("state", {"return self.epoch": "return self.iteration"}),
        ("fire_event", {"handler(*first, *passed, *args, **kwargs)": "handler(*first, *args, **kwargs)"}),
    ],
)
def test_the_exercise_at_fault_is_named_first(exercise, change):
    sources = SOLUTIONS | {exercise: edited(SOLUTIONS[exercise], change)}
    card = all_yours_card(MODULE, sources, all_yours(MODULE, sources))
    assert card.ok is False and f"The fault is in `{exercise}`" in card.text.splitlines()[1]


def test_two_faults_that_hide_each_other_accuse_nobody():
    changes = {"state": ("self.epoch = 0", "self.epoch = 1"), "engine_run": ("done = 0", "done = 1")}
    sources = SOLUTIONS | {name: SOLUTIONS[name].replace(*change) for name, change in changes.items()}
    card = all_yours_card(MODULE, sources, all_yours(MODULE, sources))
    assert card.ok is False
