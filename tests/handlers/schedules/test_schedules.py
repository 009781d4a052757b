"""Schedules of values in the state: their values, their histories, and how they resume."""

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dark.engine import Engine, Events
from dark.errors import MissingExtraError, UsageError, ValueTypeError
from dark.handlers import (
    ExpStateScheduler,
    LambdaStateScheduler,
    MultiStepStateScheduler,
    PiecewiseLinearStateScheduler,
    StepStateScheduler,
)

SCHEDULES = {
    LambdaStateScheduler: {"lambda_obj": lambda k: 1 / k},
    PiecewiseLinearStateScheduler: {"milestones_values": [(2, 1.0), (4, 0.0), (7, 3.0)]},
    ExpStateScheduler: {"initial_value": 2.0, "gamma": 0.9},
    StepStateScheduler: {"initial_value": 2.0, "gamma": 0.5, "step_size": 3},
    MultiStepStateScheduler: {"initial_value": 2.0, "gamma": 0.5, "milestones": [3, 5]},
}
all_schedules = pytest.mark.parametrize("kind", SCHEDULES, ids=lambda kind: kind.__name__)


def make(kind, **settings):
    return kind(**{**SCHEDULES[kind], "param_name": "rate", "create_new": True, **settings})


def values(kind, count):
    return [value for _, value in kind.simulate_values(count, param_name="rate", **SCHEDULES[kind])]


def idle():
    return Engine(lambda engine, batch: None)


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (LambdaStateScheduler, [1, 1 / 2, 1 / 3, 1 / 4, 1 / 5, 1 / 6, 1 / 7, 1 / 8]),
        (PiecewiseLinearStateScheduler, [1, 1, 0.5, 0, 1, 2, 3, 3]),
        (ExpStateScheduler, [2 * 0.9**k for k in range(1, 9)]),
        (StepStateScheduler, [2, 2, 1, 1, 1, 0.5, 0.5, 0.5]),
        (MultiStepStateScheduler, [2, 2, 1, 1, 0.5, 0.5, 0.5, 0.5]),
    ],
)
def test_the_values_of_the_first_events(kind, expected):
    assert values(kind, 8) == expected


@given(st.lists(st.integers(0, 30), min_size=1, max_size=5).map(sorted), st.data())
def test_interpolation_passes_through_milestones_and_stays_between_their_values(milestones, data):
    heights = data.draw(st.lists(st.integers(-9, 9), min_size=len(milestones), max_size=len(milestones)))
    scheduler = PiecewiseLinearStateScheduler(list(zip(milestones, heights)), "rate")
    last_at = dict(zip(milestones, heights))  # of two at the same milestone, the last counts
    for k in range(32):
        scheduler.event_index = k
        assert min(heights) <= scheduler.get_param() <= max(heights)
        assert scheduler.get_param() == last_at.get(k, scheduler.get_param())


@all_schedules
def test_a_run_sets_the_attribute_and_keeps_the_history(kind):
    engine = idle()
    make(kind, save_history=True).attach(engine)
    engine.run([0] * 3, max_epochs=2)
    assert engine.state.rate == values(kind, 6)[-1]
    assert engine.state.param_history == {"rate": values(kind, 6)}


@all_schedules
def test_a_resumed_schedule_continues_and_its_value_is_set_from_the_start(kind):
    first = make(kind)
    first.attach(engine := idle())
    engine.run([0] * 4)
    second, seen = make(kind), []
    second.attach(again := idle())
    again.add_event_handler(Events.ITERATION_STARTED, lambda engine: seen.append(engine.state.rate))
    second.load_state_dict(first.state_dict())
    again.run([0] * 4)
    assert seen == values(kind, 7)[3:]


@all_schedules
def test_its_state_is_plain_data(kind):
    assert {type(value) for value in make(kind).state_dict().values()} <= {int, float, str, bool, list}


def test_an_existing_value_at_the_start_of_a_run_is_kept():
    scheduler = make(ExpStateScheduler)
    scheduler.attach(engine := idle(), Events.EPOCH_COMPLETED)
    engine.run([0])
    engine.state.rate, seen = 55.0, []
    engine.add_event_handler(Events.ITERATION_STARTED, lambda: seen.append(engine.state.rate))
    engine.run([0])
    assert seen == [55.0]


def test_an_object_with_a_state_is_saved_with_its_schedule():
    class Slope:
        slope = 1.0

        def __call__(self, k):
            return self.slope * k

        def state_dict(self):
            return {"slope": self.slope}

        def load_state_dict(self, state):
            self.slope = state["slope"]

    first, second = (LambdaStateScheduler(Slope(), "rate") for _ in range(2))
    first.lambda_obj.slope, first.event_index = 3.0, 2
    second.load_state_dict(first.state_dict())
    assert second.get_param() == 6.0


def test_two_schedules_have_separate_histories():
    engine = idle()
    make(ExpStateScheduler, save_history=True, param_name="a").attach(engine)
    make(StepStateScheduler, save_history=True, param_name="b").attach(engine, Events.EPOCH_COMPLETED)
    engine.run([0] * 3)
    assert {name: len(history) for name, history in engine.state.param_history.items()} == {"a": 3, "b": 1}


def test_a_new_attribute_must_be_new():
    engine = idle()
    engine.state.rate = 1.0
    with pytest.raises(UsageError, match="'rate' already exists in the engine.state"):
        make(ExpStateScheduler).attach(engine)


def test_a_missing_attribute_is_created_with_a_warning():
    engine = idle()
    with pytest.warns(UserWarning, match="'rate' is not defined in the engine.state. ExpStateScheduler will create it"):
        make(ExpStateScheduler, create_new=False).attach(engine)
    assert engine.state.rate is None


@pytest.mark.parametrize(
    ("milestones", "error", "text"),
    [
        (None, ValueTypeError, "should be a list or tuple, but given NoneType"),
        ([], UsageError, "with at least one value"),
        ([(1,)], UsageError, r"should be a list of pairs \(milestone, param_value\), but holds \(1,\)"),
        ([(0.5, 1)], ValueTypeError, "milestone should be integer, but given 0.5"),
        ([(5, 1), (4, 1)], UsageError, "given 4 is smaller than the previous milestone 5"),
    ],
)
def test_invalid_milestones_are_refused(milestones, error, text):
    with pytest.raises(error, match=text):
        PiecewiseLinearStateScheduler(milestones, "rate")


@pytest.mark.parametrize("milestones", [3, [3, 1], [1.5], "abc"])
def test_invalid_steps_are_refused(milestones):
    with pytest.raises(UsageError, match="Argument milestones must be increasing integers, but given"):
        MultiStepStateScheduler(1.0, 0.5, milestones, "rate")
    for step_size in (0, 1.5, None):
        with pytest.raises(UsageError, match=f"Argument step_size must be a positive integer, but given {step_size}"):
            StepStateScheduler(1.0, 0.5, step_size, "rate")


def test_a_lambda_scheduler_requires_a_callable():
    with pytest.raises(UsageError, match="Expected lambda_obj to be callable. Got 3"):
        LambdaStateScheduler(3, "rate")


def test_a_state_without_a_key_is_refused():
    with pytest.raises(UsageError, match="'initial_value' is absent"):
        make(ExpStateScheduler).load_state_dict({"event_index": 1, "param_name": "a", "save_history": False})


def test_values_can_be_plotted():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    (line,) = ExpStateScheduler.plot_values(3, param_name="rate", initial_value=1.0, gamma=0.5)
    assert line.get_ydata().tolist() == [0.5, 0.25, 0.125] and line.get_label() == "rate"
    matplotlib.pyplot.close("all")


def test_without_matplotlib_the_error_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(MissingExtraError, match="matplotlib is not installed"):
        ExpStateScheduler.plot_values(3, param_name="rate", initial_value=1.0, gamma=0.5)
