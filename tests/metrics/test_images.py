"""SSIM and PSNR: values, compared with a direct computation and with Ignite, conventions and errors."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.signal import correlate

from dark.errors import NotComputableError, ShapeError, UsageError, ValueTypeError
from dark.metrics import PSNR, SSIM

few = settings(max_examples=5, deadline=None)
seeds = st.integers(0, 999)


def pair(seed, *shape):
    """Return two similar batches of images."""
    rng = np.random.default_rng(seed)
    y = rng.random(shape)
    return np.clip(y + rng.normal(0, 0.1, shape), 0, 1), y


def result(metric, *output):
    metric.update(output)
    return metric.compute()


def window(size, sigma, ndims):
    """Return a Gaussian window of several axes, from its definition."""
    places = np.indices((size,) * ndims) - size // 2
    weights = np.exp(-(places**2).sum(axis=0) / (2 * sigma**2))
    return weights / weights.sum()


def terms(x, y, weights, data_range=1.0):
    """Return luminance and contrast-structure of one channel, window by window."""

    def smooth(image):
        return correlate(image, weights, mode="valid", method="direct")

    c1, c2 = (0.01 * data_range) ** 2, (0.03 * data_range) ** 2
    a, b = smooth(x), smooth(y)
    variances, covariance = smooth(x**2) - a**2 + smooth(y**2) - b**2, smooth(x * y) - a * b
    return (2 * a * b + c1) / (a**2 + b**2 + c1), (2 * covariance + c2) / (variances + c2)


@pytest.mark.parametrize("ndims", [2, 3])
@few
@given(seed=seeds)
def test_similarity_is_the_mean_over_windows_around_all_pixels(ndims, seed):
    x, y = pair(seed, 2, 2, *(9, 7, 8)[:ndims])
    weights = window(5, 1.5, ndims)
    expected = []
    for a, b in zip(x.reshape(4, *x.shape[2:]), y.reshape(4, *y.shape[2:])):
        luminance, rest = terms(np.pad(a, 2, mode="reflect"), np.pad(b, 2, mode="reflect"), weights)
        expected.append((luminance * rest).mean())
    assert result(SSIM(1.0, 5, ndims=ndims), x, y) == pytest.approx(np.mean(expected), rel=1e-10)


@few
@given(seed=seeds)
def test_multiscale_similarity_is_a_product_over_scales(seed):
    x, y = pair(seed, 2, 3, 17, 22)
    betas, expected = (0.2, 0.3, 0.5), []
    for a, b in zip(x.reshape(6, 17, 22), y.reshape(6, 17, 22)):
        score = 1.0
        for beta in betas:
            luminance, rest = terms(a, b, window(3, 1.5, 2))
            score *= max(0, (luminance * rest if beta == betas[-1] else rest).mean()) ** beta
            rows, columns = (n // 2 * 2 for n in a.shape)
            a, b = (
                (i[:rows:2, :columns:2] + i[1:rows:2, :columns:2] + i[:rows:2, 1:columns:2] + i[1:rows:2, 1:columns:2])
                / 4
                for i in (a, b)
            )
        expected.append(score)
    found = result(SSIM(1.0, 3, multiscale=True, betas=betas), x, y)
    assert found == pytest.approx(np.mean(expected), rel=1e-10)


@pytest.mark.parametrize("settings", [{}, {"gaussian": False}, {"kernel_size": [3, 5], "sigma": [0.5, 2.0]}])
def test_similarity_of_equal_images_is_one_and_it_is_symmetric(settings):
    x, y = pair(1, 3, 1, 16, 16)
    assert result(SSIM(1.0, **settings), y, y) == pytest.approx(1, abs=1e-12)
    assert result(SSIM(1.0, **settings), x, y) == pytest.approx(result(SSIM(1.0, **settings), y, x), rel=1e-12)
    assert result(SSIM(1.0, **settings), x, y) < 0.99


def test_similarity_does_not_depend_on_the_unit():
    x, y = (np.round(255 * images) for images in pair(2, 2, 3, 12, 12))
    whole = result(SSIM(255), x.astype(np.uint8), y.astype(np.uint8))
    assert result(SSIM(1.0), x / 255, y / 255) == pytest.approx(whole, rel=1e-10)


def test_an_anticorrelated_pair_has_the_multiscale_similarity_zero():
    y = np.random.default_rng(3).random((1, 1, 12, 12))
    assert result(SSIM(1.0, 3, multiscale=True, betas=(0.5, 0.5)), 1 - y, y) == 0


@few
@given(seed=seeds)
def test_signal_to_noise_ratio_is_the_mean_over_images(seed):
    x, y = pair(seed, 3, 2, 5, 4)
    expected = [20 * np.log10(2 / np.sqrt(np.mean((a - b) ** 2))) for a, b in zip(x, y)]
    assert result(PSNR(2), x, y) == pytest.approx(np.mean(expected), rel=1e-6)


def test_equal_images_have_a_finite_ratio():
    assert result(PSNR(1.0), np.ones((2, 3)), np.ones((2, 3))) == pytest.approx(100)


def test_small_dtypes_do_not_overflow():
    x, y = np.full((1, 4), 255, np.uint8), np.zeros((1, 4), np.uint8)
    assert result(PSNR(255), x, y) == pytest.approx(0, abs=1e-12)


@pytest.mark.long
@pytest.mark.oracle
@pytest.mark.parametrize("kernel_size, gaussian", [(11, True), ((7, 3), True), (5, False)])
def test_values_are_those_of_ignite(kernel_size, gaussian):
    torch, ignite = pytest.importorskip("torch"), pytest.importorskip("ignite.metrics")
    x, y = pair(4, 4, 3, 20, 24)
    oracles = [(SSIM, ignite.SSIM, {"kernel_size": kernel_size, "gaussian": gaussian}), (PSNR, ignite.PSNR, {})]
    for metric, theirs, options in oracles:
        oracle = theirs(data_range=1.0, **options)
        oracle.update((torch.from_numpy(x), torch.from_numpy(y)))
        assert result(metric(data_range=1.0, **options), x, y) == pytest.approx(oracle.compute(), rel=1e-6)


ARGUMENTS = {
    "SSIM: data_range must be greater than 0, got 0": (lambda: SSIM(0), UsageError),
    "PSNR: data_range must be a number, got '1'": (lambda: PSNR("1"), ValueTypeError),
    r"SSIM: Expected kernel_size to have odd positive number. Got 4(.|\n)*Try: kernel_size=\[5, 5\]": (
        lambda: SSIM(1.0, 4), UsageError,
    ),
    "SSIM: kernel_size must be 1 or more, got -1": (lambda: SSIM(1.0, [3, -1]), UsageError),
    "SSIM: Expected kernel_size to have length of 2. Got 3": (lambda: SSIM(1.0, [3, 3, 3]), UsageError),
    "SSIM: Expected sigma to have length of 3. Got 2": (lambda: SSIM(1.0, sigma=[1.0, 1.0], ndims=3), UsageError),
    "SSIM: sigma must be greater than 0, got 0": (lambda: SSIM(1.0, sigma=0), UsageError),
    "SSIM: k2 must be greater than 0, got -0.03": (lambda: SSIM(1.0, k2=-0.03), UsageError),
    "SSIM: invalid ndims 4": (lambda: SSIM(1.0, ndims=4), UsageError),
    "SSIM: gaussian must be a bool, got 1": (lambda: SSIM(1.0, gaussian=1), ValueTypeError),
    "SSIM: multiscale must be a bool, got None": (lambda: SSIM(1.0, multiscale=None), ValueTypeError),
    "SSIM: betas must not be empty": (lambda: SSIM(1.0, betas=()), UsageError),
    "SSIM: betas must be 0 or more, got -0.1": (lambda: SSIM(1.0, betas=(0.5, -0.1)), UsageError),
}  # fmt: skip


@pytest.mark.parametrize("message", ARGUMENTS)
def test_an_invalid_argument_raises(message):
    call, error = ARGUMENTS[message]
    with pytest.raises(error, match=message):
        call()


ONES = np.ones((2, 1, 12, 12))
BATCHES = {
    "Expected y_pred and y to have the same data type. Got y_pred: float32 and y: float64": (
        SSIM(1.0), ONES.astype(np.float32), ONES, ValueTypeError,
    ),
    "to have the same data type. Got y_pred: complex128": (PSNR(1.0), ONES * 1j, ONES * 1j, ValueTypeError),
    r"PSNR: Expected y_pred and y to have the same shape. Got y_pred: \(2, 1, 12, 12\) and y: \(1, 1, 12, 12\)": (
        PSNR(1.0), ONES, ONES[:1], ShapeError,
    ),
    r"Got y_pred: \(\) and y: \(\)": (PSNR(1.0), 1.0, 1.0, ShapeError),
    r"BxCxHxW or BxCxDxHxW shape. Got \(2, 12, 12\)": (SSIM(1.0), ONES[:, 0], ONES[:, 0], ShapeError),
    r"BxCxHxW or BxCxDxHxW shape. Got \(2, 1, 12, 12\)": (SSIM(1.0, ndims=3), ONES, ONES, ShapeError),
    r"too small for the window.\n  Expected: .*, at least 6 × 6 pixels.\n  Try: kernel_size=7": (
        SSIM(1.0), ONES[..., :4], ONES[..., :4], ShapeError,
    ),
    r"at least 176 × 176 pixels.\n  Try: betas=\(0.0448, 0.2856, 0.3001, 0.2363\), or a smaller kernel_size": (
        SSIM(1.0, multiscale=True), ONES, ONES, ShapeError,
    ),
}  # fmt: skip


@pytest.mark.parametrize("message", BATCHES)
def test_an_invalid_batch_raises_and_is_not_counted(message):
    metric, y_pred, y, error = BATCHES[message]
    with pytest.raises(error, match=message):
        metric.update((y_pred, y))
    with pytest.raises(NotComputableError):
        metric.compute()
