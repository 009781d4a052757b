"""Interpolation of images: PyTorch's values for all sizes, the product with two matrices, errors."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dark
from dark.errors import ShapeError, UsageError, ValueTypeError
from dark.operations.images.interpolation import interpolation_matrix
from tests.examples import examples
from tests.operations.convolution_cases import drawn, two_derivatives
from tests.operations.torch_comparison import compare

lengths = st.tuples(st.integers(1, 7), st.integers(1, 7))
modes = st.sampled_from([("nearest", None), ("bilinear", False), ("bilinear", True)])
factors = st.floats(0.3, 4.0).map(lambda f: round(f, 2))


@examples(50)
@given(lengths, lengths, modes)
def test_interpolation_equals_a_matrix_product_on_each_side(old, new, mode):
    down, across = [interpolation_matrix(n, m, None, *mode) for n, m in zip(old, new)]
    np.testing.assert_allclose(down.sum(1), 1.0)  # each place of the result is a mean
    fused = two_derivatives(
        lambda x: dark.interpolate(x, new, mode=mode[0], align_corners=mode[1]), drawn((2, 3, *old))
    )
    plain = two_derivatives(lambda x: down @ x @ across.T, drawn((2, 3, *old)))
    for actual, right in zip(fused, plain):
        np.testing.assert_allclose(actual, right, rtol=1e-9, atol=1e-9)


@pytest.mark.oracle
@given(lengths, lengths, modes)
def test_interpolation_to_a_size_is_pytorchs_with_two_derivatives(old, new, mode):
    torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
    how = {"size": new, "mode": mode[0], "align_corners": mode[1]}
    compare(
        lambda x: dark.interpolate(x, **how),
        lambda x: torch.nn.functional.interpolate(x, **how),
        (2, 1, *old),
        rtol=1e-8,
    )


@pytest.mark.oracle
@given(lengths, st.tuples(factors, factors), modes)
def test_interpolation_by_scale_factors_is_pytorchs(old, factor, mode):
    torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
    if any(n * f < 1 for n, f in zip(old, factor)):
        return
    how = {"scale_factor": factor, "mode": mode[0], "align_corners": mode[1]}
    (x,) = drawn((1, 2, *old))
    right = torch.nn.functional.interpolate(torch.tensor(x), **how).numpy()
    np.testing.assert_allclose(dark.interpolate(x, **how).value, right, rtol=1e-9, atol=1e-12)


def test_the_worked_example_of_the_course():
    x = dark.Parameter(np.ones((1, 1, 2, 2)))
    (dark.interpolate(x, scale_factor=2) * np.arange(16.0).reshape(1, 1, 4, 4)).sum().backward()
    assert x.grad.ravel().tolist() == [10, 18, 42, 50]


def test_images_may_shrink_and_an_infinite_pixel_stays_local():
    x = np.zeros((1, 1, 4, 4), np.float32)
    x[0, 0, 3, 3] = np.inf
    for how in ({"mode": "nearest"}, {"mode": "bilinear"}):
        y = dark.interpolate(x, scale_factor=2, **how)
        assert y.dtype == np.float32 and np.isfinite(y.value[0, 0, :5, :5]).all()
    assert dark.interpolate(x, size=1).shape == (1, 1, 1, 1)
    assert dark.interpolate(np.ones((1, 1, 2, 2), int), size=3, mode="bilinear").value.ravel().tolist() == [1.0] * 9


def test_invalid_arguments_of_interpolate_are_errors():
    x = np.ones((1, 1, 4, 4))
    with pytest.raises(ShapeError, match=r"interpolate: wrong number of axes, got an input of shape \(4, 4\)"):
        dark.interpolate(x[0, 0], 2)
    with pytest.raises(UsageError, match="scale_factor must be None, got None and None"):
        dark.interpolate(x)
    with pytest.raises(UsageError, match="scale_factor must be None, got 2 and 2"):
        dark.interpolate(x, 2, 2)
    with pytest.raises(UsageError, match=r"interpolate: mode and .* got 'cubic' and None(.|\n)*bilinear"):
        dark.interpolate(x, 2, mode="cubic")
    with pytest.raises(UsageError, match="must fit 4 axes, got 'nearest' and True"):
        dark.interpolate(x, 2, align_corners=True)
    for factor in (0, -1.0, "2", (1, 2, 3), np.inf):
        with pytest.raises(UsageError, match="interpolate: scale_factor must be positive and finite"):
            dark.interpolate(x, scale_factor=factor)
    with pytest.raises(ShapeError, match="images of 4 x 4 to 0 x 4"):
        dark.interpolate(x, scale_factor=(0.2, 1))
    with pytest.raises(ValueTypeError, match="interpolate: size must be"):
        dark.interpolate(x, 2.5)
