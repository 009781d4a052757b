"""Standardize: mean 0 and standard deviation 1 on the training set, its inverse, and its errors."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from dark.data import Compose, DataLoader, Standardize, TensorDataset, datasets, split
from dark.errors import ShapeError, UsageError, ValueTypeError

tables = arrays.arrays(
    float, st.tuples(st.integers(2, 9), st.integers(1, 4)), elements=st.floats(-1e6, 1e6).map(lambda v: round(v, 3))
)


@given(x=tables, ddof=st.integers(0, 1))
def test_the_training_set_gets_mean_0_and_standard_deviation_1(x, ddof):
    y = Standardize(ddof=ddof).fit(x)(x)
    constant = (x == x[0]).all(axis=0)
    np.testing.assert_array_equal(y[:, constant], 0)
    np.testing.assert_allclose(y.mean(axis=0), 0, atol=1e-6)
    np.testing.assert_allclose(y[:, ~constant].std(axis=0, ddof=ddof), 1, rtol=1e-6)


@given(x=tables, other=tables)
def test_the_inverse_recovers_any_rows(x, other):
    scale, rows = Standardize().fit(x), np.resize(other, (3, x.shape[1]))
    size = np.abs([*x.ravel(), *rows.ravel(), 1]).max()
    np.testing.assert_allclose(scale.inverse(scale(rows)), rows, atol=1e-9 * size)
    np.testing.assert_array_equal(scale(rows)[1], scale(rows[1]))


@given(x=tables)
def test_mean_and_scale_equal_those_of_scikit_learn(x):
    from sklearn.preprocessing import StandardScaler

    x[:, 0] = np.round(x[:, 0]) + np.arange(len(x))  # not constant, and not nearly so: there the two differ
    x = x[:, :1]
    right = StandardScaler().fit(x)
    actual = Standardize().fit(x)
    np.testing.assert_allclose(actual.mean, right.mean_, rtol=1e-12, atol=1e-9)
    np.testing.assert_allclose(actual.scale, right.scale_, rtol=1e-9)


def test_a_constant_column_that_sums_inexactly_is_still_constant():
    x = np.full((10, 1), 0.1)
    scale = Standardize().fit(x)
    assert scale.scale.tolist() == [1.0] and not scale(x).any()
    assert scale(np.array([[3.1]])).tolist() == [[3.0]]


@pytest.mark.parametrize(
    ("dtype", "expected"), [(np.float32, np.float32), (np.uint8, float), (float, float), (bool, float)]
)
def test_floats_keep_their_type_and_integers_become_floats(dtype, expected):
    x = np.array([[0, 1], [1, 0]], dtype)
    scale = Standardize().fit(x)
    assert scale(x).dtype == expected and scale.inverse(scale(x)).dtype == expected
    assert scale.mean.dtype == float


def test_statistics_depend_on_the_training_set_only():
    data = datasets.wine()
    train, test = split(data, (0.5, 0.5))
    scale = Standardize().fit(train)
    np.testing.assert_array_equal(scale.mean, Standardize().fit(data.inputs[train.indices]).mean)
    np.testing.assert_array_equal(scale.mean, Standardize().fit(TensorDataset(data.inputs[train.indices])).mean)
    assert np.abs(scale(test[:][0]).mean(axis=0)).max() > 0.01


def test_images_by_channel_and_targets_alone():
    images = np.random.default_rng(0).normal(3, 2, (20, 3, 4, 4))
    scale = Standardize(axis=(0, 2, 3)).fit(images)
    assert scale.mean.shape == (3, 1, 1)
    np.testing.assert_allclose(scale(images).std(axis=(0, 2, 3)), 1)
    assert scale(np.zeros((3, 9, 9))).shape == (3, 9, 9)
    y = np.array([1.0, 3.0])
    assert Standardize().fit(y)(y).tolist() == [-1, 1]


def test_in_a_loader_it_transforms_the_first_part_of_each_item():
    data = datasets.iris()
    scale = Standardize().fit(data.inputs)
    x, y = next(iter(DataLoader(data, 150, transform=Compose([scale]))))
    np.testing.assert_array_equal(x, scale(data.inputs))
    np.testing.assert_array_equal(y, data.targets)


def test_repr_shows_whether_it_is_fitted():
    assert repr(Standardize()) == "Standardize(not fitted)"
    assert repr(Standardize().fit(np.eye(2))) == "Standardize(fitted on rows of shape (2,))"


@pytest.mark.parametrize(
    ("wrong", "error", "text"),
    [
        (lambda: Standardize()(np.eye(2)), UsageError, "Standardize: not fitted yet.\n  Expected: fit.x. on"),
        (lambda: Standardize().inverse(np.eye(2)), UsageError, "not fitted yet"),
        (lambda: Standardize().fit(np.ones((0, 2))), ShapeError, r"cannot fit on shape \(0, 2\)"),
        (lambda: Standardize(ddof=1).fit(np.ones((1, 2))), ShapeError, r"shape \(1, 2\) over axis \(0,\) with ddof 1"),
        (lambda: Standardize(axis=(0, 2)).fit(np.eye(2)), ShapeError, r"shape \(2, 2\) over axis \(0, 2\)"),
        (lambda: Standardize().fit(5.0), ShapeError, r"cannot fit on shape \(\)"),
        (lambda: Standardize().fit([[1, np.nan]]), UsageError, r"x\[0, 1\] is nan"),
        (lambda: Standardize().fit([["a"]]), ValueTypeError, "expected a numeric array, got dtype <U1"),
        (lambda: Standardize(axis=1), UsageError, "Standardize: axis must contain 0, the rows, got 1"),
        (lambda: Standardize(ddof=-1), UsageError, "Standardize: ddof must be 0 or more, got -1"),
        (lambda: Standardize().fit(np.eye(2))(np.ones((2, 3))), ShapeError,
         r"rows must have the fitted shape \(2,\), got shape \(2, 3\)"),
        (lambda: Standardize().fit(np.eye(2))(np.ones(())), ShapeError, r"\(2,\), got shape \(\)"),
        (lambda: Standardize().fit(np.ones((2, 1)))(np.ones((2, 3))), ShapeError, r"\(1,\), got shape \(2, 3\)"),
        (lambda: Standardize().fit(np.eye(2))(["a", "b"]), ValueTypeError, "a numeric array, got dtype <U1"),
    ],
)  # fmt: skip
def test_invalid_arguments_raise_errors_with_three_parts(wrong, error, text):
    with pytest.raises(error, match=text) as caught:
        wrong()
    assert "\n  Expected: " in str(caught.value) and "\n  Try: " in str(caught.value)
