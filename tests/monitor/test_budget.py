"""A monitor keeps to its budget of time and memory, and reports what it left out; its state is saved and resumed."""

from time import sleep

import numpy as np
import pytest

from dark import nn
from dark.engine import Engine, Events
from dark.errors import UsageError, ValueTypeError
from dark.handlers import Checkpoint
from dark.monitor import Monitor
from tests.monitor.networks import KINDS, feed_forward


def test_series_that_exceed_the_memory_are_left_out_and_reported():
    model, trainer, data, _ = feed_forward()
    monitor = Monitor(model, budget_mb=1)
    monitor.attach(trainer, Events.ITERATION_COMPLETED)
    trainer.run(data)
    whole, full = set(monitor.tensors()), monitor.budget.size_bytes
    assert monitor.dropped == {}
    with pytest.warns(UserWarning, match="Monitor: .* is not recorded: .* more than budget_mb") as caught:
        monitor = Monitor(model, budget_mb=full / 3e6)
        monitor.attach(trainer, Events.ITERATION_COMPLETED)
        trainer.run(data, max_epochs=2)
    assert len(caught) == 1 and 0 < monitor.budget.size_bytes <= full / 3
    assert set(monitor.tensors()) < whole and len(monitor.dropped) >= 1
    assert not {name for name in monitor.tensors() if name in monitor.dropped}


def test_without_any_memory_nothing_is_kept_and_the_training_runs():
    model, trainer, data, _ = feed_forward()
    with pytest.warns(UserWarning, match="budget_mb=0"):
        monitor = Monitor(model, budget_mb=0)
    monitor.attach(trainer, Events.ITERATION_COMPLETED)
    trainer.run(data)
    assert monitor.tensors() == {} and "loss" in monitor.scalars()


def test_observations_that_exceed_the_time_are_skipped_and_counted():
    model, recorded = nn.Linear(2, 1, seed=0), []
    trainer = Engine(lambda engine, batch: sleep(0.0001))
    monitor = Monitor(model, export_weight_grads=False, budget_ms=1.0)
    monitor.register_stats("slow", lambda: sleep(0.02) or recorded.append(trainer.state.iteration) or 1.0)
    monitor.attach(trainer, Events.ITERATION_COMPLETED)
    with pytest.warns(UserWarning, match="observations is not recorded: 1 of 2 skipped, to keep to budget_ms=1"):
        trainer.run(range(100))
    assert 2 <= len(recorded) <= 6 and monitor.budget.elapsed_seconds <= 0.1 + 0.03
    assert monitor.dropped == {"observations": f"{100 - len(recorded)} of 100 skipped, to keep to budget_ms=1"}
    assert monitor.budget.steps == 100


def test_outputs_whose_shape_changes_are_reported_and_the_others_recorded():
    model = nn.Sequential(nn.Linear(2, 2, seed=0), nn.Tanh())
    monitor = Monitor(model)
    with pytest.warns(UserWarning, match=r"a step had examples of shape \(5, 2\) instead of \(4, 2\)"):
        for length in (4, 5, 4):
            monitor.begin()
            model(np.ones((3, length, 2)))
            monitor.record()
        assert set(monitor.dropped) <= {"activations/0", "activations/1"} and monitor.stats_dict
    assert [monitor.stats_dict[f"activations/{k}"].count for k in (0, 1)] == [2, 2]
    assert set(monitor.dropped) == {"activations/0", "activations/1"}


@pytest.mark.parametrize("budget", ["budget_ms", "budget_mb"])
def test_budgets_are_numbers(budget):
    with pytest.raises(UsageError, match=f"{budget} must be 0 or more, got -1"):
        Monitor(nn.ReLU(), **{budget: -1})
    with pytest.raises(ValueTypeError, match=f"{budget} must be a number, got '1'"):
        Monitor(nn.ReLU(), **{budget: "1"})


@pytest.mark.parametrize("kind", ["feed-forward", "LSTM", "adversarial"])
def test_a_monitor_that_was_saved_continues_as_if_nothing_had_happened(kind, tmp_path):
    event = Events.ITERATION_COMPLETED

    def watch(model, trainer, axis):
        monitor = Monitor(model, monitor_activations=[("*0", 2), ("*", 1)], sample_axis=axis)
        monitor.register_stats("iteration", lambda: float(getattr(trainer, "engine", trainer).state.iteration))
        return monitor

    def train(epochs):
        np.random.seed(0)
        model, trainer, data, axis = KINDS[kind]()
        monitor = watch(model, trainer, axis)
        handle = monitor.attach(trainer, event)
        if epochs == 1:
            checkpoint = Checkpoint({"monitor": monitor, "trainer": getattr(trainer, "engine", trainer)}, tmp_path)
            getattr(trainer, "engine", trainer).add_event_handler(Events.EPOCH_COMPLETED, checkpoint)
        trainer.run(data, max_epochs=epochs)
        handle.remove()
        return monitor, trainer, watch(model, trainer, axis), data

    (whole, *_), (first, trainer, second, data) = train(2), train(1)
    state = np.random.get_state()
    Checkpoint.load_objects({"monitor": second}, next(tmp_path.iterdir()))
    np.random.set_state(state)
    np.testing.assert_equal(second.tensors(), first.tensors())
    np.testing.assert_equal(second.scalars(), first.scalars())
    second.attach(trainer, event)
    trainer.run(data, max_epochs=2)
    found, expected = {**second.tensors(), **second.scalars()}, {**whole.tensors(), **whole.scalars()}
    assert found.keys() == expected.keys()
    for name in found:
        if not name.startswith("samples/"):  # their examples come from the first step that was observed
            np.testing.assert_array_equal(found[name], expected[name])


def test_what_is_not_a_state_is_refused():
    with pytest.raises(UsageError, match="'weights' is absent"):
        Monitor(nn.ReLU()).load_state_dict({})
    monitor = Monitor(nn.Linear(2, 1))
    monitor.record()
    with pytest.raises(UsageError, match="the state must have 4 elements, as the weights, got 3"):
        Monitor(nn.Linear(3, 1)).load_state_dict(monitor.state_dict())
    with pytest.raises(UsageError, match="the state must have 4 elements, .* got 3"):
        Monitor(nn.Linear(3, 1), export_weights=False).load_state_dict(
            {**monitor.state_dict(), "weights": Monitor(nn.Linear(3, 1)).state_dict()["weights"]}
        )
    with pytest.raises(ValueTypeError, match="should be a dictionary"):
        Monitor(nn.ReLU()).load_state_dict(3)
