"""Powers with whole exponents: products, with the values, dtypes and derivatives of the power."""

import math
import warnings

import numpy as np
import pytest

import dark

X = np.array([-3.0, -1.0, -0.25, -0.0, 0.0, 0.5, 2.0, 7.0, math.inf, -math.inf, math.nan, 1e-30, 1e30])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("n", [*range(-32, 33), 33, -40, 2.5])
def test_powers_of_arrays_are_numpys(n, dtype):
    x = X.astype(dtype)
    with np.errstate(all="ignore"):
        right = (x.astype(np.float64) ** float(n)).astype(dtype)
        for y in (dark.Parameter(x) ** n, dark.pow(x, float(n)), np.power(dark.Parameter(x), n)):
            assert y.dtype == dtype
            np.testing.assert_allclose(y.value, right, rtol=33 * np.finfo(dtype).eps)
            np.testing.assert_array_equal(np.signbit(y.value)[~np.isnan(y.value)], np.signbit(right)[~np.isnan(right)])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_small_whole_powers_are_products(dtype):
    x = np.random.default_rng(0).normal(size=1000).astype(dtype)
    np.testing.assert_array_equal((dark.Parameter(x) ** 3).value, x * x * x)
    np.testing.assert_array_equal((dark.Parameter(x) ** 4.0).value, (x * x) * (x * x))
    np.testing.assert_array_equal((dark.Parameter(x) ** -3).value, (1 / x) * (1 / x) * (1 / x))


@pytest.mark.parametrize("n", [3, 4, 5, 7, 31, -3, -4, 2, 1, 0])
def test_derivatives_of_all_orders_are_those_of_the_power(n):
    x = np.array([-2.0, -0.5, 0.5, 3.0])
    f = lambda v: (v**n).sum()
    for order in range(1, 4):
        f = (lambda g: lambda v: dark.grad(g)(v).sum())(f)
        factor = math.prod(n - k for k in range(order))
        p = dark.Parameter(x)
        np.testing.assert_allclose(f(p).value, (factor * x ** float(n - order)).sum(), rtol=1e-13, atol=1e-300)


def test_the_derivative_at_zero_is_right():
    p = dark.Parameter(np.zeros(3))
    (p**3).sum().backward()
    assert p.grad.tolist() == [0, 0, 0]
    with np.errstate(all="ignore"):
        assert (p**-3).value.tolist() == [math.inf] * 3 and (dark.Parameter(-np.zeros(1)) ** -3).value[0] == -math.inf


def test_only_a_result_that_overflows_warns():
    x = dark.Parameter(np.array([1e-100, 1e90, 1e-20]))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        np.testing.assert_allclose((x**-3).value, [1e300, 1e-270, 1e60], rtol=1e-14)
    with pytest.warns(RuntimeWarning, match="overflow"):
        x**4


@pytest.mark.parametrize("x", [np.arange(-3, 4), np.ones(3, np.float16), np.ones((2, 3)).T, 2.0, np.float32(3)])
def test_other_bases_have_numpys_values_and_dtypes(x):
    y = dark.pow(x, 3)
    right = x**3.0
    np.testing.assert_array_equal(y.value, right)
    assert type(y.value) is float or y.dtype == right.dtype
