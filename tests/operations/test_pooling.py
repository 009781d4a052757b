"""Pooling: equal to slices and to PyTorch for all settings; ties, borders, errors."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import dark
from dark.errors import ShapeError, UsageError, ValueTypeError
from dark.operations.images.image_checks import windows
from tests.examples import examples
from tests.operations import images
from tests.operations.convolution_cases import drawn, numbers, pairs, two_derivatives
from tests.operations.torch_comparison import compare


@st.composite
def poolings(draw, dilations=pairs):
    """Draw the shape of images, and valid settings of a window."""
    size, dilation = draw(pairs), draw(dilations)
    spans = [d * (k - 1) + 1 for k, d in zip(size, dilation)]
    padding = tuple([draw(st.integers(0, k // 2)) for k in size])
    stride, ceil_mode = draw(pairs), draw(st.booleans())
    image = [max(1, span - 2 * p) + draw(st.integers(0, 4)) for span, p in zip(spans, padding)]
    for window, n in zip(windows(size, stride, padding, dilation), image):
        assume(not window.has_empty_window(n, window.count(n, ceil_mode)))
    how = {"kernel_size": size, "stride": stride, "padding": padding, "ceil_mode": ceil_mode}
    return (draw(numbers), draw(numbers), *image), {**how, "dilation": dilation}


def slices(x, how, fill):
    """Yield for each element of a window its slice of the padded images, as nodes."""
    along = zip(x.shape[2:], how["kernel_size"], how["stride"], how["padding"], how["dilation"])
    starts, borders = [], []
    for n, k, s, p, d in along:
        room = n + 2 * p - d * (k - 1) - 1
        m = (-(-room // s) if how["ceil_mode"] else room // s) + 1
        starts.append(range(0, (m - ((m - 1) * s >= n + p)) * s, s))
        borders.append((p, max(0, starts[-1][-1] + d * (k - 1) + 1 - n - p)))
    x = dark.pad(x, ((0, 0), (0, 0), *borders), constant_values=fill)
    for places in np.ndindex(how["kernel_size"]):
        shifts = [t * d for t, d in zip(places, how["dilation"])]
        rows, cols = [slice(r[0] + t, r[-1] + t + 1, r.step) for r, t in zip(starts, shifts)]
        yield x[:, :, rows, cols]


@examples(50)
@given(poolings())
def test_max_pooling_equals_maxima_of_slices_with_its_derivatives(case):
    shape, how = case
    fused = two_derivatives(lambda x: dark.max_pool2d(x, **how), drawn(shape))
    plain = two_derivatives(lambda x: dark.max(dark.stack(list(slices(x, how, -1e9))), axis=0), drawn(shape))
    for actual, right in zip(fused, plain):
        np.testing.assert_allclose(actual, right, rtol=1e-10, atol=1e-10)


@examples(50)
@given(poolings(dilations=st.just((1, 1))), st.booleans())
def test_average_pooling_equals_means_of_slices_with_its_derivatives(case, included):
    shape, how = case

    def plain(x):
        counted = {k: v for k, v in how.items() if k != "dilation"}
        ones = images.avg_pool2d(np.ones(shape), **counted, count_include_pad=included)
        inside = sum(s.value for s in slices(dark.Constant(np.ones(shape)), how, 0.0))
        return sum(slices(x, how, 0.0), start=0.0) * (ones / inside)

    counted = {k: v for k, v in how.items() if k != "dilation"}
    fused = two_derivatives(lambda x: dark.avg_pool2d(x, **counted, count_include_pad=included), drawn(shape))
    for actual, right in zip(fused, two_derivatives(plain, drawn(shape))):
        np.testing.assert_allclose(actual, right, rtol=1e-9, atol=1e-9)


@pytest.mark.oracle
@examples(50)
@given(poolings())
def test_max_pooling_is_pytorchs_with_two_derivatives(case):
    torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
    shape, how = case
    compare(lambda x: dark.max_pool2d(x, **how), lambda x: torch.nn.functional.max_pool2d(x, **how), shape)


@pytest.mark.oracle
@examples(50)
@given(poolings(dilations=st.just((1, 1))), st.booleans())
def test_average_pooling_is_pytorchs_with_two_derivatives(case, included):
    torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
    shape, how = case
    how = {**{k: v for k, v in how.items() if k != "dilation"}, "count_include_pad": included}
    reference = torch.nn.functional.avg_pool2d
    compare(lambda x: dark.avg_pool2d(x, **how), lambda x: reference(x, **how), shape, rtol=1e-8)


@pytest.mark.oracle
@examples(60)
@given(poolings(), st.integers(0, 99))
def test_the_first_of_equal_maxima_gets_the_gradient_as_in_pytorch(case, seed):
    torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
    shape, how = case
    rng = np.random.default_rng(seed)
    x = dark.Parameter(rng.choice([-np.inf, 0.0, 1.0], shape))
    y, reference = dark.max_pool2d(x, **how), torch.tensor(x.value, requires_grad=True)
    z, g = torch.nn.functional.max_pool2d(reference, **how), rng.integers(1, 9, y.shape).astype(float)
    y.backward(g, create_graph=True)
    recorded, x.grad = x.grad.value, None
    y.backward(g)
    z.backward(torch.tensor(g))
    np.testing.assert_array_equal(y.value, z.detach().numpy())
    np.testing.assert_array_equal(x.grad, reference.grad.numpy())
    np.testing.assert_array_equal(recorded, x.grad)


def test_the_worked_examples_of_the_course():
    x = np.arange(25.0).reshape(1, 1, 5, 5)
    assert dark.max_pool2d(x, 3, 2).value.ravel().tolist() == [12, 14, 22, 24]
    assert dark.max_pool2d(x[:, :, :4, :4], 2, 1).value.ravel().tolist() == [6, 7, 8, 11, 12, 13, 16, 17, 18]
    assert dark.max_pool2d(np.arange(16.0).reshape(1, 1, 4, 4), 2, 1).value.ravel().tolist() == [
        5,
        6,
        7,
        9,
        10,
        11,
        13,
        14,
        15,
    ]
    assert dark.max_pool2d(x, 2).shape == (1, 1, 2, 2) and dark.max_pool2d(x, 2, ceil_mode=True).shape == (1, 1, 3, 3)


@pytest.mark.parametrize("pool", [dark.max_pool2d, dark.avg_pool2d])
def test_pooling_keeps_memory_order_and_dtype(pool):
    x = np.ones((4, 3, 2, 5), np.float32).transpose(3, 0, 1, 2)  # the batch innermost, as a convolution leaves it
    p = dark.Parameter(np.ones((5, 4, 3, 2), np.float32))
    y = pool(p * x, (2, 1))
    assert y.dtype == np.float32 and pool(x, 1).value.transpose(1, 2, 3, 0).flags.c_contiguous
    assert pool(x.astype(int), 2).dtype == float


@pytest.mark.parametrize("pool", [dark.max_pool2d, dark.avg_pool2d])
def test_invalid_arguments_of_pooling_are_errors(pool):
    x, who = np.ones((1, 1, 4, 4)), pool.__name__
    with pytest.raises(ShapeError, match=rf"{who}: wrong number of axes, got an input of shape \(4, 4\)"):
        pool(x[0, 0], 2)
    with pytest.raises(ShapeError, match=rf"{who}: a window of 5 x 2 must fit in a padded image of 4 x 4"):
        pool(x, (5, 2))
    with pytest.raises(UsageError, match=rf"{who}: padding .* half of kernel_size=\(3, 3\), got \(2, 2\)"):
        pool(x, 3, padding=2)
    with pytest.raises(UsageError, match=f"{who}: kernel_size must be .* got 0"):
        pool(x, 0)
    with pytest.raises(UsageError, match=f"{who}: stride must be .* got 0"):
        pool(x, 2, 0)
    with pytest.raises(ValueTypeError, match=f"{who}: kernel_size must be an integer, got 2.0"):
        pool(x, 2.0)


def test_an_empty_window_is_an_error():
    with pytest.raises(
        UsageError, match=r"dilation=\(1, 4\) and padding=\(0, 1\) must not leave a window of 1 x 3 images"
    ):
        dark.max_pool2d(np.ones((1, 1, 1, 3)), (1, 2), padding=(0, 1), dilation=(1, 4))
