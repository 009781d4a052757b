"""Batch and layer normalization: laws of normalization, running statistics, fused operations and their composition."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dark
from dark import nn
from dark.errors import ShapeError, UsageError, ValueTypeError
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


def rms_norm(x, g, eps=None):
    eps = np.finfo(x.dtype).eps if eps is None else eps
    return x / dark.sqrt(dark.mean(x * x, axis=tuple(range(-g.ndim, 0)), keepdims=True) + eps) * g


def group_norm(x, g, b, groups=2, eps=1e-5):
    z = standard(dark.reshape(x, (len(x.value), groups, -1)), 2, eps)
    shape = (-1, *(1,) * (x.ndim - 2))
    return dark.reshape(z, x.shape) * dark.reshape(g, shape) + dark.reshape(b, shape)


def fused_group_norm(x, g, b):
    return dark.group_norm(x, 2, g, b)


def linear(x, w, b):
    return x @ w.T + b


SHAPES = [
    (dark.layer_norm, layer_norm, (4, 3), (3,)), (dark.layer_norm, layer_norm, (2, 3, 4), (3, 4)),
    (fused_group_norm, group_norm, (3, 4), (4,)), (fused_group_norm, group_norm, (2, 6, 3), (6,)),
    (fused_group_norm, group_norm, (2, 2, 3, 2), (2,)),
    (dark.layer_norm, layer_norm, (5,), (5,)), (dark.batch_norm, batch_norm, (4, 3), (3,)),
    (dark.batch_norm, batch_norm, (2, 3, 4), (3,)), (dark.batch_norm, batch_norm, (2, 3, 2, 3), (3,)),
]  # fmt: skip
FUSED = [
    *[(fused, composed, (x, own, own)) for fused, composed, x, own in SHAPES],
    *[(dark.linear, linear, (x, (4, 3), (4,))) for x in ((3,), (2, 3), (5, 2, 3))],
    *[(dark.rms_norm, rms_norm, (x, own)) for x, own in (((4, 3), (3,)), ((2, 3, 4), (3, 4)), ((5,), (5,)))],
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


@given(sizes, sizes, sizes)
def test_groups_and_instances_come_out_with_mean_0_and_variance_1(n, c, k):
    x = np.random.default_rng(0).normal(3, 2, size=(n, 2 * c, k, k))
    y = nn.GroupNorm(c, 2 * c, eps=0)(x).value.reshape(n, c, -1)
    z = nn.InstanceNorm2d(2 * c, eps=0)(x).value.reshape(n, 2 * c, -1)
    for rows in (y, z):
        assert_close(rows.mean(2), np.zeros(rows.shape[:2]), 1e-12)
        assert_close(rows.var(2), np.ones(rows.shape[:2]), 1e-12)


@examples(30)
@given(sizes, sizes, st.floats(0.1, 10))
def test_group_norm_is_layer_norm_for_one_group_and_rms_norm_ignores_the_scale(n, c, stretch):
    x = np.random.default_rng(n).normal(size=(n, c, 3))
    assert_close(nn.GroupNorm(1, c)(x).value, nn.LayerNorm((c, 3))(x).value, 1e-12)
    assert_close(nn.GroupNorm(c, c)(x).value, nn.InstanceNorm1d(c)(x).value, 1e-15)
    assert_close(nn.RMSNorm(3, eps=0)(x * stretch).value, nn.RMSNorm(3, eps=0)(x).value, 1e-12)
    assert_close((nn.RMSNorm(3, eps=0)(x).value ** 2).mean(2), np.ones((n, c)), 1e-12)


SECOND = {
    "group": (nn.GroupNorm(2, 4), (2, 4, 3)),
    "instance": (nn.InstanceNorm1d(2, affine=True), (2, 2, 3)),
    "instance, running": (nn.InstanceNorm1d(2, affine=True, track_running_stats=True).eval(), (2, 2, 3)),
    "one instance": (nn.InstanceNorm2d(2), (2, 2, 3)),
    "volumes": (nn.BatchNorm3d(2), (2, 2, 1, 2, 2)),
    "rms": (nn.RMSNorm((2, 3)), (2, 2, 3)),
}


@pytest.mark.parametrize("name", SECOND)
def test_first_and_second_derivatives_equal_finite_differences(name):
    layer, shape = SECOND[name]
    rng, before = np.random.default_rng(0), dict(layer.named_parameters())

    def f(x, *values):
        vars(layer).update(zip(before, values))
        return layer(x) ** 2

    inputs = [rng.normal(size=s) for s in (shape, *[p.shape for p in before.values()])]
    assert dark.gradcheck(f, *inputs, second=True).ok
    vars(layer).update(before)


EMPTY = [
    (lambda: nn.BatchNorm1d(3), (0, 3)), (lambda: nn.BatchNorm1d(3), (0, 3, 4)), (lambda: nn.BatchNorm1d(3), (2, 3, 0)),
    (lambda: nn.BatchNorm2d(3), (0, 3, 2, 2)), (lambda: nn.BatchNorm2d(3, momentum=None), (2, 3, 0, 2)),
    (lambda: nn.GroupNorm(1, 3), (0, 3)), (lambda: nn.GroupNorm(3, 3), (2, 3, 0)), (lambda: nn.RMSNorm(3), (0, 3)),
    (lambda: nn.InstanceNorm1d(3), (0, 3, 4)), (lambda: nn.InstanceNorm1d(3, affine=True), (2, 3, 0)),
    (lambda: nn.InstanceNorm1d(3, track_running_stats=True), (0, 3, 4)), (lambda: nn.LayerNorm(3), (0, 3)),
]  # fmt: skip


@pytest.mark.parametrize(("make", "shape"), EMPTY)
@pytest.mark.parametrize("training", [True, False])
@pytest.mark.parametrize("create_graph", [True, False])
def test_an_empty_batch_moves_nothing_and_has_gradients_of_zeros(make, shape, training, create_graph):
    layer, x = make().train(training), dark.Parameter(np.ones(shape))
    before = {name: b for name, b in layer.state_dict().items() if name != "num_batches_tracked"}
    y = layer(x)
    assert y.shape == shape
    y.backward(np.ones(shape), create_graph=create_graph)
    assert x.grad.shape == shape
    assert all(not np.any(dark.nodes.value_of(p.grad)) for p in layer.parameters())
    after = layer.state_dict()
    assert all(np.array_equal(after[name], b) for name, b in before.items())
    if isinstance(layer, nn.BatchNorm1d | nn.BatchNorm2d):
        assert after["num_batches_tracked"] == training


def test_one_value_has_no_variance():
    for layer, shape in (
        (nn.BatchNorm1d(3), (1, 3)), (nn.BatchNorm1d(3, track_running_stats=False).eval(), (1, 3)),
        (nn.BatchNorm3d(3), (1, 3, 1, 1, 1)), (nn.GroupNorm(3, 3), (1, 3)), (nn.GroupNorm(3, 3).eval(), (1, 3, 1)),
        (nn.InstanceNorm1d(3), (2, 3, 1)), (nn.InstanceNorm1d(3).eval(), (3, 1)),
        (nn.InstanceNorm2d(3, track_running_stats=True), (2, 3, 1, 1)),
    ):  # fmt: skip
        with pytest.raises(
            ShapeError, match=r"more than one value per (channel|group)(.|\n)*the variance of a single value is 0"
        ):
            layer(np.ones(shape))
    assert nn.InstanceNorm1d(3, track_running_stats=True).eval()(np.ones((2, 3, 1))).shape == (2, 3, 1)


@pytest.mark.parametrize(
    ("layer", "shape", "expected"),
    [
        (nn.GroupNorm(2, 4), (2, 3), r"\(n, 4, \.\.\.\)"), (nn.GroupNorm(2, 4), (4,), r"\(n, 4, \.\.\.\)"),
        (nn.InstanceNorm1d(3), (2, 4, 5), r"\(n, 3, length\) or \(3, length\)"),
        (nn.InstanceNorm2d(3), (2, 3), r"\(n, 3, height, width\) or \(3, height, width\)"),
        (nn.InstanceNorm3d(3), (2, 3, 4), r"\(n, 3, depth, height, width\)"),
        (nn.BatchNorm3d(3), (2, 3, 4, 4), r"\(n, 3, depth, height, width\)"),
        (nn.RMSNorm(3), (2, 4), r"x of shape \(\.\.\., \*s\), and weight of shape s"),
    ],
)  # fmt: skip
def test_shapes_that_do_not_fit_are_refused(layer, shape, expected):
    with pytest.raises(ShapeError, match=rf"Expected: {expected}"):
        layer(np.ones(shape))


def test_arguments_that_do_not_fit_are_refused():
    with pytest.raises(UsageError, match="GroupNorm: num_channels must be divisible by num_groups, got 4 and 3"):
        nn.GroupNorm(3, 4)
    with pytest.raises(ShapeError, match=r"group_norm: shapes \(2, 4\), \(4,\) and \(4,\) do not match 3 groups"):
        dark.group_norm(np.ones((2, 4)), 3)
    with pytest.raises(UsageError, match="num_groups must be 1 or more, got 0"):
        dark.group_norm(np.ones((2, 4)), 0)
    with pytest.raises(ValueTypeError, match="momentum must be a number, got None"):
        nn.InstanceNorm1d(3, momentum=None)
    for layer in (nn.RMSNorm, lambda n, eps: nn.GroupNorm(1, n, eps), nn.InstanceNorm3d):
        with pytest.raises(UsageError, match="eps must be 0 or more, got -1"):
            layer(3, eps=-1)


def test_running_statistics_of_instances_are_averages_over_the_batch():
    layer = nn.InstanceNorm1d(2, momentum=1.0, track_running_stats=True)
    x = np.random.default_rng(0).normal(size=(5, 2, 7))
    layer(x)
    assert_close(layer.running_mean, x.mean((0, 2)), 1e-14)
    assert_close(layer.running_var, x.var(2, ddof=1).mean(0), 1e-14)
    state = layer.state_dict()
    assert layer.num_batches_tracked == 0
    other = nn.InstanceNorm1d(2, track_running_stats=True).eval()
    other.load_state_dict(state)
    np.testing.assert_array_equal(other(x).value, layer.eval()(x).value)
    with dark.no_grad():
        layer.train()(2 * x)
    assert_close(layer.running_mean, 2 * x.mean((0, 2)), 1e-14)


HALF = [
    nn.LayerNorm(4), nn.RMSNorm(4), nn.GroupNorm(2, 4), nn.BatchNorm1d(4),
    nn.Sequential(nn.InstanceNorm1d(4, affine=True)),
]  # fmt: skip


@pytest.mark.parametrize("layer", HALF)
@pytest.mark.parametrize("scale", [1.0, 300.0])
def test_float16_is_computed_in_float32(layer, scale):
    rng = np.random.default_rng(0)
    shape = (64, 4, 5) if isinstance(layer, nn.Sequential) else (64, 4)
    x = (scale * rng.normal(size=shape)).astype(np.float16)
    results = []
    for dtype in (np.float16, np.float32):
        leaf = dark.Parameter(x.astype(dtype))
        y = layer.to(dtype)(leaf)
        assert y.dtype == dtype
        y.backward(rng.normal(size=shape).round(1).astype(dtype))
        rng = np.random.default_rng(1)
        results.append([y.value, leaf.grad, *[p.grad for p in layer.parameters()]])
        assert all(r.dtype == dtype for r in results[-1])
    layer.double()
    rng = np.random.default_rng(1)
    assert_close(results[0][0], results[1][0], 2e-3)


def test_second_derivatives_in_float16_are_those_in_float32():
    grads = []
    for dtype in (np.float16, np.float32):
        x = dark.Parameter(np.array([[300.0, -300.0, 200.0, 100.0]], dtype))
        for f in (nn.LayerNorm(4, dtype=dtype), nn.RMSNorm(4, dtype=dtype), nn.GroupNorm(2, 4, dtype=dtype)):
            x.grad = None
            (f(x) ** 3).sum().backward(create_graph=True)
            assert x.grad.dtype == dtype
            grads.append(x.grad.value)
    for half, single in zip(grads[:3], grads[3:]):
        np.testing.assert_allclose(half, single, atol=2e-3)


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
