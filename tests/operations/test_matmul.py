"""Products of matrices and vectors: NumPy's values, PyTorch's derivatives, memory of the backward pass."""

import numpy as np
import pytest

import dark
from dark.errors import ShapeError
from tests.operations.torch_comparison import compare

PRODUCTS = [
    ((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 4)), ((2, 3), (3, 4)), ((5, 2, 3), (3,)), ((3,), (5, 3, 4)),
    ((5, 2, 3), (3, 4)), ((2, 3), (5, 3, 4)), ((5, 2, 3), (5, 3, 4)), ((5, 1, 2, 3), (4, 3, 2)),
    ((6, 5, 2, 3), (3, 4)), ((1, 2, 3), (5, 3, 4)), ((6, 5, 2, 3), (3,)), ((3,), (6, 5, 3, 4)),
]  # fmt: skip


def gradients(y, *leaves):
    y.backward(np.ones(y.shape) if y.ndim else 1.0)
    return [leaf.grad for leaf in leaves]


@pytest.mark.parametrize(("left", "right"), PRODUCTS)
def test_a_product_has_numpys_value_and_gradients_in_the_shapes_of_its_inputs(left, right):
    a, b = dark.Parameter(np.random.default_rng(0).normal(size=left)), dark.Parameter(np.ones(right))
    for y in (a @ b, dark.matmul(a, b), np.matmul(a, b), np.linalg.matmul(a, b), a.value @ b):
        np.testing.assert_array_equal(y.value, a.value @ b.value)
    (g, h) = gradients(a @ b, a, b)
    assert g.shape == left and h.shape == right


def test_dot_outer_and_tensordot_agree_with_numpy():
    rng = np.random.default_rng(0)
    v, m, t = rng.normal(size=3), rng.normal(size=(3, 3)), rng.normal(size=(3, 2, 3))
    p = dark.Parameter
    for a, b in ((v, v), (m, v), (v, m), (m, m)):
        np.testing.assert_allclose(np.dot(p(a), b).value, np.dot(a, b))
    np.testing.assert_allclose(np.outer(m, p(v)).value, np.outer(m, v))
    np.testing.assert_allclose(np.linalg.outer(v, p(v)).value, np.outer(v, v))
    for axes, a, b in (
        (0, v, v), (1, t, m), ((0, 0), t, m), (([0], [2]), t, t), (([0, 2], [2, 0]), t, t), (((-1, 0), (1, 0)), t, m),
    ):  # fmt: skip
        np.testing.assert_allclose(np.tensordot(p(a), b, axes).value, np.tensordot(a, b, axes))
    np.testing.assert_allclose(np.tensordot(p(m), m).value, np.tensordot(m, m))


def test_a_product_with_one_matrix_needs_no_batch_in_the_backward_pass(monkeypatch):
    made = []
    matmul = np.matmul

    def watched(a, b):
        made.append(matmul(a, b))
        return made[-1]

    a, b = dark.Parameter(np.ones((5, 2, 3))), dark.Parameter(np.ones((3, 4)))
    y = a @ b
    monkeypatch.setattr(np, "matmul", watched)
    gradients(y, a, b)
    assert sorted(v.shape for v in made) == [(3, 4), (10, 3)]


@pytest.mark.oracle
@pytest.mark.parametrize(("left", "right"), PRODUCTS)
def test_two_derivatives_of_products_are_pytorchs(left, right):
    torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
    compare(dark.matmul, torch.matmul, left, right)


@pytest.mark.oracle
def test_two_derivatives_of_other_products_are_pytorchs():
    torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
    compare(dark.outer, torch.outer, (3,), (4,))
    compare(dark.dot, torch.dot, (3,), (3,))
    for axes, *shapes in (
        (1, (2, 3), (3, 4)), (0, (2,), (3,)), (2, (2, 3, 4), (3, 4, 2)), (((0, 2), (2, 0)), (2, 3, 4), (4, 5, 2)),
        (((2, 1), (0, 2)), (2, 3, 4), (4, 5, 3)), (((-1,), (0,)), (2, 3), (3,)),
    ):  # fmt: skip
        compare(lambda a, b: dark.tensordot(a, b, axes), lambda a, b: torch.tensordot(a, b, dims=axes), *shapes)


def test_mismatched_shapes_are_errors_that_name_the_function():
    a, v, one = dark.Parameter(np.ones((2, 3))), np.ones(2), dark.Parameter(2.0)
    with pytest.raises(ShapeError, match=r"matmul: shapes \(2, 3\) and \(2, 3\) do not match") as caught:
        a @ a
    assert "Expected: (..., n, k) and (..., k, m)" in str(caught.value) and "may need .T" in str(caught.value)
    for x, y in ((one, one), (one, v), (v, one)):
        with pytest.raises(ShapeError, match=r"matmul: shapes \(2?,?\) and \(2?,?\) do not match"):
            dark.matmul(x, y)
    with pytest.raises(ShapeError, match=r"dot: shapes \(2, 3\) and \(2,\) do not match"):
        dark.dot(a, v)
    with pytest.raises(ShapeError, match=r"dot: shapes \(\) and \(2, 3\) do not match"):
        dark.dot(one, a)
    with pytest.raises(ShapeError, match=r"dot: shapes \(1, 1, 2\) and \(2,\) do not match"):
        np.dot(np.ones((1, 1, 2)), dark.Parameter(v))
