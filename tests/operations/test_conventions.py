"""The conventions at kinks, ties and limits, and finite results for large inputs."""

import math

import numpy as np
import pytest

import dark

inf, nan = math.inf, math.nan


@pytest.mark.parametrize(
    ("f", "x", "slopes"),
    [
        (dark.abs, (3,), (1,)), (dark.abs, (-3,), (-1,)), (dark.abs, (0,), (0,)), (dark.abs, (nan,), (nan,)),
        (dark.relu, (0,), (0,)), (dark.relu, (2,), (1,)), (dark.relu, (-2,), (0,)),
        (dark.leaky_relu, (0,), (0.01,)), (dark.leaky_relu, (2,), (1,)), (dark.leaky_relu, (-inf,), (0.01,)),
        (dark.elu, (0,), (1,)), (dark.elu, (1000,), (1,)), (dark.elu, (-1000,), (0,)),
        (dark.maximum, (3, 2), (1, 0)), (dark.maximum, (2, 3), (0, 1)), (dark.maximum, (2, 2), (0.5, 0.5)),
        (dark.minimum, (2, 3), (1, 0)), (dark.minimum, (2, 2), (0.5, 0.5)), (dark.minimum, (3, 2), (0, 1)),
        (dark.maximum, (inf, inf), (0.5, 0.5)),
        (dark.clip, (0.5, 0, 1), (1, 0, 0)), (dark.clip, (0, 0, 1), (1, 0, 0)), (dark.clip, (1, 0, 1), (1, 0, 0)),
        (dark.clip, (-1, 0, 1), (0, 1, 0)), (dark.clip, (2, 0, 1), (0, 0, 1)), (dark.clip, (0.5, 1, 0), (0, 0, 1)),
        (dark.pow, (0, 0), (0, 0)), (dark.pow, (0, 0.5), (inf, 0)), (dark.pow, (0, -1), (-inf, -inf)),
        (dark.div, (1, 0), (inf, -inf)), (dark.log, (0,), (inf,)), (dark.sqrt, (0,), (inf,)), (dark.cbrt, (0,), (inf,)),
        (dark.reciprocal, (0,), (-inf,)), (dark.square, (0,), (0,)), (dark.log1p, (-1,), (inf,)),
        (dark.exp, (1000,), (inf,)), (dark.expm1, (-1000,), (0,)), (dark.exp2, (-2000,), (0,)),
        (dark.arcsin, (1,), (inf,)), (dark.arccos, (-1,), (-inf,)), (dark.arccosh, (1,), (inf,)),
        (dark.arctanh, (1,), (inf,)), (dark.arcsinh, (1e200,), (1e-200,)), (dark.arctan, (inf,), (0,)),
        (dark.arctan2, (0, 0), (0, 0)), (dark.arctan2, (0, -1), (-1, 0)), (dark.hypot, (0, 0), (nan, nan)),
        (dark.hypot, (1e300, 0), (1, 0)), (dark.sinc, (0,), (0,)), (dark.erf, (inf,), (0,)),
        (dark.sigmoid, (1000,), (0,)), (dark.sigmoid, (-1000,), (0,)), (dark.sigmoid, (0,), (0.25,)),
        (dark.softplus, (1000,), (1,)), (dark.softplus, (-1000,), (0,)), (dark.silu, (-1000,), (0,)),
        (dark.gelu, (1e300,), (1,)), (dark.gelu, (-1e300,), (0,)), (dark.tanh, (1000,), (0,)),
        (dark.logaddexp, (1000, 1000), (0.5, 0.5)), (dark.logaddexp, (-inf, 1), (0, 1)),
        (dark.logaddexp, (-1000, 1000), (0, 1)),
        (dark.relu, (nan,), (1,)), (lambda x: dark.leaky_relu(x, 0), (nan,), (1,)),
        (lambda x: dark.leaky_relu(x, 0.3), (nan,), (0.3,)), (dark.elu, (nan,), (nan,)),
        (dark.elu, (-38,), (math.exp(-38),)), (lambda x: dark.elu(x, 0.5), (-700,), (0.5 * math.exp(-700),)),
        (dark.maximum, (nan, 2), (1, 1)), (dark.maximum, (2, nan), (1, 1)), (dark.minimum, (nan, 2), (1, 1)),
        (dark.clip, (nan, 0, 1), (1, 0, 0)), (dark.clip, (0.5, nan, 1), (1, 1, 0)),
        (dark.clip, (0.5, 0, nan), (1, 0, 1)),
        (lambda x: x**0, (1e-310,), (0,)), (lambda x: x**0, (nan,), (0,)), (lambda x: x**1, (5e-324,), (1,)),
    ],
    ids=lambda v: getattr(v, "__name__", str(v)),
)  # fmt: skip
def test_the_conventions_at_kinks_ties_and_borders(f, x, slopes):
    numbers, arrays = [dark.Parameter(v) for v in x], [dark.Parameter(np.array([float(v)])) for v in x]
    f(*numbers).backward()
    np.testing.assert_array_equal([p.grad for p in numbers], slopes)
    with np.errstate(all="ignore"):
        f(*arrays).backward()
    np.testing.assert_allclose([p.grad[0] for p in arrays], slopes, rtol=1e-15)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("n", [0, 1, 2, 3])
def test_derivatives_of_powers_are_right_where_the_reciprocal_overflows(n, dtype):
    for x in (dtype(0), np.finfo(dtype).smallest_subnormal, np.finfo(dtype).tiny / 2, dtype(-1) * np.finfo(dtype).tiny):
        for f in (lambda v: v**n, lambda v: v ** float(n), lambda v: v ** np.array(n, dtype)):
            for order, right in enumerate([x**n] + [math.perm(n, k) * x ** max(n - k, 0) for k in (1, 2, 3)]):
                if order:
                    f = dark.grad(f)
                    assert f(dtype(x)) == dtype(right), (x, n, order)


def test_the_mixed_derivative_of_a_power_at_the_exponent_0_is_the_reciprocal():
    slope = dark.grad(dark.grad(lambda x, n: x**n), 1)
    assert slope(4.0, 0.0) == 0.25 and dark.grad(dark.grad(dark.pow), 1)(np.float32(4), np.float32(0)) == 0.25


ONE, ZERO = np.ones((1, 1)), np.zeros(1)


@pytest.mark.parametrize(
    "f",
    [
        dark.relu, dark.max, dark.min, lambda x: dark.clip(x, -1, 1), lambda x: x.max(0), lambda x: np.sort(x)[2],
        lambda x: dark.rnn(x[:, None, None], ONE, ZERO, ONE, ZERO, nonlinearity="relu"),
        lambda x: dark.losses.hinge(x, np.ones(3)), lambda x: dark.losses.multi_margin(x[None], np.array([0])),
    ],
)  # fmt: skip
def test_a_nan_is_not_hidden_on_its_way_back(f):
    x = np.array([1.0, nan, 0.5])
    assert dark.grad(lambda x: np.sum(f(x)))(x)[1] != 0


def test_the_second_derivative_of_elu_is_accurate_far_out():
    for x in (-18.0, -38.0, -700.0):
        for value in (x, np.array([x]), np.array([x], np.float32)):
            second = dark.grad(lambda x: np.sum(dark.grad(lambda x: np.sum(dark.elu(x)))(x)))(value)
            np.testing.assert_allclose(second, np.exp(value), rtol=1e-6)


LARGE = np.array([-1e30, -1000, -40, 0, 40, 1000, 1e30])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(
    "f",
    [
        dark.sigmoid, dark.silu, dark.softplus, dark.gelu, lambda x: dark.gelu(x, approximate="tanh"), dark.elu,
        dark.leaky_relu, dark.relu, dark.tanh, dark.erf, lambda x: dark.logaddexp(x, -x),
        dark.arctan, dark.arcsinh, lambda x: dark.hypot(x, x + 1), lambda x: dark.arctan2(x, 2 * x), dark.sinc,
        dark.abs, lambda x: dark.clip(x, -1, 1),
    ],
)  # fmt: skip
def test_activation_functions_are_finite_without_warnings_for_large_inputs(f, dtype):
    """A warning would be an error here."""
    x = dark.Parameter(LARGE.astype(dtype))
    y = f(x)
    y.backward(np.ones(7, dtype))
    assert np.isfinite(y.value).all() and np.isfinite(x.grad).all()


def test_the_sigmoid_is_accurate_for_negative_inputs():
    np.testing.assert_allclose(dark.sigmoid(np.array([-700.0, -50.0])).value, np.exp([-700.0, -50.0]), rtol=1e-14)


def test_where_ignores_nan_and_inf_of_the_other_side():
    x = dark.Parameter(np.array([-1.0, 0.0, 4.0]))
    safe = np.where(x > 0, x, 1.0)
    dark.sum(np.where(x > 0, np.sqrt(safe), 0.0)).backward()
    np.testing.assert_array_equal(x.grad, [0, 0, 0.25])
    a, b = dark.Parameter(np.array([nan, 1.0])), dark.Parameter(np.array([1.0, inf]))
    dark.where(np.array([False, True]), a, b).backward(np.array([inf, nan]))
    np.testing.assert_array_equal(a.grad, [0, nan])
    np.testing.assert_array_equal(b.grad, [inf, 0])


def test_bounds_may_be_omitted_or_nodes():
    x, low = dark.Parameter(np.array([-1.0, 0.5, 2.0])), dark.Parameter(0.0)
    dark.sum(dark.clip(x, low)).backward()
    np.testing.assert_array_equal(x.grad, [0, 1, 1])
    assert low.grad == 1
    np.testing.assert_array_equal(dark.clip(x, high=1).value, [-1, 0.5, 1])


def test_a_root_of_a_negative_number_is_nan_not_complex():
    x = dark.Parameter(-8)
    y = x ** (1 / 3)
    y.backward()
    assert math.isnan(y.value) and math.isnan(x.grad)


def test_no_gradient_is_computed_for_an_input_that_does_not_require_it(monkeypatch):
    def fail(*x):
        raise AssertionError("asked for the gradient of a constant")

    monkeypatch.setattr(dark.Pow, "vjps", (dark.Pow.vjps[0], fail))
    x = dark.Parameter(3)
    dark.pow(x, 2).backward()
    assert x.grad == 6


@pytest.mark.parametrize("kind", [np.uint8, np.uint64, np.int8, bool])
def test_an_integer_exponent_has_the_derivative_of_a_float(kind):
    x = dark.Parameter(np.array([300.0, 5.0, 0.0, 0.0]))
    (x ** np.array([0, 1, 0, 1], kind)).sum().backward()
    assert x.grad.tolist() == [0, 1, 0, 1]
