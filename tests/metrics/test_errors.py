"""Errors and warnings of metrics."""

import numpy as np
import pytest

from dark import metrics as m
from dark.errors import EngineError, NotComputableError, ShapeError, UsageError, ValueTypeError
from tests.metrics.cases import CASES

ZEROS = np.zeros(10, int)


def scores(*shape):
    return np.random.default_rng(0).random(shape)


BATCHES = {
    "y_pred must have shape of": (m.Accuracy, ZEROS, np.zeros((10, 5, 6), int), ShapeError),
    "y must have shape of": (m.Accuracy, np.zeros((10, 5, 6), int), ZEROS, ShapeError),
    r"compatible shapes, but given \(9,\) vs \(10,\)": (m.Accuracy, ZEROS, ZEROS[:9], ShapeError),
    r"compatible shapes, but given \(10, 3\) vs \(10, 5, 6\)": (
        m.Accuracy, scores(10, 5, 6), np.zeros((10, 3), int), ShapeError,
    ),
    "Accuracy: For binary cases, y must be comprised of 0's and 1's": (m.Accuracy, ZEROS, np.arange(10), UsageError),
    "Accuracy: For binary cases, y_pred must be": (m.Accuracy, scores(10), ZEROS, UsageError),
    "same shape of .batch_size, num_categories, ...., but given|num_categories > 1": (
        lambda: m.Accuracy(is_multilabel=True), ZEROS, ZEROS, ShapeError,
    ),
    "Recall: y and y_pred must have same shape": (
        lambda: m.Recall(is_multilabel=True), scores(10, 4), ZEROS, ShapeError,
    ),
    "average='samples' is incompatible with binary and multiclass input data; this is binary": (
        lambda: m.Precision(average="samples"), ZEROS, ZEROS, UsageError,
    ),
    "average='samples' is incompatible .* this is multiclass": (
        lambda: m.Recall(average="samples"), scores(10, 3), ZEROS, UsageError,
    ),
    "Number of classes in the prediction is 4 and an element in y has invalid class = 4": (
        m.Precision, scores(10, 4), ZEROS + 4, UsageError,
    ),
    "Recall: y_pred contains fewer classes than y. .* invalid class = -1": (
        m.Recall, scores(10, 4), ZEROS - 1, UsageError,
    ),
    r"y_pred must have shape \(batch_size, num_classes \(currently set to 5\), ...\), but given \(10,\)": (
        lambda: m.ConfusionMatrix(5), ZEROS, ZEROS, ShapeError,
    ),
    "does not have correct number of classes: 4 vs 5": (lambda: m.ConfusionMatrix(5), scores(10, 4), ZEROS, ShapeError),
    "and y must have shape of": (lambda: m.ConfusionMatrix(5), scores(10, 5, 2), ZEROS, ShapeError),
    r"y and y_pred must have compatible shapes. They are \(9,\)": (
        lambda: m.ConfusionMatrix(5), scores(10, 5), ZEROS[:9], ShapeError,
    ),
    "y must be integers, got dtype float64": (lambda: m.ConfusionMatrix(5), scores(10, 5), scores(10), UsageError),
    r"MeanSquaredError: cannot subtract y of shape \(3, 3\) from y_pred of shape \(3,\)": (
        m.MeanSquaredError, scores(3), scores(3, 3), ShapeError,
    ),
    r"MeanAbsoluteError: cannot subtract y of shape \(8,\) from y_pred of shape \(4, 2\)": (
        m.MeanAbsoluteError, scores(4, 2), scores(8), ShapeError,
    ),
    r"RootMeanSquaredError: cannot subtract y of shape \(\) from y_pred of shape \(\)": (
        m.RootMeanSquaredError, 1.0, 1.0, ShapeError,
    ),
    r"cannot compute the top 5 of y_pred of shape \(10, 4\) for y of shape \(10,\)": (
        m.TopKCategoricalAccuracy, scores(10, 4), ZEROS, ShapeError,
    ),
    "loss_fn did not return the average loss; it returned an array": (
        lambda: m.Loss(lambda y_pred, y: y_pred - y), ZEROS, ZEROS, ShapeError,
    ),
    r"Predictions should be of shape \(batch_size, n_targets\) or \(batch_size, \). They are \(\)": (
        lambda: m.EpochMetric(max), 0, ZEROS, ShapeError,
    ),
    "Targets should be of shape": (lambda: m.EpochMetric(max), ZEROS, scores(4, 3, 1), ShapeError),
}  # fmt: skip


@pytest.mark.parametrize("message", BATCHES)
def test_an_invalid_batch_raises_and_is_not_counted(message):
    make, y_pred, y, error = BATCHES[message]
    metric = make()
    with pytest.raises(error, match=message):
        metric.update((y_pred, y))
    with pytest.raises(NotComputableError):
        metric.compute()
    assert getattr(metric, "_type", None) is None


@pytest.mark.parametrize("metric", [m.Accuracy, m.Precision])
def test_the_input_type_must_not_change_between_batches(metric):
    changed = metric()
    changed.update((ZEROS, ZEROS))
    with pytest.raises(EngineError, match="Input data type has changed from binary to multiclass"):
        changed.update((scores(10, 3), ZEROS))
    changed.reset()
    changed.update((scores(10, 3), ZEROS))
    with pytest.raises(UsageError, match="Input data number of classes has changed from 3 to 4"):
        changed.update((scores(10, 4), ZEROS))


ARGUMENTS = {
    "Argument output_transform should be callable, got 1": (lambda: m.Accuracy(1), ValueTypeError),
    "Argument metrics_result_mode should be one of": (
        lambda: m.MeanSquaredError(metrics_result_mode="all"), UsageError,
    ),
    "Metric: device must be the CPU, got 'cuda'.": (lambda: m.Accuracy(device="cuda"), UsageError),
    "Argument average should be None or a boolean or one of values": (lambda: m.Precision(average=1), UsageError),
    "Argument average can None or one of": (lambda: m.ConfusionMatrix(3, average="abc"), UsageError),
    "Argument num_classes needs to be > 1, got 1": (lambda: m.ConfusionMatrix(1), UsageError),
    "Argument average should be one of 'samples', 'recall', 'precision'": (
        lambda: m.ConfusionMatrix.normalize(None, None), UsageError,
    ),
    "Argument cm should be instance of ConfusionMatrix, but given NoneType": (lambda: m.IoU(None), ValueTypeError),
    r"ignore_index should be integer and in the range of \[0, 10\), but given 10": (
        lambda: m.mIoU(m.ConfusionMatrix(10), 10), UsageError,
    ),
    "ignore_index should be integer .* given a": (
        lambda: m.DiceCoefficient(m.ConfusionMatrix(10), "a"), UsageError,
    ),
    "should have average attribute either None or 'samples', it has 'recall'": (
        lambda: m.cmAccuracy(m.ConfusionMatrix(3, "recall")), UsageError,
    ),
    "Beta should be a positive integer, but given 0": (lambda: m.Fbeta(0), UsageError),
    "If precision argument is provided, device should be None": (
        lambda: m.Fbeta(1, precision=m.Precision(), device="cpu"), UsageError,
    ),
    "If recall argument is provided, output_transform should be None": (
        lambda: m.Fbeta(1, recall=m.Recall(), output_transform=abs), UsageError,
    ),
    "Input recall metric should have average=False, it has 'micro'": (
        lambda: m.Fbeta(1, recall=m.Recall(average="micro")), UsageError,
    ),
    "TopKCategoricalAccuracy: k must be 1 or more, got 0.\n  Expected: an integer, 1":
        (lambda: m.TopKCategoricalAccuracy(0), UsageError),
    "Argument op should be a callable, but given int": (lambda: m.VariableAccumulation(1), ValueTypeError),
    "Argument compute_fn should be callable. It is 5": (lambda: m.EpochMetric(5), ValueTypeError),
    "MetricGroup: 'a' must be a metric, got 1": (lambda: m.MetricGroup({"a": 1}), ValueTypeError),
    "MetricGroup: metrics must be a dict, got ": (lambda: m.MetricGroup([m.Accuracy()]), ValueTypeError),
    "MetricsLambda: 5 is not callable": (lambda: m.MetricsLambda(5, m.Accuracy()), ValueTypeError),
    "Loss: loss_fn should be callable, got 5": (lambda: m.Loss(5), ValueTypeError),
    "Loss: batch_size should be callable, got 32": (lambda: m.Loss(max, batch_size=32), ValueTypeError),
    "Loss: loss_fn did not return a number; it returned a object None": (
        lambda: m.Loss(lambda y_pred, y: None).update((ZEROS, ZEROS)), ValueTypeError,
    ),
    "Argument num_classes needs to be > 1, got 2.5": (lambda: m.ConfusionMatrix(2.5), UsageError),
    "Beta should be a positive integer, but given '2'": (lambda: m.Fbeta("2"), UsageError),
    "TopKCategoricalAccuracy: k must be an integer, got 1.5": (lambda: m.TopKCategoricalAccuracy(1.5), ValueTypeError),
    "TopKCategoricalAccuracy: k must be an integer, got True":
        (lambda: m.TopKCategoricalAccuracy(True), ValueTypeError),
    "Beta should be a positive integer, but given True": (lambda: m.Fbeta(True), UsageError),
    "Argument num_classes needs to be > 1, got True": (lambda: m.ConfusionMatrix(True), UsageError),
    "alpha should be a float between 0.0 and 1.0, got None": (
        lambda: m.RunningAverage(output_transform=abs, alpha=None), UsageError,
    ),
    r"Expected y_pred to be 3D \(N, S, C\) and y to be 2D \(N, S\), but got y_pred=2D and y=1D": (
        lambda: m.Accuracy.get_sequence_transform()((scores(2, 3), ZEROS[:2])), ShapeError,
    ),
    "y_pred and y have incompatible shapes": (
        lambda: m.Accuracy.get_sequence_transform()((scores(2, 3, 4), np.zeros((2, 4)))), ShapeError,
    ),
}  # fmt: skip


@pytest.mark.parametrize("message", ARGUMENTS)
def test_an_invalid_argument_raises(message):
    call, error = ARGUMENTS[message]
    with pytest.raises(error, match=message):
        call()


OUTPUTS = {
    "Accuracy: cannot update with an output of float": (m.Accuracy, 0.5),
    "Precision: cannot update with an output of 1 items": (m.Precision, (1,)),
    "Loss: cannot update with an output of 4 items": (lambda: m.Loss(max), (1, 2, 3, 4)),
    "Loss: cannot update with an output of NoneType": (lambda: m.Loss(max), None),
    "Average: Output should be a number or an array, but given str": (m.Average, "text"),
    "Average: Output should be a number or an array, but given tuple": (m.Average, (scores(2, 3), ZEROS[:2])),
    "VariableAccumulation: Output should be a number or an array, but given tuple": (
        lambda: m.VariableAccumulation(max), (1, 2),
    ),
    "GeometricAverage: Output should be a number or an array, but given NoneType": (m.GeometricAverage, None),
    "Frequency: cannot update with an output of 2 items": (m.Frequency, [1, 2]),
}  # fmt: skip


@pytest.mark.parametrize("message", OUTPUTS)
def test_an_output_of_another_type_raises(message):
    make, output = OUTPUTS[message]
    with pytest.raises(ValueTypeError, match=message):
        make().update(output)


@pytest.mark.parametrize("before, after", [(1.0, np.ones(3)), (np.ones(3), np.ones(1)), (np.ones((2, 3)), np.ones(2))])
def test_examples_of_an_average_must_have_one_shape(before, after):
    mean = m.Average()
    mean.update(before)
    with pytest.raises(ShapeError, match="Average: all examples must have the shape"):
        mean.update(after)


def test_a_geometric_mean_rejects_negative_numbers():
    with pytest.raises(UsageError, match=r"GeometricAverage: numbers must not be negative, got -2.0"):
        m.GeometricAverage().update(np.array([1.0, -2.0]))


@pytest.mark.parametrize("name", sorted(set(CASES) - {"VariableAccumulation"}))
def test_compute_without_examples_raises(name):
    with pytest.raises(NotComputableError, match="must have at least one example before it can be computed"):
        CASES[name][0]().compute()


def test_a_subclass_must_define_three_methods():
    with pytest.raises(TypeError, match="abstract"):
        m.Metric()


def test_targets_that_are_not_integers_give_a_warning():
    with pytest.warns(RuntimeWarning, match="`y` should be of dtype long when entry type is multiclass"):
        m.Precision().update((scores(4, 3), np.ones(4)))
    with pytest.warns(RuntimeWarning, match="`y` and `y_pred` should be of dtype long when entry type is binary"):
        m.Recall(average=None).update((np.ones(4), np.ones(4, int)))
    m.Recall().update((np.ones(4), np.ones(4)))


def test_the_function_of_an_epoch_metric_is_tried_on_the_first_batch():
    def fails(y_pred, y):
        raise ValueError("three columns")

    with pytest.warns(m.EpochMetricWarning, match="there can be a problem with `compute_fn`:\n three columns"):
        m.EpochMetric(fails).update((ZEROS, ZEROS))
    m.EpochMetric(fails, check_compute_fn=False).update((ZEROS, ZEROS))


def test_dtypes_must_not_change_between_batches():
    metric = m.EpochMetric(lambda y_pred, y: 0)
    metric.update((scores(4), ZEROS[:4]))
    with pytest.raises(UsageError, match="types between input y_pred and stored predictions: int64 vs float64"):
        metric.update((ZEROS, ZEROS))
    with pytest.raises(UsageError, match="Incoherent types between input y and stored targets"):
        metric.update((scores(4), scores(4)))
    assert len(metric._predictions) == len(metric._targets) == 1


def test_the_result_of_an_epoch_metric_is_cached_until_the_next_batch():
    calls = []
    metric = m.EpochMetric(lambda y_pred, y: calls.append(len(y)) or len(calls), check_compute_fn=False)
    metric.update((scores(4, 1), ZEROS[:4]))
    assert (metric.compute(), metric.compute()) == (1, 1)
    metric.update((scores(2, 1), ZEROS[:2]))
    assert (metric.compute(), calls) == (2, [4, 6])


class WithMoreState(m.Average):
    """An average whose state has another attribute."""

    _state_dict_all_req_keys = ("more",)


def test_a_state_contains_plain_data_only():
    metric = WithMoreState()
    with pytest.raises(UsageError, match="_state_dict_all_req_keys that is not among metric attributes: more"):
        metric.state_dict()
    metric.more = object()
    with pytest.raises(ValueTypeError, match="Found attribute of unsupported type. Currently, supported types include"):
        metric.state_dict()


KEY = "__metric_state_per_rank"


@pytest.mark.parametrize(
    "state, error, message",
    [
        (123, ValueTypeError, "Argument state_dict should be a dictionary, but given int"),
        ({"abc": 1}, UsageError, "Incorrect state_dict object. Argument state_dict should be a dictionary"),
        ({KEY: []}, UsageError, "Expected a list of state_dicts of size equal world_size: 1, but got 0"),
        ({KEY: [{"_num_correct": 1}]}, UsageError, "Required state attribute '_num_examples' is absent"),
    ],
)
def test_an_incompatible_state_raises(state, error, message):
    accuracy = m.Accuracy()
    with pytest.raises(error, match=message):
        accuracy.load_state_dict(state)
    assert accuracy._num_correct == 0


def test_the_state_of_another_group_raises():
    group = m.MetricGroup({"a": m.Accuracy(), "b": m.Accuracy()})
    for state in (m.MetricGroup({"a": m.Accuracy()}).state_dict(), {KEY: [{"metrics": 3}]}):
        with pytest.raises(UsageError, match=r"Incorrect state_dict object: the state of \['a', 'b'\] is"):
            group.load_state_dict(state)
