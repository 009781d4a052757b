"""Inverses, linear systems, determinants, Cholesky factors: derivatives, and singular matrices."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import dark
from dark.errors import OperationError, ShapeError
from tests.examples import examples
from tests.operations.torch_comparison import compare


def regular(*shape):
    """Draw well-conditioned matrices."""
    return np.random.default_rng(1).normal(size=shape) + 4 * np.eye(shape[-1])


def gradients(y, *leaves):
    y.backward(np.ones(y.shape) if y.ndim else 1.0)
    return [leaf.grad for leaf in leaves]


@pytest.mark.oracle
def test_two_derivatives_of_inverses_and_determinants_are_pytorchs():
    torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
    eye, torch_eye = 4 * np.eye(3), 4 * torch.eye(3, dtype=torch.float64)
    for actual, reference in (
        (dark.inv, torch.linalg.inv), (dark.det, torch.linalg.det),
        (lambda x: dark.slogdet(x).logabsdet, lambda x: torch.linalg.slogdet(x).logabsdet),
        (lambda x: dark.cholesky(x @ np.swapaxes(x, -1, -2)), lambda x: torch.linalg.cholesky(x @ x.mT)),
    ):  # fmt: skip
        for shape in ((3, 3), (2, 3, 3)):
            compare(lambda x: actual(x + eye), lambda x: reference(x + torch_eye), shape, rtol=1e-7)
    for left, right in (((3, 3), (3,)), ((3, 3), (3, 2)), ((2, 3, 3), (2, 3, 2)), ((3, 3), (2, 3, 2))):
        compare(lambda a, b: dark.solve(a + eye, b), lambda a, b: torch.linalg.solve(a + torch_eye, b), left, right)


def test_the_gradient_of_cholesky_is_symmetric():
    a = dark.Parameter(np.array([[4.0, 2.0], [2.0, 5.0]]))
    (g,) = gradients(dark.cholesky(a), a)
    np.testing.assert_allclose(g, g.T)
    np.testing.assert_array_equal(dark.cholesky(a).value, np.linalg.cholesky(a.value))


def test_numpys_linalg_works_on_nodes():
    a = regular(3, 3)
    x = dark.Parameter(a)
    for name in ("inv", "det"):
        y = getattr(np.linalg, name)(x)
        np.testing.assert_allclose(y.value, getattr(np.linalg, name)(a))
    np.testing.assert_allclose(np.linalg.cholesky(x @ x.T).value, np.linalg.cholesky(a @ a.T))
    np.testing.assert_allclose(np.linalg.solve(a, x).value, np.eye(3), atol=1e-12)
    sign, logabsdet = np.linalg.slogdet(-x)
    assert sign.value == np.linalg.slogdet(-a).sign == -1
    assert logabsdet.value == np.linalg.slogdet(-a).logabsdet and logabsdet.requires_grad


@pytest.mark.parametrize(("f", "name"), [(dark.inv, "inv"), (lambda x: dark.solve(x, np.ones(2)), "solve")])
def test_a_singular_matrix_is_an_error_that_names_the_function(f, name):
    for x in (np.ones((2, 2)), np.stack([np.eye(2), np.zeros((2, 2))])):
        with pytest.raises(OperationError, match=f"{name}: a matrix is singular") as caught:
            f(dark.Parameter(x))
        assert "Expected: " in str(caught.value) and "Try: " in str(caught.value)


def test_logabsdet_is_not_differentiable_at_singular_matrices():
    sign, y = dark.slogdet(dark.Parameter(np.ones((2, 2))))
    assert sign.value == 0 and y.value == -np.inf
    with pytest.raises(OperationError, match="logabsdet: a matrix is singular"):
        y.backward()


def test_the_gradient_of_det_is_correct_at_singular_matrices():
    for x, cofactors in (
        ([[1.0, 2.0], [2.0, 4.0]], [[4, -2], [-2, 1]]), ([[0.0, 0.0], [0.0, 0.0]], [[0, 0], [0, 0]]),
        ([[1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 0.0]], [[0, 0, 0], [0, 0, 0], [0, 0, 2]]), ([[0.0]], [[1]]),
    ):  # fmt: skip
        leaf = dark.Parameter(np.array(x))
        dark.det(leaf).backward()
        np.testing.assert_allclose(leaf.grad, cofactors, atol=1e-14)
    leaf = dark.Parameter(np.stack([np.ones((2, 2)), np.eye(2)]))
    dark.sum(dark.det(leaf)).backward()
    np.testing.assert_allclose(leaf.grad, [[[1, -1], [-1, 1]], np.eye(2)], atol=1e-14)
    with pytest.raises(OperationError, match="det: a matrix is singular"):
        dark.det(dark.Parameter(np.ones((2, 2)))).backward(create_graph=True)


def test_cholesky_of_an_indefinite_matrix_is_an_error():
    with pytest.raises(OperationError, match="cholesky: a matrix is not positive definite"):
        dark.cholesky(dark.Parameter(-np.eye(2)))


def test_shapes_of_matrices_are_checked():
    v = np.ones(2)
    a, one = dark.Parameter(np.ones((2, 3))), dark.Parameter(2.0)
    for f in (dark.inv, dark.det, dark.logabsdet, dark.cholesky, lambda x: dark.solve(x, v)):
        for x in (a, one, v):
            with pytest.raises(ShapeError, match=r": shape \(.*\) is not square"):
                f(x)
    with pytest.raises(ShapeError, match=r"solve: shapes \(3, 3\) and \(2,\) do not match"):
        dark.solve(dark.Parameter(np.eye(3)), v)
    with pytest.raises(ShapeError, match="solve: the right-hand side must have an axis"):
        dark.solve(dark.Parameter(np.eye(3)), 1.0)


@examples(50)
@given(st.integers(1, 4), st.integers(0, 99))
def test_solve_equals_the_product_with_the_inverse(n, seed):
    a = np.random.default_rng(seed).normal(size=(n, n))
    assume(np.linalg.cond(a) < 1e3)
    b = np.arange(1.0, n + 1)
    p, q, r, s = (dark.Parameter(v) for v in (a, b, a, b))
    actual, right = gradients(dark.solve(p, q), p, q), gradients(dark.inv(r) @ s, r, s)
    for g, h in zip(actual, right):
        np.testing.assert_allclose(g, h, rtol=1e-6, atol=1e-6)
