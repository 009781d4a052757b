"""Running average of outputs and metrics, over batches, epochs and runs."""

from itertools import accumulate

import numpy as np
import pytest

from dark.engine import Engine, Events
from dark.errors import NotComputableError, UsageError, ValueTypeError
from dark.metrics import (
    Accuracy,
    Average,
    MetricGroup,
    RunningAverage,
    RunningBatchWise,
    RunningEpochWise,
    SingleEpochRunningBatchWise,
)

DATA = [4.0, 2.0, 1.0]


def smooth(values, alpha=0.5):
    return list(accumulate(values, lambda average, value: alpha * average + (1 - alpha) * value))


def record(metric, event, *usage, epochs=2):
    engine, results = Engine(lambda engine, batch: batch), []
    metric.attach(engine, "average", *usage)
    engine.add_event_handler(event, lambda: results.append(engine.state.metrics["average"]))
    engine.run(DATA, max_epochs=epochs)
    return results


def of_output():
    return RunningAverage(alpha=0.5, output_transform=lambda output: output)


@pytest.mark.parametrize("make", [of_output, lambda: RunningAverage(Average(), alpha=0.5)])
def test_running_average_over_a_run_and_over_an_epoch(make):
    assert record(make(), Events.ITERATION_COMPLETED) == smooth(DATA * 2)
    assert record(make(), Events.ITERATION_COMPLETED, SingleEpochRunningBatchWise()) == smooth(DATA) * 2


def test_running_average_of_epochs():
    mean = sum(DATA) / 3
    average = RunningAverage(Average(), alpha=0.5)
    assert record(average, Events.EPOCH_COMPLETED, RunningEpochWise()) == smooth([mean, mean])
    assert record(of_output(), Events.EPOCH_COMPLETED, RunningEpochWise()) == [1.0, 1.0]


def test_a_second_run_resets_it():
    engine = Engine(lambda engine, batch: batch)
    of_output().attach(engine, "average")
    engine.run([8.0])
    assert engine.run([2.0]).metrics == {"average": 2.0}


def test_a_metric_can_be_attached_and_averaged_at_the_same_time():
    engine, mean = Engine(lambda engine, batch: batch), Average()
    RunningAverage(mean, alpha=0.5).attach(engine, "smooth")
    mean.attach(engine, "mean")
    assert engine.run(DATA).metrics == {"smooth": smooth(DATA)[-1], "mean": sum(DATA) / 3}


def test_manual_updates():
    average = RunningAverage(Accuracy(), alpha=0.5)
    average.update(([1, 1], [1, 1]))
    average.update(([1, 1], [0, 0]))
    assert average.compute() == 0.5


def test_arrays_keep_their_dtype():
    average, buffer = of_output(), np.array([1.0, 2.0], np.float32)
    average.update(buffer)
    buffer += 1
    average.update(buffer)
    assert average.compute().tolist() == [1.5, 2.5]
    assert average.compute().dtype == np.float32
    average.reset()
    average.update(np.array(1.5, np.float32))
    average.update(np.array(2.5, np.float32))
    assert average.compute() == 2.0 and average.compute().dtype == np.float32


def test_detach_removes_all_handlers():
    for metric in (of_output(), RunningAverage(Average())):
        engine = Engine(lambda engine, batch: batch)
        metric.attach(engine, "average", RunningEpochWise())
        assert metric.is_attached(engine, RunningEpochWise())
        metric.detach(engine, RunningEpochWise())
        assert not any(engine.registry.handlers.values())


@pytest.mark.parametrize("bound, usage", [(True, SingleEpochRunningBatchWise()), (False, RunningBatchWise())])
def test_epoch_bound_is_deprecated(bound, usage):
    with pytest.warns(UserWarning, match="`epoch_bound` is deprecated"):
        old = RunningAverage(Average(), alpha=0.5, epoch_bound=bound)
    expected = record(RunningAverage(Average(), alpha=0.5), Events.ITERATION_COMPLETED, usage)
    assert record(old, Events.ITERATION_COMPLETED) == expected


def test_compute_before_the_first_value_raises():
    with pytest.raises(NotComputableError, match="RunningAverage must have at least one example"):
        of_output().compute()


@pytest.mark.parametrize(
    "arguments, error, message",
    [
        ({"src": [1]}, ValueTypeError, "Argument src should be a Metric or None"),
        ({"alpha": -1.0}, UsageError, "Argument alpha should be a float between 0.0 and 1.0, got -1.0"),
        ({"alpha": 0.0}, UsageError, "Argument alpha should be a float between"),
        ({}, UsageError, "Argument output_transform should not be None if src corresponds"),
        ({"src": Average(), "output_transform": abs}, UsageError, "output_transform should be None if src is a Metric"),
        ({"src": Average(), "device": "cpu"}, UsageError, "Argument device should be None if src is a Metric"),
    ],
)
def test_inconsistent_arguments_raise(arguments, error, message):
    with pytest.raises(error, match=message):
        RunningAverage(**arguments)


@pytest.mark.parametrize("output", [None, "text", (1, 2), {"a": 1}])
def test_values_that_cannot_be_averaged_raise(output):
    with pytest.raises(ValueTypeError, match="RunningAverage: cannot update with an output of"):
        of_output().update(output)


def test_a_group_cannot_be_averaged():
    average = RunningAverage(MetricGroup({"mean": Average()}))
    with pytest.raises(ValueTypeError, match="RunningAverage: cannot update with an output of dict"):
        average.update(1.0)


def test_inside_a_group_it_applies_its_own_output_transform():
    group = MetricGroup({"smooth": RunningAverage(alpha=0.5, output_transform=lambda output: output[0])})
    for output in ((4.0, "a"), (2.0, "b")):
        group.update(output)
    assert group.compute() == {"smooth": 3.0}
