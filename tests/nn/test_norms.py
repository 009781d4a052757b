"""Batch and layer normalization: laws of normalization, running statistics, fused operations and their composition."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dark
from dark import nn
from tests.examples import examples
from tests.operations.numerics import assert_close, gradients

sizes = st.integers(2, 5)


def standard(x, axes, eps):
    """Compute the fused operations from elementary ones."""
    d = x - dark.mean(x, axis=axes, keepdims=True)
    return d / dark.sqrt(dark.mean(d * d, axis=axes, keepdims=True) + eps)


def layer_norm(x, g, b, eps=1e-5):
    return standard(x, tuple(range(-g.ndim, 0)), eps) * g + b


def batch_norm(x, g, b, eps=1e-5):
    shape = (-1, *(1,) * (x.ndim - 2))
    return standard(x, (0, *range(2, x.ndim)), eps) * dark.reshape(g, shape) + dark.reshape(b, shape)


def linear(x, w, b):
    return x @ w.T + b


SHAPES = [
    (dark.layer_norm, layer_norm, (4, 3), (3,)), (dark.layer_norm, layer_norm, (2, 3, 4), (3, 4)),
    (dark.layer_norm, layer_norm, (5,), (5,)), (dark.batch_norm, batch_norm, (4, 3), (3,)),
    (dark.batch_norm, batch_norm, (2, 3, 4), (3,)), (dark.batch_norm, batch_norm, (2, 3, 2, 3), (3,)),
]  # fmt: skip
FUSED = [(fused, composed, (x, own, own)) for fused, composed, x, own in SHAPES] + [
    (dark.linear, linear, (x, (4, 3), (4,))) for x in ((3,), (2, 3), (5, 2, 3))
]


@pytest.mark.parametrize(("fused", "composed", "shapes"), FUSED)
@pytest.mark.parametrize("create_graph", [False, True])
def test_the_fused_rule_equals_the_composition(fused, composed, shapes, create_graph):
    rng = np.random.default_rng(0)
    x = [rng.normal(size=s) for s in shapes]
    y, found = gradients(fused, x, create_graph)
    z, right = gradients(composed, x, create_graph)
    assert_close(y.value, z.value, 1e-13)
    for p, q in zip(found, right):
        assert_close(getattr(p.grad, "value", p.grad), getattr(q.grad, "value", q.grad), 1e-12)
    if create_graph:
        second = []
        for leaves in (found, right):
            total = dark.sum(dark.stack([dark.sum(p.grad**2) for p in leaves]))
            for p in leaves:
                p.grad = None
            total.backward()
            second.append([p.grad for p in leaves])
        for g, h in zip(*second):
            assert_close(g, h, 1e-11)


@pytest.mark.parametrize(("fused", "shape", "own"), [(f, s, o) for f, _, s, o in SHAPES])
def test_two_passes_through_one_graph_give_twice_the_gradient(fused, shape, own):
    x = dark.Parameter(np.random.default_rng(0).normal(size=shape))
    y = fused(x, dark.Parameter(np.ones(own)), np.zeros(own)) ** 2
    y.backward(np.ones(shape))
    once = x.grad.copy()
    y.backward(np.ones(shape))
    assert_close(x.grad, 2 * once, 1e-14)


@examples(30)
@given(sizes, sizes, st.floats(-5, 5), st.floats(0.1, 10))
def test_shifting_and_scaling_the_input_changes_nothing(n, c, shift, stretch):
    x = np.random.default_rng(n).normal(size=(n, c))
    for layer in (nn.LayerNorm(c, eps=0), nn.BatchNorm1d(c, eps=0)):
        assert_close(layer(x * stretch + shift).value, layer(x).value, 1e-9)


@given(sizes, sizes, sizes)
def test_each_channel_comes_out_with_mean_0_and_variance_1(n, c, k):
    x = np.random.default_rng(0).normal(3, 2, size=(n, c, k, k))
    y = nn.BatchNorm2d(c, eps=0)(x).value
    assert_close(y.mean((0, 2, 3)), np.zeros(c), 1e-12)
    assert_close(y.var((0, 2, 3)), np.ones(c), 1e-12)
    z = nn.LayerNorm((k, k), eps=0)(x).value
    assert_close(z.mean((2, 3)), np.zeros((n, c)), 1e-12)
    assert_close(z.var((2, 3)), np.ones((n, c)), 1e-12)


def test_an_empty_batch_gives_an_empty_result():
    assert nn.LayerNorm(3)(np.ones((0, 3))).shape == (0, 3)
    assert nn.BatchNorm1d(3).eval()(np.ones((0, 3))).shape == (0, 3)
    g = dark.Parameter(np.ones(3))
    dark.batch_norm(np.ones((0, 3)), g, np.zeros(3)).backward(np.ones((0, 3)))
    assert not g.grad.any()


def test_running_means_are_those_of_the_acceptance_table():
    layer, x = nn.BatchNorm1d(1), np.array([[1.0], [2.0], [3.0], [4.0]])
    assert_close(layer(x).value.ravel(), np.array([-1.34164, -0.44721, 0.44721, 1.34164]), 1e-5)
    assert_close(layer.running_mean, np.array([0.25]), 1e-14)
    assert_close(layer.running_var, np.array([1.0666666666666667]), 1e-14)
    assert layer.num_batches_tracked == 1


def test_freezing_the_parameters_keeps_the_mode():
    layer = nn.BatchNorm1d(1).requires_grad_(False)
    assert_close(layer(np.array([[1.0], [2.0], [3.0], [4.0]])).value.mean(), 0.0, 1e-12)


@given(st.integers(1, 5))
def test_without_momentum_the_running_statistics_are_averages_of_all_batches(batches):
    layer, x = nn.BatchNorm1d(2, momentum=None), np.random.default_rng(0).normal(size=(batches, 6, 2))
    for part in x:
        layer(part)
    assert_close(layer.running_mean, x.mean((0, 1)), 1e-12)
    assert_close(layer.running_var, x.var(1, ddof=1).mean(0), 1e-12)


def test_in_evaluation_the_running_statistics_are_used_and_unchanged():
    layer, x = nn.BatchNorm1d(2), np.random.default_rng(0).normal(size=(6, 2))
    layer(x)
    before = layer.state_dict()
    layer.eval()
    right = (x - before["running_mean"]) / np.sqrt(before["running_var"] + 1e-5)
    assert_close(layer(x).value, right, 1e-12)
    assert_close(layer(x[:1]).value, right[:1], 1e-12)
    assert all(np.array_equal(before[name], array) for name, array in layer.state_dict().items())


def test_without_running_statistics_the_batch_is_used_in_evaluation_too():
    layer, x = nn.BatchNorm1d(2, track_running_stats=False, affine=False), np.random.default_rng(0).normal(size=(6, 2))
    assert not layer.state_dict() and not list(layer.parameters())
    np.testing.assert_array_equal(layer(x).value, layer.eval()(x).value)


@pytest.mark.parametrize("layer", [nn.BatchNorm1d(3, dtype="f"), nn.LayerNorm(3, dtype="f")])
def test_float32_stays_float32(layer):
    x = np.random.default_rng(0).normal(size=(4, 3)).astype("f")
    assert layer(x).dtype == np.float32 == layer.eval()(x).dtype
    assert all(b.dtype in (np.float32, np.int64) for b in layer.buffers())
