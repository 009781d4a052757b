"""Early stopping: what an improvement is, and when the run ends."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dark.engine import Engine, Events
from dark.errors import UsageError, ValueTypeError
from dark.handlers import EarlyStopping

NAN = float("nan")


def nothing(engine, batch):
    return None


def calls_until_the_end(scores, **settings):
    """Return the number of scores after which the trainer ends, or None."""
    trainer, given_scores = Engine(nothing), iter(scores)
    handler = EarlyStopping(score_function=lambda engine: next(given_scores), trainer=trainer, **settings)
    for count in range(1, len(scores) + 1):
        handler(None)
        if trainer.should_terminate:
            return count
    return None


@given(st.lists(st.floats(-5, 5), max_size=12), st.integers(1, 4))
def test_without_a_threshold_the_run_ends_when_the_best_score_is_not_exceeded_for_too_long(scores, patience):
    since, best, expected = 0, -float("inf"), None
    for count, score in enumerate(scores, start=1):
        since, best = (0, score) if score > best else (since + 1, best)
        if since == patience and expected is None:
            expected = count
    assert calls_until_the_end(scores, patience=patience) == expected


@given(st.lists(st.floats(-5, 5), max_size=12), st.floats(0, 1), st.booleans(), st.sampled_from(["abs", "rel"]))
def test_mode_min_mirrors_mode_max(scores, threshold, cumulative, threshold_mode):
    settings = {"patience": 2, "threshold": threshold, "cumulative": cumulative, "threshold_mode": threshold_mode}
    mirrored = calls_until_the_end([-score for score in scores], mode="min", **settings)
    assert calls_until_the_end(scores, mode="max", **settings) == mirrored


def test_an_improvement_is_strictly_more_than_the_threshold():
    assert calls_until_the_end([1.0, 1.5, 2.0], patience=1, threshold=0.5) == 2
    assert calls_until_the_end([1.0, 1.75, 2.5], patience=1, threshold=0.5) is None


def test_small_gains_update_the_best_score_unless_cumulative():
    assert calls_until_the_end([0.0, 0.3, 0.6], patience=2, threshold=0.4) == 3
    assert calls_until_the_end([0.0, 0.3, 0.6], patience=2, threshold=0.4, cumulative=True) is None


def test_relative_gains_of_negative_scores_are_improvements():
    settings = {"patience": 1, "threshold": 0.1, "threshold_mode": "rel"}
    assert calls_until_the_end([-10.0, -10.5], **settings) == 2
    assert calls_until_the_end([-10.0, -9.5], **settings) == 2
    assert calls_until_the_end([-10.0, -8.5], **settings) is None


def test_a_score_that_is_nan_from_the_start_ends_the_run():
    assert calls_until_the_end([NAN] * 5, patience=3) == 3


def test_nan_is_not_an_improvement_and_not_stored():
    assert calls_until_the_end([1.0, NAN, 2.0, NAN, 1.5], patience=2) == 5
    assert calls_until_the_end([NAN, 1.0, 0.5, 0.5], patience=2) == 4
    assert calls_until_the_end([1.0, NAN, 0.5], patience=2, mode="min") is None


def validated(patience, scores, **attached):
    """Make a trainer whose validation gives these scores."""
    trainer, evaluator, given_scores = Engine(nothing), Engine(nothing), iter(scores)
    handler = EarlyStopping(patience, lambda engine: next(given_scores), trainer)
    trainer.add_event_handler(Events.EPOCH_COMPLETED, lambda: evaluator.run([0]))
    handler.attach(evaluator, reset_engine=trainer)
    return trainer, handler


def test_each_run_of_the_trainer_starts_with_a_reset():
    trainer, handler = validated(2, [5.0, 1.0, 1.0, 2.0, 1.0, 1.0])
    assert trainer.run([0], max_epochs=50).epoch == 3
    trainer.state.max_epochs = None
    assert trainer.run([0], max_epochs=50).epoch == 3 and handler.best_score == 2.0


def test_a_loaded_state_continues_counting_although_the_run_starts():
    trainer, handler = validated(3, [5.0, 1.0])
    trainer.run([0], max_epochs=2)
    again, resumed = validated(3, [1.0, 1.0])
    resumed.load_state_dict(handler.state_dict())
    assert again.run([0], max_epochs=50).epoch == 2
    resumed.reset()
    assert resumed.state_dict() == {"counter": 0, "best_score": None, "threshold_mode": "abs"}


def test_a_state_without_a_key_is_refused():
    handler = EarlyStopping(2, lambda engine: 0, Engine(nothing))
    with pytest.raises(UsageError, match="'best_score' is absent"):
        handler.load_state_dict({"counter": 1})
    with pytest.raises(ValueTypeError, match="should be a dictionary"):
        handler.load_state_dict([1])


@pytest.mark.parametrize(
    ("change", "error", "text"),
    [
        ({"score_function": 5}, ValueTypeError, "score_function should be a function. Got 5"),
        ({"patience": 0}, UsageError, "patience should be positive integer. Got 0"),
        ({"patience": 1.5}, UsageError, "patience should be positive integer. Got 1.5"),
        ({"trainer": None}, ValueTypeError, "trainer should be an instance of Engine. Got NoneType"),
        ({"threshold": -1}, UsageError, "threshold should not be a negative number. Got -1"),
        ({"threshold": True}, UsageError, "threshold should not be a negative number. Got True"),
        ({"threshold_mode": "relative"}, UsageError, "threshold_mode should be either 'abs' or 'rel'. Got 'relative'"),
        ({"mode": "less"}, UsageError, "mode should be either 'min' or 'max'. Got 'less'"),
    ],
)
def test_invalid_arguments_are_refused(change, error, text):
    fine = {"patience": 2, "score_function": lambda engine: 0, "trainer": Engine(nothing)}
    with pytest.raises(error, match=text):
        EarlyStopping(**{**fine, **change})


def test_a_score_is_a_number():
    trainer = Engine(nothing)
    with pytest.raises(UsageError, match="should be a number, but it is None"):
        EarlyStopping(2, lambda engine: None, trainer)(trainer)
    handler = EarlyStopping(2, lambda engine: np.array(0.5), trainer)
    handler(trainer)
    assert handler.best_score == 0.5 and type(handler.best_score) is float
