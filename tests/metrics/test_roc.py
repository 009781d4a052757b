"""The area under the ROC curve and the curve: scikit-learn's values, ties, and errors."""

import math

import numpy as np
import pytest
import sklearn.metrics as sk
from hypothesis import given, settings
from hypothesis import strategies as st

from dark.errors import NotComputableError, ShapeError, UsageError
from dark.metrics import ROC_AUC, RocCurve

few = settings(max_examples=25, deadline=None)


def result(metric, *output):
    metric.update(output)
    return metric.compute()


@st.composite
def scores_and_labels(draw):
    """Return scores with many ties, and labels of both classes."""
    count = draw(st.integers(2, 30))
    scores = draw(st.lists(st.integers(-3, 3), min_size=count, max_size=count))
    labels = draw(st.lists(st.booleans(), min_size=count - 2, max_size=count - 2))
    return np.array(scores) / 4, np.array([0, 1, *labels], int)


@few
@given(pair=scores_and_labels())
def test_area_is_that_of_scikit_learn(pair):
    scores, labels = pair
    assert result(ROC_AUC(), scores, labels) == pytest.approx(sk.roc_auc_score(labels, scores), abs=1e-14)


@few
@given(pair=scores_and_labels())
def test_area_is_the_fraction_of_pairs_in_the_right_order(pair):
    scores, labels = pair
    differences = scores[labels == 1][:, None] - scores[labels == 0]
    assert result(ROC_AUC(), scores, labels) == (np.sign(differences) + 1).sum() / (2 * differences.size)


@few
@given(pair=scores_and_labels())
def test_curve_is_that_of_scikit_learn(pair):
    scores, labels = pair
    for found, expected in zip(result(RocCurve(), scores, labels), sk.roc_curve(labels, scores), strict=True):
        np.testing.assert_array_equal(found, expected)


@few
@given(pair=scores_and_labels())
def test_the_area_below_the_curve_is_the_area(pair):
    false_positives, true_positives, _ = result(RocCurve(), *pair)
    assert sk.auc(false_positives, true_positives) == pytest.approx(result(ROC_AUC(), *pair), abs=1e-14)


def test_areas_of_several_labels_are_averaged_as_in_scikit_learn():
    rng = np.random.default_rng(0)
    scores, labels = rng.random((20, 3)), rng.integers(0, 2, (20, 3))
    assert result(ROC_AUC(), scores, labels) == pytest.approx(sk.roc_auc_score(labels, scores), abs=1e-14)


def test_single_columns_and_infinite_scores_are_accepted():
    assert result(ROC_AUC(), [[-np.inf], [0.5], [np.inf]], [[0], [1], [1]]) == 1
    assert result(ROC_AUC(), np.array([[0.2], [0.1]]), np.array([True, False])) == 1


def test_the_area_of_one_class_is_nan_with_a_warning():
    with pytest.warns(
        UserWarning,
        match="all 3 examples are of one class, and the area is NaN. Expected: .* Try: ",
    ):
        assert math.isnan(result(ROC_AUC(), [0.1, 0.2, 0.3], [1, 1, 1]))
    with pytest.raises(
        NotComputableError, match="RocCurve: there must be examples of both classes, got 3 of one class"
    ):
        result(RocCurve(), [0.1, 0.2, 0.3], [0, 0, 0])


BATCHES = {
    r"y_pred and y must have equal shapes, got \(4, 2\) and \(4,\)(.|\n)*Try: .*the scores of two classes": (
        np.ones((4, 2)), np.ones(4), ShapeError,
    ),
    r"y_pred and y must have equal shapes, got \(3,\) and \(4,\)": (np.ones(3), np.ones(4), ShapeError),
    r"y_pred and y must have equal shapes, got \(\) and \(\)": (1.0, 1, ShapeError),
    "y must be comprised of 0's and 1's": (np.ones(3), np.array([0, 1, 2]), UsageError),
    "y_pred must not contain NaN": (np.array([0.1, np.nan]), np.array([0, 1]), UsageError),
}  # fmt: skip


@pytest.mark.parametrize("metric", [ROC_AUC, RocCurve])
@pytest.mark.parametrize("message", BATCHES)
def test_an_invalid_batch_raises_and_is_not_counted(metric, message):
    y_pred, y, error = BATCHES[message]
    invalid = metric()
    with pytest.raises(error, match=message):
        invalid.update((y_pred, y))
    with pytest.raises(NotComputableError, match="must have at least one example"):
        invalid.compute()


def test_a_curve_of_several_labels_is_refused():
    with pytest.raises(ShapeError, match=r"RocCurve: y must have one label for each example, got shape \(4, 2\)"):
        RocCurve().update((np.ones((4, 2)), np.ones((4, 2))))
