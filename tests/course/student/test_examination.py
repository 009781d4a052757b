"""All answers together: the exercise at fault is named, not the first that suffers from it."""

from functools import partial
from types import SimpleNamespace

import pytest

from dark.course.judging.bank import edited
from dark.course.judging.observe import LocalObserver
from dark.course.judging.verdict import TIMED_OUT
from dark.course.lessons.library import load_module
from dark.course.student import examination
from dark.course.student.examination import all_yours, all_yours_card, at_fault

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


def test_with_two_faults_that_no_one_exercise_mends_none_is_named():
    changes = {
        "engine_run": {"self.run_epoch()": "self.run_iterations()"},
        "fire_event": {"first = (self,) if takes_engine else ()": "first = ()"},
    }
    sources = SOLUTIONS | {name: edited(SOLUTIONS[name], change) for name, change in changes.items()}
    card = all_yours_card(MODULE, sources, all_yours(MODULE, sources))
    assert card.ok is False and "engine_run: " in card.text and "The fault is in" not in card.text


def test_an_answer_that_was_stopped_is_not_run_again_to_find_the_fault(monkeypatch):
    stopped = SimpleNamespace(is_right=False, status=TIMED_OUT, exercise="engine_run")
    monkeypatch.setattr(examination, "judge_exercise", lambda *args, **options: pytest.fail("asked again"))
    assert at_fault(MODULE, SOLUTIONS, (stopped,)) is None


def test_what_follows_an_answer_that_does_not_end_is_not_asked(monkeypatch):
    asked, judge = [], examination.judge_exercise

    def ask(module, name, *args, **options):
        asked.append(name)
        return judge(module, name, *args, **options)

    monkeypatch.setattr(examination, "judge_exercise", ask)
    sources = SOLUTIONS | {"engine_run": edited(SOLUTIONS["engine_run"], {"state.epoch += 1": "pass"})}
    observer = partial(LocalObserver, seconds=0.2)
    card = all_yours_card(MODULE, sources, all_yours(MODULE, sources, observer=observer), observer=observer)
    assert asked == ["state", "engine_run"] and card.text.startswith("✗ All yours: stopped at engine_run.")
    assert "Not asked until then: epoch_batches, add_event_handler, fire_event, " in card.text
