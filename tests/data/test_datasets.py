"""The bundled and generated datasets: shapes, classes, sources, and reproducibility."""

import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dark.data import DataLoader, datasets
from dark.data.dataset import Dataset, read
from dark.errors import MissingExtraError, UsageError, ValueTypeError
from tests.data.comparison import assert_same

MADE = {name: getattr(datasets, name) for name in datasets.__all__ if name != "LabeledData"}
SHAPES = {
    "digits": ((1797, 64), 10), "iris": ((150, 4), 3), "wine": ((178, 13), 3), "breast_cancer": ((569, 30), 2),
    "diabetes": ((442, 10), 0), "two_moons": ((200, 2), 2), "spirals": ((300, 2), 2),
}  # fmt: skip


@pytest.mark.parametrize("name", MADE)
def test_labeled_data_has_metadata_and_is_a_dataset(name):
    data, (shape, classes) = MADE[name](), SHAPES[name]
    assert isinstance(data, Dataset) and len(data) == shape[0]
    assert data.inputs.shape == shape and data.inputs.dtype == float and data.inputs.flags.c_contiguous
    assert data.targets.shape == shape[:1] and np.isfinite(data.inputs).all()
    assert len(data.feature_names) == shape[1] and all(type(n) is str for n in data.feature_names + data.target_names)
    if classes:
        assert sorted(set(data.targets.tolist())) == [*range(classes)] and len(data.target_names) == classes
    assert data.description and data.source and data.license and data.name == name
    assert data.source in repr(data) and data.license in repr(data) and len(repr(data)) < 400
    assert_same(read(data, np.array([3, 0])), (data.inputs[[3, 0]], data.targets[[3, 0]]))
    assert next(iter(DataLoader(data, 8)))[0].shape == (8, shape[1])


@pytest.mark.parametrize("name", MADE)
def test_loading_twice_gives_equal_datasets_that_share_no_memory(name):
    a, b = MADE[name](), MADE[name]()
    np.testing.assert_array_equal(a.inputs, b.inputs)
    np.testing.assert_array_equal(a.targets, b.targets)
    a.inputs[:] = 0
    assert b.inputs.any()


def test_digits_as_images_are_the_same_pixels():
    flat, images = datasets.digits(), datasets.digits(images=True)
    assert images.inputs.shape == (1797, 1, 8, 8)
    np.testing.assert_array_equal(images.inputs.reshape(1797, 64), flat.inputs)
    assert flat.inputs.min() == 0 and flat.inputs.max() == 16


@pytest.mark.parametrize("name", ["digits", "iris", "wine", "breast_cancer", "diabetes"])
def test_without_scikit_learn_the_error_names_the_extra(name, monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn.datasets", None)
    with pytest.raises(MissingExtraError, match="scikit-learn is not installed.\n  Expected: the extra 'lab'"):
        MADE[name]()


@given(samples=st.integers(3, 60), seed=st.integers(0, 9), arms=st.integers(2, 3))
def test_generated_points_lie_on_their_curves_and_are_divided_evenly(samples, seed, arms):
    moons, spirals = datasets.two_moons(samples, 0.0, seed), datasets.spirals(samples, 0.0, seed, arms=arms, turns=1.0)
    for data in (moons, spirals):
        assert np.ptp(np.bincount(data.targets)) <= 1 and len(data) == samples
    middle = np.where(moons.targets[:, None] == 0, [0.0, 0.0], [1.0, 0.5])
    np.testing.assert_allclose(np.hypot(*(moons.inputs - middle).T), 1)
    radius = np.hypot(*spirals.inputs.T)
    angle = np.arctan2(*spirals.inputs.T[::-1]) / (2 * np.pi) - radius - spirals.targets / arms
    np.testing.assert_allclose(angle - np.round(angle), 0, atol=1e-9)


def test_seeds_and_noise_change_the_points():
    for make in (datasets.two_moons, datasets.spirals):
        assert (make(seed=1).inputs != make(seed=2).inputs).any()
        far, near = make(2000, 0.3), make(2000, 0.0)
        np.testing.assert_allclose(np.std(far.inputs - near.inputs), 0.3, atol=0.02)


@pytest.mark.parametrize(
    ("wrong", "error", "text"),
    [
        (
            lambda: datasets.two_moons(1),
            UsageError,
            "two_moons: samples must be 2 or more, got 1.\n  Expected: an integer, 2 or more",
        ),
        (lambda: datasets.two_moons(noise=-1), UsageError, "two_moons: noise must be 0 or more, got -1"),
        (lambda: datasets.two_moons(noise="a"), ValueTypeError, "two_moons: noise must be a number, got 'a'"),
        (lambda: datasets.two_moons(seed=-1), UsageError, "two_moons: seed must be 0 or more, got -1"),
        (lambda: datasets.spirals(10.0), ValueTypeError, "spirals: samples must be an integer, got 10.0"),
        (lambda: datasets.spirals(arms=1), UsageError, "spirals: arms must be 2 or more, got 1"),
        (
            lambda: datasets.spirals(2, arms=3),
            UsageError,
            "spirals: samples must be 3 or more, got 2.\n  Expected: an integer, 3 or more",
        ),
        (lambda: datasets.spirals(turns=0), UsageError, "spirals: turns must be greater than 0, got 0"),
    ],
)
def test_invalid_arguments_raise_errors_with_three_parts(wrong, error, text):
    with pytest.raises(error, match=text) as caught:
        wrong()
    assert "\n  Expected: " in str(caught.value) and "\n  Try: " in str(caught.value)
