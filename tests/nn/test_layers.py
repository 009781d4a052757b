"""Layers: what each computes, without PyTorch."""

import copy

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dark
from dark import nn


def normal(*shape, seed=0):
    return np.random.default_rng(seed).normal(size=shape)


@given(st.integers(1, 4), st.integers(1, 4), st.lists(st.integers(0, 3), max_size=3), st.booleans())
def test_a_linear_layer_is_a_product_and_a_sum(n, m, lead, bias):
    layer, x = nn.Linear(n, m, bias, seed=0), normal(*lead, n)
    right = x @ layer.weight.value.T + (layer.bias.value if bias else 0)
    np.testing.assert_allclose(layer(x).value, right, atol=1e-14)
    assert layer(x).shape == (*lead, m)


def test_one_seed_makes_one_network_in_every_type():
    for make in (
        lambda **s: nn.Linear(5, 4, **s), lambda **s: nn.Embedding(5, 4, padding_idx=1, **s),
    ):  # fmt: skip
        double, single, other = make(seed=3), make(seed=3, dtype=np.float32), make(seed=4)
        for p, q, r in zip(double.parameters(), single.parameters(), other.parameters()):
            assert p.dtype == float and q.dtype == np.float32
            np.testing.assert_array_equal(p.value.astype(np.float32), q.value)
            assert not np.array_equal(p.value, r.value)


def test_one_generator_serves_a_whole_network():
    def net(rng):
        return nn.Sequential(nn.Linear(3, 3, seed=rng), nn.Linear(3, 3, seed=rng)).state_dict()

    a, b = net(np.random.default_rng(0)), net(np.random.default_rng(0))
    assert all(np.array_equal(a[name], b[name]) for name in a)
    assert not np.array_equal(a["0.weight"], a["1.weight"])


def test_without_a_seed_two_layers_differ():
    assert not np.array_equal(nn.Linear(3, 3).weight.value, nn.Linear(3, 3).weight.value)


@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (0,)])
def test_an_embedding_looks_up_rows(shape):
    layer = nn.Embedding(5, 2, seed=0)
    indices = np.random.default_rng(0).integers(0, 5, shape)
    np.testing.assert_array_equal(layer(indices).value, layer.weight.value[indices])
    layer(indices).backward(np.ones((*shape, 2)))
    np.testing.assert_array_equal(layer.weight.grad[:, 0], np.bincount(indices.ravel(), minlength=5))


def test_the_padding_vector_is_zero_and_stays_so():
    layer = nn.Embedding(5, 2, padding_idx=-1, seed=0)
    assert layer.padding_idx == 4 and not layer.weight.value[4].any()
    (layer(np.array([[4, 1], [4, 4]])) ** 2).sum().backward()
    assert not layer.weight.grad[4].any() and layer.weight.grad[1].all()
    layer.weight.value[4] = 7.0
    assert (layer(np.array([4])).value == 7.0).all()


def test_an_embedding_of_given_rows_is_frozen_unless_asked():
    rows = normal(3, 2)
    layer = nn.Embedding.from_pretrained(rows)
    np.testing.assert_array_equal(layer(np.arange(3)).value, rows)
    assert not layer.weight.requires_grad and nn.Embedding.from_pretrained(rows, freeze=False).weight.requires_grad
    assert not np.shares_memory(layer.weight.value, rows)


@given(st.floats(0.05, 0.95), st.integers(0, 100))
def test_dropout_preserves_the_mean_and_zeros_the_fraction_p(p, seed):
    y = nn.Dropout(p, seed=seed)(np.ones(20_000)).value
    assert set(np.unique(y)) <= {0.0, 1 / (1 - p)}
    assert abs((y == 0).mean() - p) < 5 * np.sqrt(p * (1 - p) / 20_000)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_dropout_draws_the_same_mask_in_every_dtype_and_keeps_the_dtype(dtype):
    y = nn.Dropout(0.3, seed=5)(np.ones((50, 2), dtype)).value
    np.testing.assert_array_equal(y == 0, nn.Dropout(0.3, seed=5)(np.ones((50, 2))).value == 0)
    assert y.dtype == dtype


def test_the_gradient_of_dropout_is_its_mask():
    x = dark.Parameter(normal(30))
    y = nn.Dropout(0.5, seed=0)(x)
    y.backward(np.ones(30))
    np.testing.assert_array_equal(x.grad, np.where(y.value == 0, 0.0, 2.0))


def test_dropout_is_the_identity_in_evaluation_or_with_p_0_and_zeros_all_with_p_1():
    x = dark.Parameter(normal(3))
    assert nn.Dropout(0.5).eval()(x) is x and nn.Dropout(0.0)(x) is x
    y = nn.Dropout(1.0)(x)
    y.backward(np.ones(3))
    assert not y.value.any() and not x.grad.any()
    assert nn.Dropout(0.5, seed=0)(dark.Parameter(1.0)).value in (0.0, 2.0)


def test_dropout_advances_its_generator_and_a_copy_has_its_own():
    layer = nn.Dropout(0.5, seed=0)
    twin, x = copy.deepcopy(layer), np.ones(50)
    first, second = layer(x).value, layer(x).value
    assert not np.array_equal(first, second)
    np.testing.assert_array_equal(first, twin(x).value)
    np.testing.assert_array_equal(second, twin(x).value)


@given(st.lists(st.integers(0, 3), min_size=1, max_size=4), st.data())
def test_flatten_joins_axes(shape, data):
    first = data.draw(st.integers(0, len(shape) - 1))
    last = data.draw(st.integers(first, len(shape) - 1))
    y = nn.Flatten(first, last - len(shape))(np.ones(shape))
    assert y.shape == (*shape[:first], int(np.prod(shape[first : last + 1])), *shape[last + 1 :])


ACTIVATIONS = [
    (nn.ReLU(), dark.relu), (nn.LeakyReLU(0.2), lambda x: dark.leaky_relu(x, 0.2)),
    (nn.ELU(0.5), lambda x: dark.elu(x, 0.5)),
    (nn.GELU("tanh"), lambda x: dark.gelu(x, "tanh")), (nn.SiLU(), dark.silu), (nn.Sigmoid(), dark.sigmoid),
    (nn.Tanh(), dark.tanh), (nn.Softplus(), dark.softplus), (nn.Softmax(0), lambda x: dark.softmax(x, 0)),
    (nn.LogSoftmax(0), lambda x: dark.log_softmax(x, 0)),
]  # fmt: skip


@pytest.mark.parametrize(("layer", "function"), ACTIVATIONS, ids=[repr(layer) for layer, _ in ACTIVATIONS])
def test_an_activation_calls_the_operation_of_its_name(layer, function):
    x = normal(3, 4)
    np.testing.assert_array_equal(layer(x).value, function(x).value)
    assert not list(layer.parameters())


def test_a_network_passes_the_gradient_check():
    net = nn.Sequential(nn.Linear(3, 4, seed=0), nn.Tanh(), nn.LayerNorm(4), nn.Linear(4, 2, seed=1))
    x = normal(5, 3)
    for p in net.parameters():
        (net(x) ** 2).sum().backward()
        place = (0,) * p.ndim
        g, h = p.grad[place], 1e-6
        change = []
        for sign in (1, -1):
            value = p.value.copy()
            value[place] += sign * h
            p.value = value
            change.append((net(x) ** 2).sum().value)
            value[place] -= sign * h
            p.value = value
        net.zero_grad()
        assert g == pytest.approx((change[0] - change[1]) / (2 * h), rel=1e-6)
