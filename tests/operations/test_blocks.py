"""Functions that are computed block by block: accuracy, the same bits for any size and memory order, odd values."""

import math

import numpy as np
import pytest

import dark
from dark.operations.numeric import BLOCK_BYTES

FUNCTIONS = {
    "erf": dark.erf,
    "gelu": dark.gelu,
    "silu": dark.silu,
    "sigmoid": dark.sigmoid,
    "elu": dark.elu,
    "elu, alpha 0.3": lambda x: dark.elu(x, alpha=0.3),
}
each_function = pytest.mark.parametrize("f", FUNCTIONS.values(), ids=FUNCTIONS)
each_dtype = pytest.mark.parametrize("dtype", [np.float32, np.float64])


def value_and_gradient(f, x):
    p = dark.Parameter(x)
    y = f(p)
    y.backward(np.ones_like(x))
    return y.value, p.grad


@each_function
@each_dtype
@pytest.mark.parametrize("rest", [-1, 0, 1, 777])
def test_a_long_array_has_the_bits_of_its_parts(f, dtype, rest):
    size = 2 * BLOCK_BYTES // np.dtype(dtype).itemsize + rest
    x = np.random.default_rng(0).normal(scale=3, size=size).astype(dtype)
    x[:4] = 0.0, 1e-35, -1e-35, 60.0
    parts = [value_and_gradient(f, part) for part in np.array_split(x, 5)]
    for found, each in zip(value_and_gradient(f, x), zip(*parts)):
        assert found.dtype == dtype
        np.testing.assert_array_equal(found, np.concatenate(each))


@each_function
def test_the_memory_order_makes_no_difference(f):
    x = np.random.default_rng(0).normal(size=(300, 4, 70))
    right = value_and_gradient(f, x)
    for order in ((2, 1, 0), (1, 0, 2)):
        y = f(dark.Constant(x).transpose(order))
        np.testing.assert_array_equal(y.value, right[0].transpose(order))
    strided = f(dark.Constant(np.repeat(x, 2, axis=1)[:, ::2]))
    np.testing.assert_array_equal(strided.value, right[0])


@pytest.mark.parametrize(("dtype", "units"), [(np.float32, 5), (np.float64, 5)])
def test_the_error_function_is_accurate_to_a_few_units_in_the_last_place(dtype, units):
    x = np.concatenate([np.linspace(-6.5, 6.5, 20001), np.geomspace(1e-30, 1, 2000)]).astype(dtype)
    right = np.array([math.erf(v) for v in x.tolist()])
    error = np.abs(dark.erf(x).value - right) / np.spacing(np.abs(right).astype(dtype))
    assert error.max() <= units


@each_dtype
def test_the_derivative_of_gelu_is_right_where_its_value_tells_nothing(dtype):
    x = np.array([0.0, -0.0, 1e-37, -1e-37, np.finfo(dtype).tiny, 45.0, -45.0, 1e30, -1e30, math.inf], dtype)
    right = np.array([0.5, 0.5, 0.5, 0.5, 0.5, 1, 0, 1, 0, 1])
    np.testing.assert_allclose(value_and_gradient(dark.gelu, x)[1], right, rtol=1e-6)
    assert math.isnan(value_and_gradient(dark.gelu, np.array([math.nan], dtype))[1][0])


@each_function
@each_dtype
def test_the_gradient_is_that_of_single_numbers(f, dtype):
    x = np.linspace(-12, 12, 481).astype(dtype)
    slopes = [dark.grad(f)(float(v)) for v in x]
    eps = np.finfo(dtype).eps
    np.testing.assert_allclose(value_and_gradient(f, x)[1], slopes, rtol=20 * eps, atol=20 * eps)


@each_function
def test_infinity_and_nan_are_those_of_single_numbers(f):
    with np.errstate(all="ignore"):
        for v in (math.inf, -math.inf, math.nan, 0.0, -0.0):
            for found, single in zip(value_and_gradient(f, np.array([v])), value_and_gradient(f, np.float64(v))):
                np.testing.assert_array_equal(found[0], float(single))
