"""Softmax and log-softmax: results sum to 1, no overflow, PyTorch's derivatives."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import dark
from dark.errors import ShapeError
from tests.operations.torch_comparison import compare

large = arrays.arrays(float, arrays.array_shapes(max_dims=3), elements=st.floats(-1000, 1000))


@given(x=large, shift=st.sampled_from([0, 1, -1000, 1000]), data=st.data())
def test_softmax_sums_to_one_and_is_shift_invariant(x, shift, data):
    axis = data.draw(st.one_of(st.none(), st.integers(-x.ndim, x.ndim - 1)))
    y = dark.softmax(x + shift, axis).value
    np.testing.assert_allclose(np.sum(y, axis=axis), 1.0, rtol=1e-12)
    np.testing.assert_allclose(y, dark.softmax(x, axis).value, rtol=1e-9, atol=1e-300)  # below it digits are lost
    np.testing.assert_allclose(np.exp(dark.log_softmax(x, axis).value), y, rtol=1e-9, atol=1e-300)


@given(x=large)
def test_the_gradient_of_softmax_sums_to_zero(x):
    for f in (dark.softmax, dark.log_softmax):
        p = dark.Parameter(x)
        f(p).backward(gradient=np.arange(1.0, 1 + x.size).reshape(x.shape))
        assert np.isfinite(p.grad).all()
        np.testing.assert_allclose(np.sum(p.grad, axis=-1), 0.0, atol=1e-9 * x.size**2)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_log_softmax_is_accurate_for_large_differences(dtype):
    x = dark.Parameter(np.array([[1000, 0], [-1000, -1000], [-1000, 1000]], dtype))
    y = dark.log_softmax(x)
    y.sum().backward()
    assert y.value.dtype == x.grad.dtype == dtype
    np.testing.assert_allclose(y.value, [[0, -1000], [-np.log(2), -np.log(2)], [-2000, 0]], rtol=1e-6)
    assert x.grad.tolist() == [[-1, 1], [0, 0], [1, -1]]


def test_minus_infinity_gets_probability_and_gradient_zero():
    x = dark.Parameter(np.array([0.0, -np.inf, 0.0]))
    y = dark.softmax(x)
    y.backward(gradient=np.array([1.0, 5.0, 0.0]))
    assert y.value.tolist() == [0.5, 0, 0.5] and x.grad.tolist() == [0.25, 0, -0.25]

    x.grad = None
    z = dark.log_softmax(x)
    z[0].backward(create_graph=True)
    assert z.value[1] == -np.inf and x.grad.value.tolist() == [0.5, 0, -0.5]
    first, x.grad = x.grad, None
    first[0].backward()
    assert x.grad.tolist() == [-0.25, 0, 0.25]


@pytest.mark.parametrize("f", [dark.softmax, dark.log_softmax])
@pytest.mark.parametrize("x", [[-np.inf, -np.inf], [np.inf, np.inf]])
def test_softmax_of_infinities_is_nan(f, x):
    with np.errstate(invalid="ignore"):
        assert np.isnan(f(np.array(x)).value).all()


@pytest.mark.parametrize("f", [dark.softmax, dark.log_softmax])
def test_integers_scalars_and_empty_arrays_are_accepted(f):
    right = f(np.array([1.0, 2.0])).value
    np.testing.assert_array_equal(f(np.array([1, 2])).value, right)
    assert type(f(3.0, axis=None).value) is float
    assert f(np.zeros((0, 3)), axis=0).shape == (0, 3)
    with pytest.raises(ShapeError, match=r"softmax: axis 2 is out of bounds for shape \(2, 3\)"):
        f(np.ones((2, 3)), axis=2)


@pytest.mark.oracle
@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize("name", ["softmax", "log_softmax"])
def test_value_gradient_and_second_derivative_are_pytorchs(name, axis):
    compare(lambda x: getattr(dark, name)(x, axis), lambda x: getattr(x, name)(axis), (2, 3, 4))


@pytest.mark.oracle
@given(x=arrays.arrays(float, (2, 3), elements=st.sampled_from([0.0, 1.0, 1000.0, -1000.0, -np.inf])))
def test_softmax_is_pytorchs_with_infinities(x):
    torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
    for name in ("softmax", "log_softmax"):
        with np.errstate(invalid="ignore"):
            y = getattr(dark, name)(x).value
        np.testing.assert_allclose(y, getattr(torch.tensor(x), name)(-1).numpy(), rtol=1e-12)
