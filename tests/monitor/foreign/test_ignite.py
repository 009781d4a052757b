"""Monitors and notes on engines of PyTorch-Ignite."""

import warnings

import numpy as np
import pytest

from dark.engine import Events
from dark.monitor import Monitor, Note

torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
with warnings.catch_warnings():  # of PyTorch, about what Ignite imports
    warnings.simplefilter("ignore")
    ignite = pytest.importorskip("ignite.engine", reason="the oracle extra (Ignite) is not installed")
pytestmark = pytest.mark.oracle

from tests.monitor.foreign.pairs import Theirs, batches, pair  # noqa: E402 - it needs PyTorch

THEIR_EVENTS = ignite.Events


def run(attach, epochs=3, process=None):
    """Train with an engine of Ignite; return the weights, what `attach` returned, and the engine."""
    network = pair("perceptron")[1]
    train = Theirs(network)
    engine = ignite.Engine(process or (lambda engine, batch: train(*batch)))
    found = attach(engine, network)
    engine.run(batches(steps=8), max_epochs=epochs)
    assert not any(m._forward_hooks for m in network.modules())
    return [p.detach().numpy().tobytes() for p in network.parameters()], found, engine


CADENCES = [
    (Events.ITERATION_COMPLETED(every=5), [5, 10, 15, 20]),
    (THEIR_EVENTS.ITERATION_COMPLETED(every=5), [5, 10, 15, 20]),
    (THEIR_EVENTS.ITERATION_COMPLETED(once=7), [7]),
    (THEIR_EVENTS.ITERATION_COMPLETED(lambda engine, n: n % 9 == 0), [9, 18]),
    (THEIR_EVENTS.EPOCH_COMPLETED, [8, 16, 24]),
    (Events.EPOCH_COMPLETED | Events.ITERATION_COMPLETED(once=[1, 2]), [1, 2, 8, 16, 24]),
    (THEIR_EVENTS.EPOCH_COMPLETED | THEIR_EVENTS.ITERATION_COMPLETED(every=10), [8, 10, 16, 20, 24]),
]


@pytest.mark.parametrize("event, steps", CADENCES)
@pytest.mark.parametrize("note_first", [True, False])
def test_a_note_has_the_records_of_its_steps_and_the_training_is_the_same(tmp_path, event, steps, note_first):
    def attach(engine, network):
        monitor, note = Monitor(network), Note(tmp_path)
        if note_first:
            note.attach(engine, event, monitor)
            monitor.attach(engine, event)
        else:
            monitor.attach(engine, event, note=note)
        truth = {}
        engine.add_event_handler(
            THEIR_EVENTS.ITERATION_COMPLETED,
            lambda e: truth.update({e.state.iteration: (e.state.output, network[0].weight.detach().numpy().copy())}),
        )
        return monitor, truth

    plain, _, _ = run(lambda engine, network: None)
    observed, (monitor, truth), _ = run(attach)
    assert observed == plain and monitor.records == len(steps) and monitor.dropped == {}
    series = Note.load(tmp_path).scalar_dict["loss"]
    assert series.steps.tolist() == steps
    assert series.values.tolist() == [truth[k][0] for k in steps]
    weights = Note.load(tmp_path).tensor_dict["weights/0.weight"]
    assert all(np.array_equal(weights.at(k), truth[k][1]) for k in steps)
    assert (
        "activations/6" in Note.load(tmp_path).tensor_dict and "gradient_norm/0.bias" in Note.load(tmp_path).scalar_dict
    )


def test_only_the_steps_that_are_recorded_are_observed():
    counts = []

    def attach(engine, network):
        monitor = Monitor(network)
        monitor.attach(engine, THEIR_EVENTS.ITERATION_COMPLETED(every=4))
        engine.add_event_handler(
            THEIR_EVENTS.ITERATION_STARTED, lambda: counts.append(len(network[0]._forward_hooks))
        )  # fmt: skip
        return monitor

    run(attach)
    assert counts == [0, 0, 0, 1] * 6


def test_a_restarted_run_has_records_of_its_own(tmp_path):
    with Note(tmp_path) as note:

        def attach(engine, network):
            monitor = Monitor(network)
            note.attach(engine, THEIR_EVENTS.EPOCH_COMPLETED, monitor)
            monitor.attach(engine, THEIR_EVENTS.EPOCH_COMPLETED)
            return monitor

        _, monitor, engine = run(attach, epochs=1)
        first = note.scalar_dict["loss"].at(8)
        engine.state.max_epochs = None
        engine.run(batches(steps=8), max_epochs=1)
        assert monitor.records == 2 and note.scalar_dict["loss"].at(8) < first == pytest.approx(1.1, abs=0.2)


def test_metrics_and_outputs_by_name_are_recorded_and_the_handle_removes():
    def process(engine, batch):
        return {"loss": torch.tensor(0.25, requires_grad=True), "size": len(batch[1]), "scores": torch.ones(3)}

    def attach(engine, network):
        monitor = Monitor(network)
        engine.add_event_handler(
            THEIR_EVENTS.ITERATION_COMPLETED, lambda e: e.state.metrics.update(accuracy=torch.tensor(0.5))
        )  # fmt: skip
        handle = monitor.attach(engine, THEIR_EVENTS.ITERATION_COMPLETED(every=2))
        engine.add_event_handler(THEIR_EVENTS.EPOCH_COMPLETED(once=2), lambda: handle.remove())
        return monitor

    with pytest.warns(UserWarning, match="no network was called"):
        _, monitor, _ = run(attach, process=process)
    assert monitor.scalars().items() >= {"loss": 0.25, "size": 5.0, "accuracy/train": 0.5}.items()
    assert monitor.records == 8


def test_a_note_takes_nan_and_the_best_of_an_ignite_engine(tmp_path):
    outputs = iter([3.0, 2.0, float("nan"), 1.0, 4.0, 5.0, 6.0, 7.0])

    def attach(engine, network):
        note = Note(tmp_path)
        note.attach(engine, THEIR_EVENTS.COMPLETED, when_nan=True, on_best="loss", better="lower")

    run(attach, 1, lambda engine, batch: next(outputs))
    assert Note.load(tmp_path).scalar_dict["loss"].steps.tolist() == [1, 2, 3, 4, 8]
