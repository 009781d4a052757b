"""Reductions: NumPy's values along all axes, PyTorch's derivatives, errors."""

import itertools

import numpy as np
import pytest

import dark
from dark.errors import ShapeError, UsageError, ValueTypeError
from tests.operations.torch_comparison import compare

REDUCTIONS = ("sum", "mean", "var", "std", "max", "min", "prod", "logsumexp", "vector_norm")
AXES = (None, 0, -1, (0, 2), (-1, 0), (0, 1, 2), ())


def numpys(name):
    return np.linalg.vector_norm if name == "vector_norm" else getattr(np, name)


@pytest.mark.parametrize("name", [n for n in REDUCTIONS if n != "logsumexp"])
def test_values_are_numpys_along_all_axes(name):
    x = np.random.default_rng(0).normal(size=(2, 3, 4))
    for axis, keepdims in itertools.product(AXES, (False, True)):
        if name == "vector_norm" and axis == ():
            continue  # NumPy's own fails there
        y = getattr(dark, name)(dark.Parameter(x), axis=axis, keepdims=keepdims)
        right = numpys(name)(x, axis=axis, keepdims=keepdims)
        np.testing.assert_allclose(y.value, right, rtol=1e-14)
        assert y.shape == np.shape(right) and y.op.__name__.lower() == name.replace("_", "")


@pytest.mark.parametrize("name", [n for n in REDUCTIONS if n != "logsumexp"])
def test_numpys_functions_work_on_nodes(name):
    x = dark.Parameter(np.arange(6.0).reshape(2, 3))
    y = numpys(name)(x, axis=1, keepdims=True)
    np.testing.assert_allclose(y.value, numpys(name)(x.value, axis=1, keepdims=True))
    assert isinstance(y, dark.Node) and y.requires_grad


def test_numpys_aliases_and_methods_work_on_nodes():
    x = dark.Parameter(np.array([[1.0, 2.0], [4.0, 3.0]]))
    assert np.amax(x).value == x.max().value == 4 and np.amin(x).value == x.min().value == 1
    assert np.linalg.norm(x).value == np.linalg.norm(x.value)
    np.testing.assert_array_equal(np.linalg.norm(x, 1, axis=0).value, [5, 5])
    np.testing.assert_array_equal(np.cumsum(x, 0).value, [[1, 2], [5, 5]])
    np.testing.assert_array_equal(np.var(x, 0, ddof=1).value, np.var(x.value, 0, ddof=1))


@pytest.mark.parametrize("name", [*REDUCTIONS, "cumsum"])
def test_float32_and_floats_are_kept(name):
    x = dark.Parameter(np.arange(1, 7, dtype=np.float32).reshape(2, 3))
    y = getattr(dark, name)(x, axis=0)
    y.backward(np.ones(y.shape, np.float32))
    assert y.dtype == x.grad.dtype == np.float32
    if name != "cumsum":
        p = dark.Parameter(3.0)
        z = getattr(dark, name)(p)
        z.backward()
        assert type(z.value) is type(p.grad) is float


def test_backward_passes_accumulate():  # 2, 6, 12 in an earlier framework
    x = dark.Parameter(np.ones(2))
    y = dark.sum(x * x)
    for times in (1, 2, 3):
        y.backward()
        np.testing.assert_array_equal(x.grad, 2.0 * times)


def test_the_gradient_of_a_sum_is_writable():
    x = dark.Parameter(np.ones((2, 2)))
    y = x * 1.0
    (dark.sum(y) + dark.sum(y, axis=0)[0] + dark.mean(y)).backward()
    np.testing.assert_array_equal(x.grad, [[2.25, 1.25], [2.25, 1.25]])


@pytest.mark.parametrize("name", [*REDUCTIONS, "cumsum"])
def test_an_invalid_axis_is_an_error_that_names_the_function(name):
    f, x = getattr(dark, name), dark.Parameter(np.ones((2, 3)))
    with pytest.raises(ShapeError, match=rf"{name}: axis 2 is out of bounds for shape \(2, 3\)"):
        f(x, axis=2)
    with pytest.raises(ValueTypeError, match=rf"{name}: axis must be an integer, got 'a' \(str\)"):
        f(x, axis="a")
    with pytest.raises(ShapeError, match=f"{name}: axis 0 is out of bounds"):
        f(3.0, axis=0)
    with pytest.raises(ValueTypeError, match=r"cannot use \[1.0, 2.0\] \(list\) as a value"):
        f([1.0, 2.0])


@pytest.mark.parametrize("name", REDUCTIONS)
def test_duplicate_axes_and_a_misplaced_dtype_are_errors(name):
    f, x = getattr(dark, name), dark.Parameter(np.ones((2, 3)))
    with pytest.raises(ShapeError, match=rf"{name}: duplicate axes in \(1, -1\)"):
        f(x, axis=(1, -1))
    with pytest.raises(ValueTypeError, match=f"{name}: keepdims must be a bool, got .*float32") as caught:
        f(x, axis=0, keepdims=np.float32)
    assert "Expected: True or False." in str(caught.value)


def test_the_maximum_of_an_empty_array_is_an_error():
    with pytest.raises(ShapeError, match=r"max: invalid shape \(0,\): zero-size array") as caught:
        dark.max(np.zeros(0))
    assert "with at least one element" in str(caught.value)


def test_orders_of_norms_that_do_not_exist_are_errors():
    x = np.ones((2, 2, 2))
    with pytest.raises(ShapeError, match=r"norm: ord must be None along 3 axes, got 2 \(int\)") as e:
        dark.norm(x, 2)
    assert "vector_norm" in str(e.value)
    for ord in ("nuk", 3, 0.5, 0, True):
        with pytest.raises((UsageError, ValueTypeError), match="norm: "):
            dark.norm(x[0], ord)
    with pytest.raises(UsageError, match="matrix_norm: invalid ord 'nuk'"):
        dark.matrix_norm(x, ord="nuk")
    with pytest.raises(ShapeError, match="matrix_norm: shape"):
        dark.matrix_norm(x[0, 0])
    with pytest.raises(ValueTypeError, match="vector_norm: ord must be a number, got 'fro'"):
        dark.vector_norm(x, ord="fro")
    assert dark.vector_norm(x[0], ord=1).value == 4


@pytest.mark.oracle
@pytest.mark.parametrize("name", [*REDUCTIONS, "cumsum"])
def test_values_and_two_derivatives_are_pytorchs(name):
    torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
    named = {"max": torch.amax, "min": torch.amin, "vector_norm": torch.linalg.vector_norm, "cumsum": torch.cumsum}
    reference = named.get(name) or getattr(torch, name)
    more = {"correction": 0} if name in ("var", "std") else {}
    for axis in (0, -1) if name in ("prod", "cumsum") else (0, -1, (0, 2), (2, 1)):
        actual = lambda x: getattr(dark, name)(x, axis=axis)
        compare(actual, lambda t: reference(t, dim=axis, **more), (2, 3, 4), rtol=1e-9)
