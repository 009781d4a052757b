"""The conventions of reductions at kinks, ties, zeros, infinities and empty arrays."""

import warnings

import numpy as np
import pytest

import dark
from tests.operations.torch_comparison import compare

REDUCTIONS = ("sum", "mean", "var", "std", "max", "min", "prod", "logsumexp", "vector_norm")


def gradient(f, x):
    """Return the gradient of a scalar function with one leaf."""
    leaf = dark.Parameter(x)
    f(leaf).backward()
    return leaf.grad


@pytest.mark.parametrize("f", [dark.max, dark.min])
def test_ties_split_the_gradient_equally(f):
    x = np.array([[1.0, 1.0, 1.0], [3.0, 3.0, 2.0]]) * (1 if f is dark.max else -1)
    np.testing.assert_array_equal(gradient(lambda x: dark.sum(f(x, axis=1)), x), [[1 / 3, 1 / 3, 1 / 3], [0.5, 0.5, 0]])
    np.testing.assert_array_equal(gradient(f, x), [[0, 0, 0], [0.5, 0.5, 0]])
    np.testing.assert_array_equal(gradient(f, np.array([np.inf, 1.0]) * np.sign(x[0, 0])), [1, 0])


def test_a_nan_makes_the_maximum_and_its_gradient_nan():
    x = np.array([[1.0, np.nan], [2.0, 1.0]])
    np.testing.assert_array_equal(dark.max(x, axis=1).value, [np.nan, 2])
    np.testing.assert_array_equal(gradient(lambda x: dark.max(x, axis=1)[1] + 0.0, x)[1], [1, 0])
    np.testing.assert_array_equal(gradient(lambda x: dark.sum(dark.max(x, axis=1)), x), [[np.nan] * 2, [1, 0]])


def test_the_derivative_of_a_norm_at_0_is_0():
    for f in (dark.norm, lambda x: dark.norm(x, 1)):
        np.testing.assert_array_equal(gradient(f, np.zeros(3)), np.zeros(3))
    np.testing.assert_array_equal(gradient(lambda x: dark.norm(x, 1), np.array([2.0, 0.0, -3.0])), [1, 0, -1])
    assert gradient(dark.norm, -3.0) == -1
    rows = gradient(lambda x: dark.sum(dark.norm(x, axis=1)), np.array([[0.0, 0.0], [3.0, 4.0]]))
    np.testing.assert_allclose(rows, [[0, 0], [0.6, 0.8]])


def test_the_derivative_of_the_standard_deviation_of_equal_elements_is_0():
    np.testing.assert_array_equal(gradient(dark.std, np.full(3, 2.0)), np.zeros(3))
    assert gradient(dark.std, 5.0) == 0


def test_second_derivatives_at_0_are_finite():
    for f, x in ((dark.norm, np.zeros(3)), (dark.std, np.ones(3))):
        leaf = dark.Parameter(x)
        f(leaf).backward(create_graph=True)
        first, leaf.grad = leaf.grad, None
        dark.sum(first).backward()
        np.testing.assert_array_equal(leaf.grad, np.zeros(3))


def test_a_variance_without_degrees_of_freedom_is_nan():
    with pytest.warns(RuntimeWarning, match="Degrees of freedom"), np.errstate(invalid="ignore"):
        leaf = dark.Parameter(np.array([2.0]))
        y = dark.var(leaf, ddof=1)
    y.backward()
    assert np.isnan(y.value) and np.isnan(leaf.grad).all()


def test_infinities_of_logsumexp():
    inf = np.inf
    x = np.array([[-inf, -inf], [0.0, -inf], [1e4, 1e4], [inf, 1e4]])
    y = dark.logsumexp(dark.Parameter(x), axis=1)
    np.testing.assert_array_equal(y.value, [-inf, 0, 1e4 + np.log(2), inf])
    rows = gradient(lambda x: dark.sum(dark.logsumexp(x, axis=1)), x[:3])
    np.testing.assert_allclose(rows, [[0, 0], [1, 0], [0.5, 0.5]])
    assert dark.logsumexp(np.zeros(0)).value == -inf
    assert gradient(dark.logsumexp, -inf) == 0 and gradient(dark.logsumexp, 3.0) == 1


def test_the_gradient_of_a_product_is_right_at_zeros():
    for x, right in (
        ([2.0, 3.0, 4.0], [12, 8, 6]), ([2.0, 0.0, 4.0], [0, 8, 0]), ([0.0, 0.0, 4.0], [0, 0, 0]), ([0.0], [1]),
    ):  # fmt: skip
        np.testing.assert_array_equal(gradient(dark.prod, np.array(x)), right)
    assert gradient(dark.prod, 0.0) == 1
    rows = gradient(lambda x: dark.sum(dark.prod(x, axis=0)), np.array([[0.0, 2.0], [3.0, 4.0]]))
    np.testing.assert_array_equal(rows, [[3, 4], [0, 2]])


@pytest.mark.parametrize("zeros", [(), (1,), (0, 2), (0, 1, 2)])
def test_second_and_third_derivatives_of_a_product_are_right_at_zeros(zeros):
    x = np.array([2.0, 3.0, 4.0])
    x[list(zeros)] = 0
    leaf = dark.Parameter(x)
    dark.prod(leaf).backward(create_graph=True)
    first, leaf.grad = leaf.grad, None
    first[0].backward(create_graph=True)
    second, leaf.grad = leaf.grad, None
    np.testing.assert_allclose(second.value, [0, x[2], x[1]])
    second[1].backward()
    np.testing.assert_allclose(leaf.grad, [0, 0, 1], atol=1e-12)


def test_empty_sums_products_and_means():
    x = np.zeros((0, 3))
    np.testing.assert_array_equal(dark.sum(x, axis=0).value, np.zeros(3))
    np.testing.assert_array_equal(dark.prod(x, axis=0).value, np.ones(3))
    assert dark.vector_norm(x).value == 0
    for f in (dark.sum, dark.prod, dark.vector_norm):
        leaf = dark.Parameter(x)
        f(leaf).backward()
        assert leaf.grad.shape == (0, 3)
    leaf = dark.Parameter(x)
    with pytest.warns(RuntimeWarning):
        y = dark.mean(leaf, axis=0)
    y.backward(np.ones(3))  # adds no warning
    assert np.isnan(y.value).all() and leaf.grad.shape == (0, 3)


def test_the_rules_add_no_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for name in REDUCTIONS:
            for x in (np.zeros((2, 2)), np.ones((2, 2)), np.array([[0.0, 5.0], [0.0, 0.0]])):
                gradient(lambda x, f=getattr(dark, name): dark.sum(f(x, axis=0)), x)


@pytest.mark.oracle
def test_products_with_zeros_have_pytorchs_second_derivatives():
    torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
    zeros = np.ones((3, 4))
    zeros[0, 1] = zeros[1, 0] = zeros[1, 3] = 0
    compare(lambda x: dark.prod(x * zeros, axis=1), lambda t: torch.prod(t * torch.tensor(zeros), 1), (3, 4))
    compare(lambda x: dark.prod(x * zeros + 0.0 * x), lambda t: torch.prod(t * torch.tensor(zeros)), (3, 4))
