"""Signals, and images without a batch: equal to images with one row, to a batch with one example, and to PyTorch's."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dark
from dark.errors import ShapeError, UsageError, ValueTypeError
from dark.operations.images import convolution1d
from tests.examples import examples
from tests.operations.convolution_cases import convolutions, drawn, numbers, transposed, two_derivatives
from tests.operations.test_pooling import poolings
from tests.operations.torch_comparison import compare


def of_signal(case):
    """Drop the first axis of images, filters and settings; only the second one remains."""
    *shapes, how = case
    return *[(*s[:2], s[3]) for s in shapes], {k: v[1:] if isinstance(v, tuple) else v for k, v in how.items()}


def one_row(v):
    return np.expand_dims(v, 2) if v.ndim == 3 else v


def on_rows(f, how, **neutral):
    """Return a function of signals that calls a function of images, with one row each."""
    pairs = {k: (neutral.get(k, 1), *v) if isinstance(v, tuple) else v for k, v in how.items()}
    return lambda *x: np.squeeze(f(*[one_row(v) for v in x], **pairs), 2)


@pytest.mark.parametrize("few", [0, 99], ids=["columns", "rows"])
@examples(25)
@given(case=convolutions().map(of_signal))
def test_convolution_of_signals_is_that_of_images_of_one_row_with_two_derivatives(few, case):
    x, w, how = case
    inputs = drawn(x, w, w[:1])
    before, convolution1d.FEW = convolution1d.FEW, few
    try:
        found = two_derivatives(lambda *v: dark.conv1d(*v, **how), inputs)
    finally:
        convolution1d.FEW = before
    right = two_derivatives(on_rows(dark.conv2d, how, padding=0), inputs)
    for actual, expected in zip(found, right, strict=True):
        np.testing.assert_allclose(actual, expected, rtol=1e-9, atol=1e-9)


@examples(25)
@given(case=transposed().map(of_signal))
def test_transposed_convolution_of_signals_is_that_of_images_of_one_row_with_two_derivatives(case):
    x, w, how = case
    inputs = drawn(x, w, (w[1] * how["groups"],))
    found = two_derivatives(lambda *v: dark.conv_transpose1d(*v, **how), inputs)
    right = two_derivatives(on_rows(dark.conv_transpose2d, how, padding=0, output_padding=0), inputs)
    for actual, expected in zip(found, right, strict=True):
        np.testing.assert_allclose(actual, expected, rtol=1e-9, atol=1e-9)


@pytest.mark.oracle
@examples(25)
@given(convolutions(batch=numbers).map(of_signal), st.booleans())
def test_convolution_of_signals_is_pytorchs_with_two_derivatives(case, is_single):
    torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
    x, w, how = case
    shapes = (x[is_single:], w, w[:1])
    compare(lambda *a: dark.conv1d(*a, **how), lambda *a: torch.nn.functional.conv1d(*a, **how), *shapes, rtol=1e-7)


@pytest.mark.oracle
@examples(25)
@given(transposed(batch=numbers).map(of_signal), st.booleans())
def test_transposed_convolution_of_signals_is_pytorchs_with_two_derivatives(case, is_single):
    torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
    x, w, how = case
    reference = torch.nn.functional.conv_transpose1d
    shapes = (x[is_single:], w, (w[1] * how["groups"],))
    compare(lambda *a: dark.conv_transpose1d(*a, **how), lambda *a: reference(*a, **how), *shapes, rtol=1e-7)


@pytest.mark.oracle
@examples(25)
@given(poolings().map(of_signal), st.booleans())
def test_max_pooling_of_signals_is_pytorchs_with_two_derivatives(case, is_single):
    torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
    (shape, how), reference = case, torch.nn.functional.max_pool1d
    compare(lambda x: dark.max_pool1d(x, **how), lambda x: reference(x, **how), shape[is_single:])


@pytest.mark.oracle
@examples(25)
@given(poolings(dilations=st.just((1, 1))).map(of_signal), st.booleans(), st.booleans())
def test_average_pooling_of_signals_is_pytorchs_with_two_derivatives(case, is_single, included):
    torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
    (shape, how), reference = case, torch.nn.functional.avg_pool1d
    how = {**{k: v for k, v in how.items() if k != "dilation"}, "count_include_pad": included}
    compare(lambda x: dark.avg_pool1d(x, **how), lambda x: reference(x, **how), shape[is_single:], rtol=1e-8)


@pytest.mark.oracle
@pytest.mark.parametrize("how", [{"size": 7}, {"size": 2}, {"size": 5}, {"scale_factor": 2.4}, {"scale_factor": 0.7}])
@pytest.mark.parametrize("mode", [("nearest", None), ("linear", False), ("linear", True), ("linear", None)])
def test_interpolation_of_signals_is_pytorchs_with_two_derivatives(how, mode):
    torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
    how, reference = {**how, "mode": mode[0], "align_corners": mode[1]}, torch.nn.functional.interpolate
    compare(lambda x: dark.interpolate(x, **how), lambda x: reference(x, **how), (2, 3, 5), rtol=1e-8)


def test_an_infinite_element_of_a_signal_affects_only_its_neighborhood():
    y = dark.interpolate(np.array([[[np.inf, 1.0, 3.0]]]), size=5, mode="linear", align_corners=True)
    assert y.value.ravel().tolist() == [np.inf, np.inf, 1, 2, 3]


SINGLE = {
    "conv1d": ((2, 6), (3, 2, 2)), "conv2d": ((2, 4, 5), (3, 2, 2, 3), (3,)),
    "conv_transpose1d": ((2, 3), (2, 3, 2)), "conv_transpose2d": ((2, 3, 2), (2, 3, 2, 2), (3,)),
    "max_pool1d": ((2, 6),), "max_pool2d": ((2, 4, 6),), "avg_pool1d": ((2, 6),), "avg_pool2d": ((2, 4, 6),),
}  # fmt: skip


@pytest.mark.parametrize("name", SINGLE)
def test_an_input_without_a_batch_is_a_batch_of_one(name):
    f, settings = getattr(dark, name), {"kernel_size": 2} if "pool" in name else {}
    inputs = drawn(*SINGLE[name])
    found = two_derivatives(lambda x, *filters: f(x, *filters, **settings), inputs)
    right = two_derivatives(lambda x, *filters: f(x[None], *filters, **settings)[0], inputs)
    for actual, expected in zip(found, right, strict=True):
        np.testing.assert_array_equal(actual, expected)


@pytest.mark.parametrize("name", [name for name in SINGLE if "1d" in name])
def test_functions_of_signals_keep_float32_and_accept_integers(name):
    f, settings = getattr(dark, name), {"kernel_size": 2} if "pool" in name else {}
    x, *filters = [np.ones(shape, np.float32) for shape in SINGLE[name]]
    p = dark.Parameter(x)
    y = f(p, *filters, **settings)
    y.sum().backward()
    assert y.dtype == p.grad.dtype == np.float32 and f(x.astype(int), *filters, **settings).dtype.kind == "f"


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_padding_same_keeps_the_length(size):
    x, w = drawn((2, 1, 7), (1, 1, size))
    same, whole = dark.conv1d(x, w, padding="same").value, dark.conv1d(x, w, padding=size - 1).value
    before = (size - 1) // 2
    np.testing.assert_allclose(same, whole[:, :, size - 1 - before :][:, :, :7], rtol=1e-12)


def test_the_node_of_a_signal_is_one_with_a_name():
    x, w = [dark.Parameter(v) for v in drawn((1, 1, 4), (1, 1, 2))]
    nodes = [
        dark.conv1d(x, w), dark.conv_transpose1d(x, w), dark.max_pool1d(x, 2), dark.avg_pool1d(x, 2)
    ]  # fmt: skip
    assert [node.op.label() for node in nodes] == ["conv1d", "conv_transpose1d", "max_pool1d", "avg_pool1d"]
    assert all(node.inputs[0] is x for node in nodes)


def refused(kind, text, f, *inputs, **how):
    with pytest.raises(kind, match=text):
        f(*[np.ones(v) if isinstance(v, tuple) else v for v in inputs], **how)


@pytest.mark.parametrize("name", [name for name in SINGLE if "1d" in name])
def test_shapes_that_are_not_of_signals_are_errors(name):
    f, filters = getattr(dark, name), SINGLE[name][1:]
    for shape in ((6,), (1, 2, 4, 6)):
        text = rf"{name}: wrong number of axes(.|\n)*\(batch, channels, length\), or \(channels, length\) without"
        refused(ShapeError, text, f, shape, *filters or (2,))
    refused(ValueTypeError, rf"{name}: cannot use \[\[1.0, 2.0\]\] \(list\)", f, [[1.0, 2.0]], *filters or (2,))


X, W = (2, 4, 5), (6, 4, 3)


@pytest.mark.parametrize(
    ("kind", "text", "name", "inputs", "how"),
    [
        (ShapeError, r"must have 3 axes, .* got shape \(6, 4\)(.|\n)*\(out_channels, channels / groups, length\)",
         "conv1d", (X, (6, 4)), {}),
        (ShapeError, r"must have 3 axes, .* got shape \(3,\)(.|\n)*\(channels, out_channels / groups",
         "conv_transpose1d", (X, (3,)), {}),
        (ShapeError, "conv1d: signals must have the channels of .*, 3 with .* got 4", "conv1d", (X, (6, 3, 3)), {}),
        (ShapeError, r"conv1d: the bias .* got shape \(3,\)", "conv1d", (X, W, (3,)), {}),
        (ShapeError, "a window of 5 must fit in a padded signal of length 4(.|\n)*a longer", "conv1d", ((2, 4, 2), W),
         {"padding": 1, "dilation": 2}),
        (ShapeError, "must not be empty, got size 0", "conv_transpose1d", ((1, 1, 1), (1, 1, 2)), {"padding": 1}),
        (UsageError, r"conv1d: stride must be .* got 0.\n.*one integer, at least 1", "conv1d", (X, W), {"stride": 0}),
        (UsageError, r"conv1d: padding must be .* got \(1, 1\)", "conv1d", (X, W), {"padding": (1, 1)}),
        (UsageError, r"padding must .* 'same' and stride=\(2,\)", "conv1d", (X, W), {"padding": "same", "stride": 2}),
        (ValueTypeError, "conv1d: dilation must be an integer, got 1.5", "conv1d", (X, W), {"dilation": 1.5}),
        (UsageError, r"max_pool1d: padding .* kernel_size=\(3,\), got \(2,\)", "max_pool1d", (X, 3), {"padding": 2}),
        (UsageError, "a window of signals of length 3 empty", "max_pool1d", ((1, 1, 3), 2),
         {"padding": 1, "dilation": 4}),
        (UsageError, "must fit 3 axes, got 'bilinear' and None(.|\n)*linear", "interpolate", (X,),
         {"size": 2, "mode": "bilinear"}),
        (UsageError, r"scale_factor must be .* \(1.0, 2.0\).*\n.*: a positive number\.", "interpolate", (X,),
         {"scale_factor": (1.0, 2.0)}),
        (ShapeError, "cannot resize signals of 5 to 0", "interpolate", (X,), {"size": 0}),
    ],
)  # fmt: skip
def test_other_invalid_arguments_of_signals_are_errors(kind, text, name, inputs, how):
    refused(kind, text, getattr(dark, name), *inputs, **how)
