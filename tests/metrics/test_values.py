"""Values of metrics, compared with scikit-learn's, and conventions."""

import warnings

import numpy as np
import pytest
import sklearn.metrics as sk
from hypothesis import given, settings
from hypothesis import strategies as st

from dark import metrics as m

seeds = st.integers(0, 999)
few = settings(max_examples=8, deadline=None)  # scikit-learn takes its time
SHAPES = [(7,), (6, 5), (4, 3, 2)]
AVERAGES = [False, None, True, "micro", "weighted"]


def classes(seed, shape, count=4):
    """Return random predictions with a class axis, and targets."""
    rng = np.random.default_rng(seed)
    return rng.random((shape[0], count, *shape[1:])), rng.integers(0, count, shape)


def flat(y_pred, y):
    return y.ravel(), y_pred.argmax(1).ravel()


def take_rows(labels):
    """Move the labels of (batch, labels, …) last and flatten the rest, as scikit-learn expects."""
    return np.moveaxis(labels, 1, -1).reshape(-1, labels.shape[1])


def result(metric, *output):
    metric.update(output)
    return metric.compute()


@pytest.mark.parametrize("shape", SHAPES)
@few
@given(seed=seeds)
def test_multiclass_accuracy(shape, seed):
    y_pred, y = classes(seed, shape)
    assert result(m.Accuracy(), y_pred, y) == sk.accuracy_score(*flat(y_pred, y))


@pytest.mark.parametrize("shape", [*SHAPES, (5, 1), (5, 1, 3)])
@few
@given(seed=seeds)
def test_binary_accuracy(shape, seed):
    y_pred, y = np.random.default_rng(seed).integers(0, 2, (2, *shape))
    assert result(m.Accuracy(), y_pred, y) == sk.accuracy_score(y.ravel(), y_pred.ravel())


def test_a_single_column_of_predictions_is_binary():
    assert result(m.Accuracy(), np.array([[1], [0]]), np.array([1, 1])) == 0.5


@pytest.mark.parametrize("shape", [(7, 3), (6, 2, 5)])
@few
@given(seed=seeds)
def test_multilabel_accuracy_requires_all_labels(shape, seed):
    y_pred, y = np.random.default_rng(seed).integers(0, 2, (2, *shape))
    assert result(m.Accuracy(is_multilabel=True), y_pred, y) == sk.accuracy_score(take_rows(y), take_rows(y_pred))


def scores(metric, y, y_pred, average, **options):
    score = {m.Precision: sk.precision_score, m.Recall: sk.recall_score}[metric]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return score(y, y_pred, average="macro" if average is True else average, zero_division=0, **options)


@pytest.mark.parametrize("metric", [m.Precision, m.Recall])
@pytest.mark.parametrize("average", AVERAGES)
@pytest.mark.parametrize("shape", SHAPES)
@few
@given(seed=seeds)
def test_multiclass_precision_and_recall(metric, average, shape, seed):
    y_pred, y = classes(seed, shape)
    expected = scores(metric, *flat(y_pred, y), average or None, labels=range(4))
    assert result(metric(average=average), y_pred, y) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("metric", [m.Precision, m.Recall])
@pytest.mark.parametrize("average", AVERAGES)
@few
@given(seed=seeds)
def test_binary_precision_and_recall(metric, average, seed):
    y_pred, y = np.random.default_rng(seed).integers(0, 2, (2, 9))
    way = "binary" if average is False else average
    expected = scores(metric, y, y_pred, way, labels=[0, 1])
    assert result(metric(average=average), y_pred, y) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("metric", [m.Precision, m.Recall])
@pytest.mark.parametrize("average", [*AVERAGES, "samples"])
@pytest.mark.parametrize("shape", [(7, 3), (6, 2, 5)])
@few
@given(seed=seeds)
def test_multilabel_precision_and_recall(metric, average, shape, seed):
    y_pred, y = np.random.default_rng(seed).integers(0, 2, (2, *shape))
    expected = scores(metric, take_rows(y), take_rows(y_pred), average or None)
    assert result(metric(average=average, is_multilabel=True), y_pred, y) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("average", [True, False])
@few
@given(seed=seeds, beta=st.sampled_from([0.5, 1, 2]))
def test_fbeta(average, seed, beta):
    y_pred, y = classes(seed, (9,))
    expected = sk.fbeta_score(
        *flat(y_pred, y), beta=beta, average="macro" if average else None, labels=range(4), zero_division=0
    )
    assert result(m.Fbeta(beta, average), y_pred, y) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("average, normalize", [(None, None), ("recall", "true"), ("precision", "pred")])
@pytest.mark.parametrize("shape", SHAPES)
@few
@given(seed=seeds)
def test_confusion_matrix(average, normalize, shape, seed):
    y_pred, y = classes(seed, shape)
    expected = sk.confusion_matrix(*flat(y_pred, y), labels=range(4), normalize=normalize)
    assert result(m.ConfusionMatrix(4, average), y_pred, y) == pytest.approx(expected, rel=1e-12)


def test_average_samples_divides_by_examples_and_keeps_the_counts():
    matrix = m.ConfusionMatrix(2, average="samples")
    assert result(matrix, np.eye(2), np.array([0, 0])).tolist() == [[0.5, 0.5], [0, 0]]
    assert matrix.confusion_matrix.tolist() == [[1, 1], [0, 0]]


def test_a_confusion_matrix_ignores_targets_that_are_not_classes():
    y_pred = np.eye(2)[[0, 1, 1, 0]]
    assert result(m.ConfusionMatrix(2), y_pred, np.array([0, 255, 1, 2], np.uint8)).tolist() == [[1, 0], [0, 1]]
    assert result(m.ConfusionMatrix(2), y_pred, np.array([0, -1, 1, -100])).tolist() == [[1, 0], [0, 1]]


def test_small_integer_dtypes_do_not_overflow():
    y_pred, y = np.eye(20)[[18, 19]], np.array([18, 19], np.uint8)
    assert result(m.ConfusionMatrix(20), y_pred, y).trace() == 2
    assert result(m.MeanSquaredError(), np.array([1], np.uint8), np.array([255], np.uint8)) == 254**2


@few
@given(seed=seeds)
def test_metrics_computed_from_a_confusion_matrix(seed):
    y_pred, y = classes(seed, (11,))
    truth, predicted = flat(y_pred, y)
    options = {"labels": range(4), "zero_division": 0}
    pairs = [
        (m.IoU, sk.jaccard_score(truth, predicted, average=None, **options)),
        (m.JaccardIndex, sk.jaccard_score(truth, predicted, average=None, **options)),
        (m.mIoU, sk.jaccard_score(truth, predicted, average="macro", **options)),
        (m.DiceCoefficient, sk.f1_score(truth, predicted, average=None, **options)),
        (m.cmAccuracy, sk.accuracy_score(truth, predicted)),
        (m.cmPrecision, sk.precision_score(truth, predicted, average="macro", **options)),
        (m.cmRecall, sk.recall_score(truth, predicted, average="macro", **options)),
        (lambda cm: m.cmRecall(cm, average=False), sk.recall_score(truth, predicted, average=None, **options)),
        (lambda cm: m.IoU(cm, 1), np.delete(sk.jaccard_score(truth, predicted, average=None, **options), 1)),
    ]
    for read, expected in pairs:
        for average in (None, "samples"):
            made = read(m.ConfusionMatrix(4, average))
            assert result(made, y_pred, y) == pytest.approx(expected, rel=1e-12)


@few
@given(seed=seeds)
def test_errors_are_summed_over_columns(seed):
    y_pred, y = np.random.default_rng(seed).normal(size=(2, 6, 3))
    squared = sk.mean_squared_error(y, y_pred, multioutput="raw_values").sum()
    assert result(m.MeanSquaredError(), y_pred, y) == pytest.approx(squared, rel=1e-12)
    assert result(m.RootMeanSquaredError(), y_pred, y) == pytest.approx(squared**0.5, rel=1e-12)
    absolute = sk.mean_absolute_error(y, y_pred, multioutput="raw_values").sum()
    assert result(m.MeanAbsoluteError(), y_pred, y) == pytest.approx(absolute, rel=1e-12)


def test_targets_may_have_an_extra_axis():
    assert result(m.MeanSquaredError(), np.array([[1.0], [2.0]]), np.array([1.0, 4.0])) == 2.0


@few
@given(seed=seeds, k=st.integers(1, 4))
def test_top_k(seed, k):
    y_pred, y = classes(seed, (9,))
    expected = sk.top_k_accuracy_score(y, y_pred, k=k, labels=range(4)) if k < 4 else 1.0
    assert result(m.TopKCategoricalAccuracy(k), y_pred, y) == expected


@pytest.mark.parametrize(
    "y_pred, y, expected",
    [
        ([[1.0, 1.0, 1.0]], [0], 1.0),
        ([[1.0, 1.0, 1.0]], [1], 0.0),
        ([[np.nan, 1.0, 2.0]], [0], 0.0),
        ([[0.0, 1.0, 2.0]], [7], 0.0),
        ([[0.0, 1.0, 2.0]], [-1], 0.0),
    ],
)
def test_lower_class_indices_win_ties(y_pred, y, expected):
    assert result(m.TopKCategoricalAccuracy(1), y_pred, y) == expected


def test_a_loss_is_weighted_by_batch_size():
    loss = m.Loss(lambda y_pred, y, scale=1: scale * np.mean(y_pred - y), batch_size=lambda y: 2 * len(y))
    loss.update((np.array([3.0]), np.array([1.0])))
    loss.update((np.array([2.0, 2.0, 2.0]), np.zeros(3), {"scale": 10}))
    assert loss.compute() == (2 + 3 * 20) / 4


def test_sums_of_float32_are_accumulated_in_float64():
    ones = np.full(4, 0.1, np.float32)
    mean = m.Average()
    for _ in range(1000):
        mean.update(ones)
    assert mean.compute().dtype == np.float64
    assert np.allclose(mean.compute(), ones, rtol=1e-13)


def test_a_one_dimensional_array_is_one_example():
    mean = m.Average()
    mean.update(np.array([1.0, 2.0]))
    mean.update(np.array([3.0, 4.0]))
    assert mean.compute().tolist() == [2.0, 3.0]
    assert mean.num_examples == 2


def test_a_geometric_mean_with_a_zero_is_zero():
    mean = m.GeometricAverage()
    for number in (0, 5):
        mean.update(number)
    assert mean.compute() == 0


def test_empty_classes_have_precision_and_recall_zero():
    y_pred, y = np.eye(3)[[0, 0]], np.array([0, 1])
    assert result(m.Precision(), y_pred, y).tolist() == [0.5, 0, 0]
    assert result(m.Recall(), y_pred, y).tolist() == [1, 0, 0]


def test_types_that_compute_returns():
    y_pred, y = np.eye(3), np.array([0, 1, 1])
    assert isinstance(result(m.Precision(average="micro"), y_pred, y), float)
    assert isinstance(result(m.Precision(), y_pred, y), np.ndarray)
    assert isinstance(result(m.Recall(), [1, 0], [1, 0]), np.ndarray)
    assert isinstance(result(m.Accuracy(), y_pred, y), float)


def test_sequences_are_flattened_without_padding():
    y_pred, y = np.eye(4)[[[0, 1, 3], [2, 3, 0]]], np.array([[0, 2, -1], [2, -1, -2]])
    pick = m.Accuracy.get_sequence_transform(ignore_index=(-1, -2), output_transform=lambda output: output["steps"])
    accuracy = m.Accuracy(output_transform=pick)
    accuracy._forward({"steps": (y_pred, y)})
    assert accuracy.compute() == 2 / 3
    whole, targets = m.Precision.get_sequence_transform()((y_pred, y))
    assert whole.shape == (6, 4) and targets.tolist() == y.ravel().tolist()
    assert len(m.Recall.get_sequence_transform(ignore_index=-1)((y_pred, y))[1]) == 4
