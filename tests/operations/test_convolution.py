"""Convolution: three adjoint operations, equal to sums over slices and to PyTorch, for all settings."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dark
from dark.errors import ShapeError, UsageError, ValueTypeError
from dark.operations.images import im2col
from dark.operations.images.convolution import transposed_size
from tests.examples import examples
from tests.operations.convolution_cases import convolutions, drawn, numbers, transposed, two_derivatives
from tests.operations.torch_comparison import compare


def plain_conv2d(x, w, b, stride, padding, dilation, groups):
    """Sum slices of the padded images, weighted by each element of the filters."""
    x = dark.pad(x, ((0, 0), (0, 0), *[(p, p) for p in padding]))
    spans = [d * (k - 1) + 1 for d, k in zip(dilation, w.shape[2:])]
    starts = [range(0, n - span + 1, s) for n, span, s in zip(x.shape[2:], spans, stride)]
    parts = []
    for g in range(groups):
        channels = slice(g * w.shape[1], (g + 1) * w.shape[1])
        filters = slice(g * w.shape[0] // groups, (g + 1) * w.shape[0] // groups)
        total = 0.0
        for k, m in np.ndindex(w.shape[2:]):
            rows, cols = [slice(r[0] + t * d, r[-1] + t * d + 1, r.step) for r, t, d in zip(starts, (k, m), dilation)]
            total = total + dark.einsum("nchw,oc->nohw", x[:, channels, rows, cols], w[filters, :, k, m])
        parts.append(total)
    return dark.concatenate(parts, axis=1) + b.reshape(-1, 1, 1)


@given(convolutions())
def test_three_operations_are_adjoint_to_each_other(case):
    *shapes, how = case
    x, w = drawn(*shapes)
    y = dark.conv2d(x, w, **how).value
    z = np.random.default_rng(1).normal(size=y.shape)
    right = (y * z).sum()
    least = transposed_size(y.shape[2:], w.shape[2:], how["stride"], how["padding"], how["dilation"])
    more = tuple(np.subtract(x.shape[2:], least).tolist())
    back = dark.conv_transpose2d(z, w, output_padding=more, **how).value
    filters = dark.conv2d_weight(x, z, w.shape[2:], **how).value
    assert back.shape == x.shape and filters.shape == w.shape
    np.testing.assert_allclose((x * back).sum(), right, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose((w * filters).sum(), right, rtol=1e-9, atol=1e-9)


@examples(40)
@given(convolutions())
def test_convolution_equals_a_sum_over_slices_with_its_derivatives(case):
    *shapes, how = case
    inputs = drawn(*shapes, shapes[1][:1])
    fused = two_derivatives(lambda x, w, b: dark.conv2d(x, w, b, **how), inputs)
    plain = two_derivatives(lambda x, w, b: plain_conv2d(x, w, b, **how), inputs)
    for actual, right in zip(fused, plain):
        np.testing.assert_allclose(actual, right, rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("chunk", [1, 3000])
def test_columns_made_in_blocks_give_the_same_result(chunk, monkeypatch):
    x, w, b = drawn((3, 4, 9, 8), (6, 2, 3, 2), (6,))
    how = {"stride": (2, 1), "padding": (1, 1), "dilation": (1, 2), "groups": 2}
    right = two_derivatives(lambda x, w, b: dark.conv2d(x, w, b, **how), (x, w, b))
    monkeypatch.setattr(im2col, "CHUNK_BYTES", chunk)
    for actual, whole in zip(two_derivatives(lambda x, w, b: dark.conv2d(x, w, b, **how), (x, w, b)), right):
        np.testing.assert_allclose(actual, whole, rtol=1e-9, atol=1e-9)


def test_the_columns_of_large_images_are_never_all_in_memory(monkeypatch):
    monkeypatch.setattr(im2col, "CHUNK_BYTES", 1 << 16)
    x, w = [dark.Parameter(v) for v in drawn((1, 16, 64, 64), (16, 16, 3, 3))]
    tracemalloc.start()
    y = dark.conv2d(x, w, padding=1)
    y.backward(y.value)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 6 * y.value.nbytes  # all im2col at once are 9 times as large as the images


def test_the_batch_is_the_last_axis_in_memory_and_is_not_copied():
    x, w = drawn((5, 2, 4, 3), (3, 2, 3, 3))
    y = dark.conv2d(x, w, padding=1)
    assert y.value.transpose(1, 2, 3, 0).flags.c_contiguous
    assert np.shares_memory(im2col.batch_last(y.value), y.value)
    np.testing.assert_array_equal(
        dark.conv2d(y.value, w[:, [0, 1, 1]]).value, dark.conv2d(y.value.copy("C"), w[:, [0, 1, 1]]).value
    )


def test_an_infinite_pixel_affects_only_its_windows():
    x, w = drawn((1, 1, 6, 6), (1, 1, 3, 3))
    x[0, 0, 0, 5] = np.inf
    y = dark.conv2d(x, dark.Parameter(w))
    assert np.isinf(y.value[0, 0, 0, 3]) and np.isfinite(np.delete(y.value.ravel(), 3)).all()
    y.backward(np.ones(y.shape))
    assert np.argwhere(~np.isfinite(y.inputs[1].grad)).tolist() == [[0, 0, 0, 2]]


def test_float32_is_kept_and_dtypes_are_promoted():
    x, w, b = drawn((2, 1, 3, 3), (2, 1, 2, 2), (2,))
    small = [v.astype(np.float32) for v in (x, w, b)]
    assert dark.conv2d(*small).dtype == dark.conv_transpose2d(small[0], small[1].reshape(1, 2, 2, 2), small[2]).dtype
    assert dark.conv2d(*small).dtype == np.float32 and dark.conv2d(*small[:2], b).dtype == float
    assert dark.conv_transpose2d(*small[:1], small[1].reshape(1, 2, 2, 2), b).dtype == float
    assert dark.conv2d(np.ones((1, 1, 2, 2), int), np.ones((1, 1, 2, 2), int)).value.tolist() == [[[[4]]]]


def test_the_worked_examples_of_the_course():
    x, w = dark.Parameter(np.arange(16.0).reshape(1, 1, 4, 4)), dark.Parameter(np.ones((1, 1, 3, 3)))
    y = dark.conv2d(x, w)
    y.sum().backward()
    assert y.value.ravel().tolist() == [45, 54, 81, 90]
    assert w.grad.ravel().tolist() == [10, 14, 18, 26, 30, 34, 42, 46, 50]
    assert x.grad[0, 0].tolist() == [[1, 2, 2, 1], [2, 4, 4, 2], [2, 4, 4, 2], [1, 2, 2, 1]]
    x = np.array([[[[1.0, 2.0], [3.0, 4.0]]]])
    np.testing.assert_array_equal(dark.conv_transpose2d(x, x, stride=2).value[0, 0], np.kron(x[0, 0], x[0, 0]))
    one = np.ones((1, 1, 1, 1))
    assert dark.conv_transpose2d(np.ones((1, 1, 3, 3)), one, stride=2, padding=1).shape == (1, 1, 3, 3)
    assert dark.conv_transpose2d(np.ones((1, 1, 3, 3)), np.ones((1, 1, 2, 3))).shape == (1, 1, 4, 5)


@pytest.mark.oracle
@examples(40)
@given(convolutions(batch=numbers), st.booleans())
def test_convolution_is_pytorchs_with_two_derivatives(case, with_bias):
    torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
    x, w, how = case
    shapes = (x, w, w[:1]) if with_bias else (x, w)
    compare(lambda *a: dark.conv2d(*a, **how), lambda *a: torch.nn.functional.conv2d(*a, **how), *shapes, rtol=1e-7)


@pytest.mark.oracle
@examples(40)
@given(transposed(batch=numbers), st.booleans())
def test_transposed_convolution_is_pytorchs_with_two_derivatives(case, with_bias):
    torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
    x, w, how = case
    shapes = (x, w, (w[1] * how["groups"],)) if with_bias else (x, w)
    reference = torch.nn.functional.conv_transpose2d
    compare(lambda *a: dark.conv_transpose2d(*a, **how), lambda *a: reference(*a, **how), *shapes, rtol=1e-7)


@given(transposed())
def test_an_empty_batch_gives_an_empty_batch_and_zero_gradients(case):
    *shapes, how = case
    x, w = [dark.Parameter(v) for v in drawn((0, *shapes[0][1:]), shapes[1])]
    y = dark.conv_transpose2d(x, w, **how)
    y.backward(np.ones(y.shape))
    assert y.shape[0] == 0 and x.grad.shape == x.shape and not w.grad.any()


@pytest.mark.oracle
@pytest.mark.parametrize("size", [(3, 3), (2, 4), (1, 2), (5, 1)])
@pytest.mark.parametrize("dilation", [1, (2, 3)])
@pytest.mark.filterwarnings("ignore:Using padding='same':UserWarning")
def test_padding_same_and_valid_are_pytorchs(size, dilation):
    torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
    for word in ("same", "valid"):
        how = {"padding": word, "dilation": dilation}
        conv = torch.nn.functional.conv2d
        compare(lambda x, w: dark.conv2d(x, w, **how), lambda x, w: conv(x, w, **how), (2, 2, 13, 11), (3, 2, *size))


def refused(kind, text, f, *shapes, **how):
    with pytest.raises(kind, match=text):
        f(*[np.ones(shape) for shape in shapes], **how)


def test_shapes_that_do_not_match_are_errors():
    x, w, f = (2, 4, 5, 5), (6, 4, 3, 3), dark.conv2d
    refused(
        ShapeError,
        r"conv2d: wrong number of axes, got an input of shape \(5, 5\)(.|\n)*"
        r"\(batch, channels, height, width\), or \(channels, height, width\)"
        r"(.|\n)*x\[None\]",
        f,
        x[2:],
        w,
    )
    refused(ShapeError, r"conv2d: wrong number of axes, got an input of shape \(1, 2, 4, 5, 5\)", f, (1, *x), w)
    refused(ShapeError, "conv2d: images must have the channels of the filters, 4 with groups=1, got 2", f, (2, 5, 5), w)
    refused(ShapeError, r"conv2d: the filters must have 4 axes, .* got shape \(3, 3\)", f, x, w[2:])
    refused(ShapeError, r"conv2d: the filters must have 4 axes, .* got shape \(6, 4, 0, 3\)", f, x, (6, 4, 0, 3))
    refused(ShapeError, "conv2d: images must have the channels of the filters, 3 with .* got 4", f, x, (6, 3, 3, 3))
    refused(ShapeError, r"images must have the channels of the filters, 8 with groups=2", f, x, w, groups=2)
    refused(ShapeError, "conv2d: groups must divide the numbers of channels, 4 in and 6 out, got 3", f, x, w, groups=3)
    refused(ShapeError, "conv2d: groups must divide .* got 0", f, x, w, groups=0)
    refused(ShapeError, r"conv2d: the bias must have one axis of length 6, got shape \(6, 1\)", f, x, w, (6, 1))
    refused(
        ShapeError,
        "conv2d: a window of 3 x 5 must fit in a padded image of 5 x 2",
        f,
        (1, 4, 5, 0),
        w,
        padding=(0, 1),
        dilation=(1, 2),
    )
    refused(
        ShapeError,
        "conv_transpose2d: images must have the channels of the filters, 6 with .* got 4",
        dark.conv_transpose2d,
        x,
        w,
    )
    refused(ShapeError, r"conv_transpose2d: the bias .* got shape \(4,\)", dark.conv_transpose2d, x, (4, 6, 3, 3), (4,))
    refused(
        ShapeError,
        "the result must not be empty, got size 1 x 0",
        dark.conv_transpose2d,
        (1, 1, 1, 1),
        (1, 1, 3, 2),
        padding=1,
    )
    refused(
        ShapeError,
        r"conv2d_weight: outputs must .* got \(2, 6, 5, 5\)(.|\n)*\(2, 6, 3, 3\)",
        dark.conv2d_weight,
        x,
        (2, 6, 5, 5),
        kernel_size=3,
    )


def test_invalid_settings_are_errors():
    x, w, f = (2, 4, 5, 5), (6, 4, 3, 3), dark.conv2d
    refused(UsageError, r"conv2d: stride must be .*, got 0.\n.*each at least 1", f, x, w, stride=0)
    refused(UsageError, r"conv2d: padding must be .* got \(1, 1, 1\)", f, x, w, padding=(1, 1, 1))
    refused(UsageError, "conv2d: padding must be .* got -1", f, x, w, padding=-1)
    refused(UsageError, "conv2d: padding must .* got 'full'", f, x, w, padding="full")
    refused(UsageError, r"conv2d: padding must be .* got 'same' and stride=\(2, 2\)", f, x, w, padding="same", stride=2)
    refused(ValueTypeError, "conv2d: dilation must be an integer, got 1.5", f, x, w, dilation=1.5)
    refused(
        UsageError,
        r"output_padding must be less than stride=\(1, 1\) or",
        dark.conv_transpose2d,
        x,
        (4, 6, 3, 3),
        output_padding=1,
    )


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("stride", [(1, 1), (2, 1)])
@pytest.mark.parametrize("dilation", [(1, 1), (1, 2), (2, 1)])
@pytest.mark.parametrize("groups", [1, 2])
def test_products_by_column_have_the_values_of_one_product(dtype, stride, dilation, groups, monkeypatch):
    rng = np.random.default_rng(0)
    x, w = rng.normal(size=(64, 16, 9, 7)).astype(dtype), rng.normal(size=(24, 16 // groups, 3, 3)).astype(dtype)
    settings = {"stride": stride, "padding": (1, 2), "dilation": dilation, "groups": groups}
    by_column = im2col.correlate(x, w, np.zeros(24, dtype), **settings)
    assert 24 // groups * 64 * 144 // groups > im2col.SMALL_PRODUCT[0]
    monkeypatch.setattr(im2col, "SMALL_PRODUCT", (0, 0))
    at_once = im2col.correlate(x, w, np.zeros(24, dtype), **settings)
    rounding = {"rtol": 1e-5, "atol": 2e-5} if dtype is np.float32 else {"rtol": 1e-13, "atol": 1e-13}
    np.testing.assert_allclose(by_column, at_once, **rounding)  # the bits are those of BLAS, which differ by processor
    assert by_column.strides == at_once.strides
