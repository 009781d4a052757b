"""A run killed after any iteration and resumed gives bit-identical results."""

import numpy as np
import pytest

from dark.engine import Engine, Events
from dark.metrics import (
    Accuracy,
    Average,
    BatchFiltered,
    BatchWise,
    EpochMetric,
    EpochWise,
    Fbeta,
    MeanSquaredError,
    MetricGroup,
    Precision,
    RunningAverage,
    RunningBatchWise,
    RunningEpochWise,
    SingleEpochRunningBatchWise,
)
from tests.metrics.cases import same

RNG = np.random.default_rng(7)
DATA = [
    {"scores": RNG.random((size, 3)), "y": RNG.integers(0, 3, size), "loss": np.float32(RNG.random())}
    for size in (4, 1, 7, 3)
]
EPOCHS = 3
LAST = EPOCHS * len(DATA)


def classes(output):
    return output["scores"], output["y"]


def loss(output):
    return output["loss"]


def attach_all(engine):
    """Attach metrics of all types, with all usages; return them by name."""
    group = {"micro": Precision(average="micro"), "accuracy": Accuracy()}
    attached = {
        "accuracy": (Accuracy(classes), EpochWise()),
        "f1": (Fbeta(1, output_transform=classes), EpochWise()),
        "group": (MetricGroup(group, classes), EpochWise()),
        "all": (EpochMetric(lambda y_pred, y: y_pred.sum() + y.sum(), classes), EpochWise()),
        "every": (Average(loss), BatchFiltered(every=3)),
        "batch": (MeanSquaredError(lambda output: (output["scores"][:, 0], output["y"])), BatchWise()),
        "whole run": (Average(loss), RunningBatchWise()),
        "epoch so far": (Average(loss), SingleEpochRunningBatchWise()),
        "smooth": (RunningAverage(alpha=0.9, output_transform=loss), RunningBatchWise()),
        "smooth accuracy": (RunningAverage(Accuracy(classes), alpha=0.9), SingleEpochRunningBatchWise()),
        "smooth epochs": (RunningAverage(Accuracy(classes), alpha=0.5), RunningEpochWise()),
    }
    for name, (metric, usage) in attached.items():
        metric.attach(engine, name, usage)
    return {name: metric for name, (metric, _) in attached.items()}


def run(saved=None, stop_after=None):
    """Run to the end or until stopped, from the start or a saved state; return results and the states to save."""
    position = 0 if saved is None else saved["engine"]["iteration"]
    batches = iter(DATA[position % len(DATA) :] + DATA * EPOCHS)
    engine = Engine(lambda engine, _: next(batches))
    metrics, results, keep = attach_all(engine), {}, {}
    if saved is not None:
        engine.load_state_dict(saved["engine"])
        for name, metric in metrics.items():
            metric.load_state_dict(saved[name])

    @engine.on(Events.ITERATION_COMPLETED)
    def note():
        results[engine.state.iteration] = dict(engine.state.metrics)
        if engine.state.iteration == stop_after:
            keep.update({name: metric.state_dict() for name, metric in metrics.items()}, engine=engine.state_dict())
            engine.terminate(skip_completed=True)

    engine.add_event_handler(Events.EPOCH_COMPLETED, lambda: results.update(end=dict(engine.state.metrics)))
    engine.run(range(len(DATA)), max_epochs=EPOCHS) if saved is None else engine.run(range(len(DATA)))
    return results, keep


WHOLE, _ = run()


@pytest.mark.parametrize("killed", range(1, LAST))
def test_killed_after_any_iteration_it_resumes_to_the_bit(killed):
    results, _ = run(saved=run(stop_after=killed)[1])
    assert sorted(key for key in results if key != "end") == list(range(killed + 1, LAST + 1))
    assert same(results["end"], WHOLE["end"])
    for iteration in range(killed + 1, LAST + 1):
        assert same(results[iteration], {name: WHOLE[iteration][name] for name in results[iteration]})


def test_a_loaded_state_is_used_once():
    engine = Engine(lambda engine, batch: batch)
    mean = Average()
    mean.attach(engine, "mean")
    mean.update(100)
    mean.load_state_dict(mean.state_dict())
    engine.load_state_dict({"iteration": 1, "epoch_length": 2, "max_epochs": 3})
    results = []
    engine.add_event_handler(Events.EPOCH_COMPLETED, lambda: results.append(engine.state.metrics["mean"]))
    engine.run([2, 2])
    assert results == [51, 2, 2]


def test_it_is_reset_at_the_start_of_a_run_or_an_epoch():
    mean = Average()
    mean.update(100)
    for position in ({"iteration": 0}, {"iteration": 2}, None):
        engine = Engine(lambda engine, batch: batch)
        mean.load_state_dict(mean.state_dict())
        mean.attach(engine, "mean")
        if position:
            engine.load_state_dict({**position, "epoch_length": 2, "max_epochs": 3})
        assert engine.run([2, 4]).metrics == {"mean": 3}


@pytest.mark.parametrize("make", [lambda: Accuracy(), lambda: Accuracy() * 100, lambda: MetricGroup({"b": Accuracy()})])
def test_without_its_state_there_is_no_result_if_only_the_end_of_an_epoch_is_left(make):
    engine, metric, results = Engine(lambda engine, batch: ([batch], [1])), make(), {}
    metric.attach(engine, "a")
    engine.add_event_handler(
        Events.EPOCH_COMPLETED, lambda: results.update({engine.state.epoch: [*engine.state.metrics]})
    )
    engine.load_state_dict({"iteration": 2, "place": [0, 2], "epoch_length": 2, "max_epochs": 2})
    with pytest.warns(UserWarning, match="has no result 'a' for epoch 1: the run was resumed after the last iteration"):
        engine.run([1, 1])
    assert results[1] == [] and results[2][-1:] == ["a"]


def test_without_a_loaded_state_it_starts_reset():
    engine, mean = Engine(lambda engine, batch: batch), Average()
    mean.update(100)
    mean.attach(engine, "mean")
    engine.load_state_dict({"iteration": 1, "epoch_length": 2, "max_epochs": 1})
    assert engine.run([2, 4]).metrics == {"mean": 4}  # a list goes on with its second batch
