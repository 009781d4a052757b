"""Initialization: the formulas as distributions, PyTorch's gains and fans, one seed for every dtype."""

import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dark
from dark import nn
from dark.nn import init

SHAPE = (60, 40, 3, 3)
FAN_IN, FAN_OUT = 360, 540
DRAWS = {
    "uniform_": (lambda p, s: init.uniform_(p, -2, 3, seed=s), 0.5, 5 / math.sqrt(12), (-2, 3)),
    "normal_": (lambda p, s: init.normal_(p, 1, 2, seed=s), 1.0, 2.0, None),
    "xavier_uniform_": (
        lambda p, s: init.xavier_uniform_(p, 2.0, seed=s), 0.0, 2 * math.sqrt(2 / 900), (-2 * math.sqrt(6 / 900),) * 2,
    ),
    "xavier_normal_": (lambda p, s: init.xavier_normal_(p, seed=s), 0.0, math.sqrt(2 / 900), None),
    "kaiming_uniform_": (
        lambda p, s: init.kaiming_uniform_(p, nonlinearity="relu", seed=s), 0.0, math.sqrt(2 / FAN_IN),
        (-math.sqrt(6 / FAN_IN),) * 2,
    ),
    "kaiming_normal_": (
        lambda p, s: init.kaiming_normal_(p, 1.0, "fan_out", seed=s), 0.0, math.sqrt(1 / FAN_OUT), None,
    ),
}  # fmt: skip


def parameter(shape=SHAPE, dtype=float):
    return dark.Parameter(np.zeros(shape, dtype))


@pytest.mark.parametrize("name", DRAWS)
def test_numbers_have_the_mean_and_the_width_of_the_formula(name):
    draw, mean, width, limits = DRAWS[name]
    p = parameter()
    assert draw(p, 0) is p
    assert abs(p.value.mean() - mean) < 5 * width / math.sqrt(p.size)
    assert p.value.std() == pytest.approx(width, rel=0.02)
    if limits:
        low, high = limits[0], max(limits[1], -limits[0])
        assert low <= p.value.min() < low + 0.01 * width and high - 0.01 * width < p.value.max() <= high


@pytest.mark.parametrize("name", [*DRAWS, "orthogonal_"])
def test_a_seed_gives_equal_numbers_in_every_dtype_and_a_generator_advances(name):
    draw = DRAWS[name][0] if name in DRAWS else lambda p, s: init.orthogonal_(p, seed=s)
    a, b = draw(parameter((4, 3)), 7).value, draw(parameter((4, 3), np.float32), 7).value
    assert b.dtype == np.float32
    np.testing.assert_array_equal(a.astype(np.float32), b)
    rng = np.random.default_rng(7)
    np.testing.assert_array_equal(a, draw(parameter((4, 3)), rng).value)
    assert not np.array_equal(a, draw(parameter((4, 3)), rng).value)


@given(st.integers(1, 5), st.integers(1, 5), st.floats(0.5, 2))
def test_orthogonal_rows_or_columns_are_orthogonal(n, m, gain):
    w = init.orthogonal_(parameter((n, m)), gain, seed=0).value / gain
    product = w @ w.T if n <= m else w.T @ w
    np.testing.assert_allclose(product, np.eye(min(n, m)), atol=1e-12)
    kernel = init.orthogonal_(parameter((n, m, 2)), seed=0).value.reshape(n, -1)
    gram = kernel @ kernel.T if n <= 2 * m else kernel.T @ kernel
    np.testing.assert_allclose(gram, np.eye(len(gram)), atol=1e-12)


def test_constants_fill_arrays_and_single_numbers():
    assert (init.constant_(parameter((2, 3)), 4).value == 4).all()
    assert (init.ones_(parameter((2,))).value == 1).all() and not init.zeros_(init.ones_(parameter((2,)))).value.any()
    assert init.normal_(dark.Parameter(0.0), 5, 0).value == 5.0


def test_filling_is_detected_by_graphs_built_before():
    p = parameter((2, 2))
    y = (p * p).sum()
    init.ones_(p)
    with pytest.raises(dark.errors.GradientError, match="was changed after"):
        y.backward()


def test_layers_are_initialized_as_in_pytorch():
    layer = nn.Linear(100, 300, seed=0)
    for p in layer.parameters():
        assert np.abs(p.value).max() <= 0.1 and p.value.std() == pytest.approx(0.1 / math.sqrt(3), rel=0.1)
    assert np.abs(layer.weight.value).max() > 0.0999
    words = nn.Embedding(200, 50, seed=0).weight.value
    assert words.mean() == pytest.approx(0, abs=0.05) and words.std() == pytest.approx(1, rel=0.02)
    norm = nn.BatchNorm1d(3)
    assert (norm.weight.value == 1).all() and not norm.bias.value.any() and (norm.running_var == 1).all()


def test_empty_parameters_can_be_filled():
    assert init.xavier_uniform_(parameter((0, 0))).shape == (0, 0)
    assert init.kaiming_normal_(parameter((3, 0))).shape == (3, 0)
    assert nn.Linear(0, 2)(np.ones((3, 0))).shape == (3, 2)


@pytest.mark.oracle
@pytest.mark.parametrize("shape", [(3, 2), (4, 3, 5), (4, 3, 5, 2)])
def test_fans_and_gains_are_pytorchs(shape):
    torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
    assert init.fans(shape) == torch.nn.init._calculate_fan_in_and_fan_out(torch.empty(shape))
    for name in ("linear", "conv2d", "conv_transpose1d", "sigmoid", "tanh", "relu", "leaky_relu", "selu"):
        assert init.calculate_gain(name) == torch.nn.init.calculate_gain(name)
    assert init.calculate_gain("leaky_relu", 0.3) == torch.nn.init.calculate_gain("leaky_relu", 0.3)


def test_without_a_seed_numbers_follow_from_the_global_generator_of_python():
    def draw():
        random.seed(7)
        return nn.Sequential(nn.Linear(3, 4), nn.Dropout(0.5))(np.ones((5, 3))).value

    first = draw()
    random.random()
    assert np.array_equal(draw(), first)
    assert not np.array_equal(nn.Linear(3, 4).weight.value, nn.Linear(3, 4).weight.value)
