"""Factorizations: NumPy's results and settings, two derivatives beside PyTorch's, equal eigenvalues, errors."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dark
from dark.errors import OperationError, ShapeError, UsageError, ValueTypeError
from tests.examples import examples
from tests.operations.torch_comparison import compare

SHAPES = ((3, 3), (4, 2), (2, 4), (2, 3, 2))
MATRIX_ORDERS = ("fro", "nuc", 1, -1, 2, -2, math.inf, -math.inf)
VECTOR_ORDERS = (0.5, 1, 1.5, 2, 3, -1, math.inf, -math.inf)


def symmetric(x):
    return (x + np.swapaxes(x, -1, -2)) * 0.5


def squares(factors):
    """Return a function of factors that does not depend on the signs of vectors."""
    return sum([(y * y * (k + 1.0)).sum() for k, y in enumerate(factors)])


@pytest.mark.oracle
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_two_derivatives_of_factorizations_are_pytorchs(shape):
    torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
    linalg, rows = torch.linalg, np.arange(1.0, shape[-2] + 1)[:, None]
    weights = torch.as_tensor(rows)

    def weighted(factors, w):
        return squares([factors[0] * w, *factors[1:]])

    compare(lambda x: weighted(np.linalg.qr(x), rows), lambda x: weighted(linalg.qr(x), weights), shape, rtol=1e-6)
    compare(
        lambda x: weighted(np.linalg.svd(x, full_matrices=False), rows),
        lambda x: weighted(linalg.svd(x, full_matrices=False), weights), shape, rtol=1e-6,
    )  # fmt: skip
    if shape[-1] == shape[-2]:
        compare(
            lambda x: weighted(np.linalg.eigh(symmetric(x))[::-1], rows),
            lambda x: weighted(linalg.eigh((x + x.mT) / 2)[::-1], weights), shape, rtol=1e-6,
        )  # fmt: skip
    for ord in MATRIX_ORDERS:
        compare(
            lambda x, ord=ord: np.linalg.norm(x, ord, axis=(-2, -1)),
            lambda x, ord=ord: linalg.matrix_norm(x, ord), shape, rtol=1e-6,
        )  # fmt: skip
    for ord in VECTOR_ORDERS:
        compare(
            lambda x, ord=ord: np.linalg.norm(x, ord, axis=-1),
            lambda x, ord=ord: linalg.vector_norm(x, ord, dim=-1), shape, rtol=1e-6,
        )  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("keepdims", [False, True])
def test_values_of_norms_are_numpys(shape, keepdims):
    a = np.random.default_rng(0).normal(size=shape)
    x = dark.Parameter(a)
    for ord in (None, *MATRIX_ORDERS):
        right = np.linalg.norm(a, ord, axis=(-1, -2), keepdims=keepdims)
        np.testing.assert_allclose(np.linalg.norm(x, ord, axis=(-1, -2), keepdims=keepdims).value, right)
    for ord in MATRIX_ORDERS:
        right = np.linalg.matrix_norm(a, ord=ord, keepdims=keepdims)
        np.testing.assert_allclose(np.linalg.matrix_norm(x, ord=ord, keepdims=keepdims).value, right)
    for ord in (None, 0, *VECTOR_ORDERS):
        right = np.linalg.norm(a, ord, axis=-1, keepdims=keepdims)
        np.testing.assert_allclose(np.linalg.norm(x, ord, axis=-1, keepdims=keepdims).value, right)


@pytest.mark.parametrize("ord", [0, *VECTOR_ORDERS])
def test_the_derivative_of_every_norm_at_0_is_0_and_ties_share_it(ord):
    x = dark.Parameter(np.zeros(3))
    with np.errstate(divide="ignore"):  # NumPy's warning of 0 ** -1
        dark.vector_norm(x, ord=ord).backward()
    assert x.grad.tolist() == [0, 0, 0]
    if math.isinf(ord):
        x = dark.Parameter(np.array([2.0, -2.0, 2.0]))
        dark.vector_norm(x, ord=ord).backward()
        np.testing.assert_allclose(x.grad, [1 / 3, -1 / 3, 1 / 3])


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_values_and_names_of_factors_are_numpys(shape):
    a = np.random.default_rng(0).normal(size=shape)
    x = dark.Parameter(a)
    pairs = [(np.linalg.qr(x), np.linalg.qr(a)), (np.linalg.svd(x, False), np.linalg.svd(a, False))]
    if shape[-1] == shape[-2]:
        pairs += [(np.linalg.eigh(x, part), np.linalg.eigh(a, part)) for part in "LU"]
        np.testing.assert_allclose(np.linalg.eigvalsh(x).value, np.linalg.eigvalsh(a))
        pairs.append((np.linalg.svd(x), np.linalg.svd(a)))
    for actual, right in pairs:
        assert actual._fields == right._fields
        for y, v in zip(actual, right):
            np.testing.assert_allclose(y.value, v, atol=1e-13)
            assert y.requires_grad
    np.testing.assert_allclose(np.linalg.svdvals(x).value, np.linalg.svdvals(a))
    np.testing.assert_allclose(np.linalg.svd(x, compute_uv=False).value, np.linalg.svdvals(a))
    np.testing.assert_allclose(np.linalg.qr(x, mode="r").value, np.linalg.qr(a, mode="r"))


@examples(30)
@given(st.integers(0, 4), st.integers(0, 4), st.integers(0, 99))
def test_factors_multiply_to_the_matrix(m, n, seed):
    x = dark.Parameter(np.random.default_rng(seed).normal(size=(m, n)))
    q, r = dark.qr(x)
    u, s, vh = dark.svd(x, full_matrices=False)
    for y in (q @ r, u * s @ vh):
        np.testing.assert_allclose(y.value, x.value, atol=1e-12)
        x.grad = None
        dark.sum(y).backward()  # the derivative of the identity
        np.testing.assert_allclose(x.grad, np.ones((m, n)), atol=1e-8)


def test_the_gradient_of_eigenvalues_exists_at_equal_ones_and_that_of_vectors_is_infinite_or_nan():
    x = dark.Parameter(np.eye(3))
    dark.sum(dark.eigvalsh(x) * np.array([1.0, 1.0, 1.0])).backward()
    np.testing.assert_allclose(x.grad, np.eye(3))
    x.grad = None
    dark.sum(dark.svdvals(x)).backward()
    np.testing.assert_allclose(x.grad, np.eye(3), atol=1e-15)
    x.grad = None
    with np.errstate(all="ignore"):
        dark.sum(dark.eigh(x).eigenvectors * np.arange(9.0).reshape(3, 3)).backward()
    assert not np.isfinite(x.grad).all()


def test_cholesky_and_eigh_read_one_triangle_as_numpy_does():
    a = np.array([[2.0, 0.0], [1.0, 2.0]])
    x = dark.Parameter(a)
    np.testing.assert_array_equal(np.linalg.cholesky(x).value, np.linalg.cholesky(a))
    np.testing.assert_allclose(np.linalg.eigvalsh(x).value, [1, 3])
    np.testing.assert_allclose(np.linalg.eigvalsh(x, "U").value, [2, 2])


def test_what_has_no_derivative_is_refused_with_advice():
    tall = dark.Parameter(np.ones((3, 2)))
    with pytest.raises(ShapeError, match="svd: full_matrices must be False for shape") as caught:
        np.linalg.svd(tall)
    assert "full_matrices=False" in str(caught.value)
    with pytest.raises(ShapeError, match="qr: mode must not be 'complete' for shape"):
        np.linalg.qr(tall, "complete")
    with pytest.raises(UsageError, match="qr: invalid mode 'raw'"):
        np.linalg.qr(tall, "raw")
    with pytest.raises(UsageError, match="eigh: invalid UPLO 'X'"):
        np.linalg.eigh(dark.Parameter(np.eye(2)), "X")
    with pytest.raises(OperationError, match="qr: a matrix is singular"):
        dark.sum(dark.qr(tall * 0.0).R).backward()


def test_bad_matrices_are_refused():
    with pytest.raises(OperationError, match="svd: the iteration did not converge"):
        np.linalg.svd(dark.Parameter(np.full((2, 2), math.nan)))
    for name in ("inv", "det", "cholesky", "eigh", "svd", "qr", "eigvalsh", "svdvals"):
        f = getattr(np.linalg, name)
        with pytest.raises(ShapeError, match=": shape"):
            f(dark.Parameter(np.ones(2)))
        with pytest.raises(ValueTypeError, match="float16 is not supported by linear algebra") as caught:
            f(dark.Parameter(np.eye(2, dtype=np.float16)))
        assert "x.astype(np.float32)" in str(caught.value)
    with pytest.raises(ValueTypeError, match="solve: float16"):
        np.linalg.solve(dark.Parameter(np.eye(2, dtype=np.float16)), np.ones(2, np.float16))
