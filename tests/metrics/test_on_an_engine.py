"""Metrics attached to an engine: usages, outputs, and stored results."""

import gc
import weakref
from types import SimpleNamespace

import numpy as np
import pytest

import dark
from dark.engine import Engine, Events
from dark.errors import NotComputableError, UsageError, ValueTypeError
from dark.metrics import (
    Accuracy,
    Average,
    BatchFiltered,
    BatchWise,
    EpochWise,
    Frequency,
    Loss,
    Metric,
    MetricGroup,
    MetricUsage,
    RunningAverage,
    RunningBatchWise,
    RunningEpochWise,
    SingleEpochRunningBatchWise,
)


def echo(*_):
    """Return an engine whose output is the batch."""
    return Engine(lambda engine, batch: batch)


class Seen(Metric):
    """Records its updates, and counts calls."""

    def __init__(self, *args, **kwargs):
        self.calls = []
        super().__init__(*args, **kwargs)

    def reset(self):
        self.calls.append("reset")
        self.seen = []

    def update(self, output):
        self.seen.append(output)

    def compute(self):
        return list(self.seen)


def record(usage, max_epochs=2):
    """Return the results after each iteration and epoch, of two epochs over [1, 2, 3]."""
    engine, results = echo(), []
    Seen().attach(engine, "seen", usage)
    for event in (Events.ITERATION_COMPLETED, Events.EPOCH_COMPLETED):
        engine.add_event_handler(event, lambda engine: results.append(engine.state.metrics.get("seen")))
    engine.run([1, 2, 3], max_epochs=max_epochs)
    return results


FIRST_EPOCH = [[1], [1, 2], [1, 2, 3], [1, 2, 3]]
RECORDS = {
    EpochWise: [None, None, None, [1, 2, 3], [1, 2, 3], [1, 2, 3], [1, 2, 3], [1, 2, 3]],
    BatchWise: [[1], [2], [3], [3], [1], [2], [3], [3]],
    RunningBatchWise: FIRST_EPOCH + [[1, 2, 3, *more] for more in ([1], [1, 2], [1, 2, 3], [1, 2, 3])],
    SingleEpochRunningBatchWise: FIRST_EPOCH + FIRST_EPOCH,
    RunningEpochWise: [None, None, None, [3], [3], [3], [3], [3, 3]],
}


@pytest.mark.parametrize("usage", RECORDS)
def test_a_usage_determines_the_events(usage):
    assert record(usage()) == record(usage.usage_name) == RECORDS[usage]


def test_a_filtered_usage_updates_at_filtered_iterations():
    assert record(BatchFiltered(every=2))[3::4] == [[2], [1, 3]]
    assert record(BatchFiltered(once=[1, 6]))[3::4] == [[1], [3]]
    assert record(MetricUsage(Events.STARTED, Events.EPOCH_COMPLETED, Events.ITERATION_COMPLETED(after=5)))[-1] == [3]


def test_a_result_replaces_that_of_the_previous_epoch():
    engine = echo()
    Average().attach(engine, "mean")
    engine.run([1, 2])
    engine.run([5])
    assert engine.state.metrics == {"mean": 5.0}


def test_under_several_names_it_is_updated_once():
    engine, seen = echo(), Seen()
    for name in "ab":
        seen.attach(engine, name)
    engine.run([1, 2])
    assert engine.state.metrics == {"a": [1, 2], "b": [1, 2]}
    assert seen.calls == ["reset", "reset"]


def test_after_detach_the_last_result_is_kept():
    engine, seen = echo(), Seen()
    for name in "ab":
        seen.attach(engine, name)
    engine.run([1])
    assert seen.is_attached(engine) and seen.is_attached(engine, "epoch_wise")
    assert not seen.is_attached(engine, BatchWise())
    seen.detach(engine)
    assert not seen.is_attached(engine)
    assert not any(engine.has_event_handler(handler) for handler in (seen.started, seen.iteration_completed))
    engine.run([2])
    assert engine.state.metrics == {"a": [1], "b": [1]}
    seen.detach(engine)


def test_metrics_do_not_keep_engines_alive():
    engine = echo()
    (Average() + 1).attach(engine, "more")
    RunningAverage(Average()).attach(engine, "smooth")
    gone = weakref.ref(engine)
    gc.disable()
    try:
        engine.run([1, 2])
        del engine
        assert gone() is None
    finally:
        gc.enable()


def test_a_terminated_epoch_has_no_result():
    engine = echo()
    Seen().attach(engine, "seen")
    engine.add_event_handler(Events.ITERATION_COMPLETED(once=2), lambda: engine.terminate())
    engine.run([1, 2, 3])
    assert engine.state.metrics == {}


@pytest.mark.parametrize("wrong, error", [("epoch", UsageError), (1, ValueTypeError), (EpochWise, ValueTypeError)])
def test_an_invalid_usage_raises(wrong, error):
    message = "usage should be '\\(Running\\)EpochWise" if error is UsageError else "Unhandled usage type"
    with pytest.raises(error, match=message):
        Seen().attach(echo(), "seen", usage=wrong)


def fed(output, **options):
    """Return the updates of a metric for an output."""
    seen = Seen(**options)
    seen.iteration_completed(SimpleNamespace(state=SimpleNamespace(output=output)))
    return seen.seen


def test_the_output_is_transformed():
    assert fed((1, 2, 3), output_transform=lambda output: output[1:]) == [(2, 3)]
    assert fed(7) == [7]


def test_predictions_and_targets_are_extracted_from_a_mapping():
    assert fed({"y": 2, "y_pred": 1, "x": 0}) == [(1, 2)]


def test_a_missing_key_is_named():
    with pytest.raises(UsageError, match=r"should contain \('y_pred', 'y'\) keys, but given \['y'\]"):
        fed({"y": 2})


def test_a_metric_of_numbers_rejects_a_mapping():
    with pytest.raises(ValueTypeError, match="output for Average metric should be a tuple/list, but given dict"):
        Average().iteration_completed(SimpleNamespace(state=SimpleNamespace(output={"a": 1})))


def test_a_loss_accepts_a_mapping_with_and_without_arguments():
    losses = []
    for output in ({"y_pred": [1], "y": [2]}, {"y_pred": [1], "y": [2], "criterion_kwargs": {"scale": 3}}):
        loss = Loss(lambda y_pred, y, scale=1: scale * 1.0)
        loss.iteration_completed(SimpleNamespace(state=SimpleNamespace(output=output)))
        losses.append(loss.compute())
    assert losses == [1.0, 3.0]


def test_a_pair_of_lists_is_unrolled():
    items = fed(([np.zeros(3), np.ones(3)], [1, 0]))
    assert [(y_pred.shape, y.tolist()) for y_pred, y in items] == [((1, 3), [1]), ((1, 3), [0])]
    assert fed(([], [])) == []


def test_skip_unrolling_passes_lists_unchanged():
    output = ([np.zeros(3)], [1])
    assert fed(output, skip_unrolling=True) == [output]
    assert fed((1, 2)) == [(1, 2)]
    assert fed([["a"], ["b"]]) == [[["a"], ["b"]]]


@pytest.mark.parametrize("output", [([1], [1], [1]), ([1, 2], [1])])
def test_other_lists_raise(output):
    with pytest.raises(UsageError, match="Output should have 2 items of the same length, got"):
        fed(output)


def test_unrolled_items_and_batches_give_the_same_result():
    y_pred, y = np.eye(3)[[0, 1, 2, 2]], np.array([0, 1, 1, 2])
    engine = echo()
    Accuracy().attach(engine, "accuracy")
    assert engine.run([(list(y_pred), list(y))]).metrics == engine.run([(y_pred, y)]).metrics == {"accuracy": 0.75}


def test_nodes_are_replaced_by_their_values():
    y_pred, y = dark.Parameter(np.array([[0.1, 0.9], [0.7, 0.3]])), np.array([1, 1])
    engine = echo()
    Accuracy().attach(engine, "accuracy")
    Loss(lambda y_pred, y: (y_pred * 2.0).sum()).attach(engine, "loss")
    Average(output_transform=lambda output: output[0].sum() + 1.0).attach(engine, "mean")
    metrics = engine.run([(y_pred, y)]).metrics
    assert metrics == {"accuracy": 0.5, "loss": pytest.approx(4.0), "mean": pytest.approx(3.0)}
    assert all(type(value) is float for value in metrics.values())


class Told(Metric):
    """Returns a given result."""

    def __init__(self, result, **options):
        self.result = result
        super().__init__(**options)

    def reset(self):
        pass

    def update(self, output):
        pass

    def compute(self):
        return self.result


def told(result, name="result", **options):
    engine = echo()
    Told(result, **options).attach(engine, name)
    return engine.run([0]).metrics


@pytest.mark.parametrize("result", [np.array(1.5), np.float64(1.5), dark.Constant(1.5), 1.5])
def test_a_scalar_is_stored_as_a_python_number(result):
    assert told(result) == {"result": 1.5}
    assert type(told(result)["result"]) is float


def test_other_results_are_stored_unchanged():
    array = np.ones(2)
    assert told(array)["result"] is array
    assert told("text") == {"result": "text"}
    assert told(None) == {"result": None}


@pytest.mark.parametrize(
    "mode, expected",
    [
        ("flatten", {"a": 1, "b": 2}),
        ("named", {"result": {"a": 1, "b": 2}}),
        ("both", {"a": 1, "b": 2, "result": {"a": 1, "b": 2}}),
    ],
)
def test_metrics_result_mode_determines_where_a_mapping_is_stored(mode, expected):
    assert told({"a": 1, "b": np.array(2)}, metrics_result_mode=mode) == expected


@pytest.mark.parametrize("mode", ["named", "both"])
def test_a_name_that_is_also_a_key_raises(mode):
    with pytest.raises(UsageError, match="Argument name 'a' is conflicting with mapping keys"):
        told({"a": 1}, "a", metrics_result_mode=mode)
    assert told({"a": 1}, "a", metrics_result_mode="flatten") == {"a": 1}


def test_a_group_equals_its_metrics():
    pick = lambda output: (output[0][1:], output[1][1:])
    group = MetricGroup({"all": Accuracy(), "without first": Accuracy(output_transform=pick)})
    engine = echo()
    group.attach(engine, "group")
    metrics = engine.run([(np.array([1, 0, 0, 1]), np.zeros(4))]).metrics
    assert metrics["group"] == {"all": 0.5, "without first": 2 / 3}
    assert metrics["all"] == 0.5


def test_frequency_uses_the_clock():
    times = iter([0, 0, 2, 4, 6, 8])
    engine, seen = echo(), []
    frequency = Frequency(output_transform=len, clock=lambda: next(times))
    frequency.attach(engine, "words", event_name=Events.ITERATION_COMPLETED(every=2))
    engine.add_event_handler(Events.ITERATION_COMPLETED, lambda: seen.append(engine.state.metrics.get("words")))
    engine.run(["twelve words", "ok", "six wd", ""])
    assert seen == [None, 3, 3, 2]
    assert frequency.is_attached(engine) and not frequency.is_attached(engine, EpochWise())
    frequency.detach(engine)
    assert not frequency.is_attached(engine)


@pytest.mark.parametrize("usage, expected", [("batch_wise", 4), (EpochWise(), 3)])
def test_frequency_accepts_usages(usage, expected):
    times = iter(range(99))
    engine = echo()
    frequency = Frequency(output_transform=lambda output: output, clock=lambda: next(times))
    frequency.attach(engine, "things", usage)
    assert engine.run([2, 4]).metrics == {"things": expected}
    assert frequency.is_attached(engine, usage)


def test_frequency_without_elapsed_time_raises():
    frequency = Frequency(clock=lambda: 5.0)
    frequency.update(3)
    with pytest.raises(NotComputableError, match="Frequency must have at least one example"):
        frequency.compute()
