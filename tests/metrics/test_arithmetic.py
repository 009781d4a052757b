"""Arithmetic of metrics: operators, indexing, methods of results, and functions of several metrics."""

import operator
import weakref
from types import SimpleNamespace

import numpy as np
import pytest

import dark
from dark.engine import Engine, Events
from dark.errors import DarkError, DrawingError, UsageError, ValueTypeError
from dark.metrics import Accuracy, Average, Metric, MetricGroup, MetricsLambda, Precision, Recall, RunningAverage
from dark.metrics.metric_state import PER_PROCESS

OPERATORS = [
    operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod, operator.pow,
]  # fmt: skip


class Last(Metric):
    """Returns the last output, and counts updates."""

    _state_dict_all_req_keys = ("last",)

    def __init__(self, output_transform=lambda output: output):
        self.updates = 0
        super().__init__(output_transform)

    def reset(self):
        self.last = None

    def update(self, output):
        self.last = output
        self.updates += 1

    def compute(self):
        return self.last


def result_of(value):
    return value.compute() if isinstance(value, Metric) else value


@pytest.mark.parametrize("function", OPERATORS)
@pytest.mark.parametrize("other", [3.0, 7, np.array([2.0, 5.0])])
def test_an_operator_applies_to_the_results(function, other):
    metric = Last()
    for left, right in ((metric, other), (other, metric), (metric, metric)):
        made = function(left, right)
        metric.update(4.0)
        assert isinstance(made, MetricsLambda)
        assert np.array_equal(made.compute(), function(result_of(left), result_of(right)))


def test_negation_indexing_and_methods_of_the_result():
    metric = Last()
    minus, item, method, chain = -metric, metric[1], metric.sum(axis=0), (2 * metric[:2]).max().item()
    metric.update(np.array([1.0, 5.0, 2.0]))
    assert minus.compute().tolist() == [-1, -5, -2]
    assert item.compute() == 5
    assert method.compute() == 8
    assert chain.compute() == 10


def test_a_method_that_the_result_does_not_have_is_an_error_of_the_run():
    engine = Engine(lambda engine, batch: batch)
    Average().keys().attach(engine, "keys")
    with pytest.raises(AttributeError, match=r"type 'float64' has no attribute 'keys'.\n  Expected: .*\n  Try: .*keys"):
        engine.run([1.0])


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("atach", "attach"), ("rest", "reset"), ("compte", "compute"), ("meen", "mean"), ("is_atached", "is_attached"),
        ("upper", r"MetricsLambda\(lambda result: result.upper, metric\)"),
        ("shape", r"MetricsLambda\(lambda result: result.shape, metric\)"),
    ],
)  # fmt: skip
def test_a_name_that_no_result_has_is_an_error_where_it_is_used(name, near):
    with pytest.raises(
        AttributeError, match=f"Average has no attribute '{name}'.\n  Expected: .*\n  Try: {near}"
    ) as caught:
        getattr(Average(), name)
    assert isinstance(caught.value, DarkError) and caught.value.name == name and isinstance(caught.value.obj, Average)
    with pytest.raises(AttributeError, match=f"MetricsLambda has no attribute '{name}'"):
        getattr(Average() + 1, name)


def test_a_metric_has_no_attributes_but_its_own_and_the_methods_of_results():
    metric = Accuracy()
    assert not any(
        hasattr(metric, name) for name in ("anything", "scalars", "named_parameters", "inputs", "value", "T")
    )
    for kind in (float, np.float64, np.ndarray, dict):
        methods = [name for name in dir(kind) if not name.startswith("_") and callable(getattr(kind, name))]
        assert methods and all(callable(getattr(metric, name)) for name in methods)


def test_a_method_of_a_dict_gives_a_metric():
    group = MetricGroup({"a": Average(), "b": Average() * 2})
    total = MetricsLambda(lambda values: sum(values), group.values())
    total.update(3.0)
    assert total.compute() == 9.0


def test_a_metric_is_refused_where_a_source_or_a_graph_is_expected(tmp_path):
    with pytest.raises(DrawingError, match="draw: Accuracy is not a node of a graph.\n  Expected: .*\n  Try: "):
        dark.draw(Accuracy())
    note, engine = dark.monitor.Note(tmp_path / "note"), Engine(lambda engine, batch: batch)
    with note, pytest.raises(ValueTypeError, match="source must have .*\n  Expected: .*\n  Try: "):
        note.attach(engine, Events.ITERATION_COMPLETED, Accuracy())


def test_looking_up_private_names_raises():
    metric = Last()
    metric.update(1)
    for name in ("_repr_html_", "__array__", "_ipython_display_"):
        with pytest.raises(AttributeError, match=f"Last has no attribute '{name}'"):
            getattr(metric, name)
    assert metric.compute() == 1


def test_a_metric_is_not_iterable():
    with pytest.raises(TypeError):
        iter(Last())
    with pytest.raises(TypeError):
        assert 3 in Last()


def test_a_function_gets_results_by_position_and_by_keyword():
    one, two = Last(), Last()
    made = MetricsLambda(lambda a, b, c=0, *, d=0: (a, b, c, d), one, 10, two, d=one)
    made.update(3)
    assert made.compute() == (3, 10, 3, 3)


def test_creating_and_resetting_it_reset_the_operands():
    one = Last()
    one.update(1)
    made = one + 1
    assert one.last is None
    made.update(1)
    assert made.compute() == 2
    made.reset()
    assert one.last is None


def test_an_operand_is_updated_once_however_often_it_occurs():
    one = Last()
    made = one * one + (one - 1) / one
    made.update(2.0)
    assert (one.updates, made.compute()) == (1, 4.5)
    engine = Engine(lambda engine, batch: batch)
    made.reset()
    made.attach(engine, "made")
    one.attach(engine, "one")
    engine.run([4.0])
    assert one.updates == 2


def test_attached_it_updates_operands_that_store_no_result():
    precision, recall = Precision(), Recall()
    f1 = (2 * precision * recall / (precision + recall)).mean()
    engine = Engine(lambda engine, batch: batch)
    f1.attach(engine, "f1")
    assert engine.run([([1, 1, 1, 0], [1, 0, 1, 0])]).metrics == {"f1": pytest.approx(0.8)}
    assert f1.is_attached(engine) and not precision.is_attached(engine)
    precision.detach(engine)
    assert not f1.is_attached(engine)
    f1.attach(engine, "f1")
    assert f1.is_attached(engine)
    f1.detach(engine)
    assert not f1.is_attached(engine)


def test_manual_updates_and_updates_by_an_engine_are_mutually_exclusive():
    engine, made = Engine(lambda engine, batch: batch), Last() + 1
    made.attach(engine, "made")
    with pytest.raises(UsageError, match="MetricsLambda is already attached to an engine"):
        made.update(1)
    made.detach(engine)
    made.update(1)
    with pytest.raises(UsageError, match="The underlying metrics are already updated"):
        made.attach(engine, "made")
    made.reset()
    made.attach(engine, "made")


def test_a_deleted_engine_no_longer_counts():
    engine, made = Engine(lambda engine, batch: batch), Last() + 1
    made.attach(engine, "made")
    engine = weakref.ref(engine)
    assert engine() is None  # at once, not when the garbage collector comes
    made.update(1)
    assert made.compute() == 2


@pytest.mark.parametrize("around", [lambda metric: MetricGroup({"made": metric}), RunningAverage])
def test_operands_apply_their_own_output_transform_inside_other_metrics(around):
    engine = Engine(lambda engine, batch: batch)
    made = Average(output_transform=lambda output: output["a"]) + Average(output_transform=lambda output: output["b"])
    around(made).attach(engine, "all")
    metrics = engine.run([SimpleMapping(a=1, b=2)]).metrics
    assert metrics["all"] in (3.0, {"made": 3.0})


class SimpleMapping(SimpleNamespace):
    """Has items by name, but is not a Mapping."""

    def __getitem__(self, name):
        return getattr(self, name)


def test_a_running_average_can_be_an_operand():
    engine = Engine(lambda engine, batch: batch)
    percent = RunningAverage(Accuracy(), alpha=0.5) * 100
    percent.attach(engine, "percent", "running_batch_wise")
    assert engine.run([([1], [1]), ([1], [0])]).metrics == {"percent": 50.0}


def test_a_state_contains_the_operands_without_constants():
    made = MetricsLambda(lambda a, how, b: (a, how, b), Last(), "mean", b=Last())
    made.update(3)
    state = made.state_dict()
    assert state == {PER_PROCESS: [{"_updated": True, "args": [{"last": 3}, None], "kwargs": {"b": {"last": 3}}}]}
    made.reset()
    made.load_state_dict(state)
    assert made.compute() == (3, "mean", 3)


def test_a_state_of_another_structure_raises():
    with pytest.raises(UsageError, match=r"the state of \[0, 1\] is \[0\]"):
        (Last() + 1).load_state_dict((-Last()).state_dict())
