"""Metrics of pairs of images: peak signal-to-noise ratio, and structural similarity at one scale or at several."""

from collections.abc import Sequence
from typing import Any, Unpack

import numpy as np

from dark.checks import boolean, integer, integers, number, one_of
from dark.errors import ShapeError, UsageError
from dark.metrics.means import ExampleMean
from dark.metrics.outputs import MetricOptions, Transform, identity, image_pair
from dark.metrics.similarity import gaussian_window, multiscale_ssim, ssim

SMALLEST_ERROR = 1e-10  # added to the mean squared error, as in Ignite: equal images have a finite ratio


class PSNR(ExampleMean):
    r"""Compute the mean peak signal-to-noise ratio of images, in decibels.

    The data range is the largest possible value minus the smallest: 1.0 for values from 0 to 1, 255 for bytes. An
    output is (y_pred, y), of one dtype and one shape (batch, …). Of an image, with the mean squared error over all of
    its elements, in float64:

    .. math:: 10 \log_{10} \frac{\text{data\_range}^2}{\text{MSE} + 10^{-10}}

    The result is the mean over images, as in Ignite; it differs from the ratio of the mean error of all images.

    `Peak signal-to-noise ratio <https://en.wikipedia.org/wiki/Peak_signal-to-noise_ratio>`_, Wikipedia.

    >>> ratio = PSNR(data_range=1.0)
    >>> ratio.update((np.full((2, 1, 4, 4), 0.6), np.full((2, 1, 4, 4), 0.5)))
    >>> round(ratio.compute(), 3)
    20.0
    """

    def __init__(
        self, data_range: float, output_transform: Transform = identity, **options: Unpack[MetricOptions]
    ) -> None:
        self.data_range = number(data_range, "PSNR", "data_range", above=0)
        super().__init__(output_transform, **options)

    def update(self, output: Any) -> None:
        """Add the ratios of a batch (y_pred, y)."""
        y_pred, y = image_pair(self, output)
        errors = np.square(y_pred - y).mean(axis=tuple(range(1, y.ndim)))
        self.accumulate((10 * np.log10(self.data_range**2 / (errors + SMALLEST_ERROR))).sum(), len(y))


BETAS = (0.0448, 0.2856, 0.3001, 0.2363, 0.1333)  # of Wang et al. 2003


class SSIM(ExampleMean):
    r"""Compute the mean structural similarity of pairs of images: 1 for equal images.

    Parameters
    ----------
    data_range : float
        The largest possible value minus the smallest: 1.0 for values from 0 to 1, 255 for bytes.
    kernel_size, sigma : int and float, or sequences of them, default 11 and 1.5
        The size of the window, an odd number, for all spatial axes or for each; the standard deviation of a Gaussian
        window, in pixels.
    k1, k2 : float, default 0.01 and 0.03
        Factors of the data range; their squares keep denominators from 0.
    gaussian : bool, default True
        Weights of the window: Gaussian, or all equal.
    output_transform, **options
        As in `Metric`. An output is (y_pred, y), of one dtype and one shape (batch, channels, height, width), or
        (batch, channels, depth, height, width), with enough pixels for the window.
    ndims : {2, 3}, default 2
        The number of spatial axes.
    multiscale, betas : bool, sequence of float, default False, (0.0448, 0.2856, 0.3001, 0.2363, 0.1333)
        Compute the multi-scale similarity: images are halved once for each further scale. Each scale has
        an exponent, from the full size to the smallest; five of them and the window of 11 need 176 pixels.

    Notes
    -----
    The similarity of two windows is the product of luminance, contrast and structure,

    .. math::
        \frac{(2 \mu_x \mu_y + c_1)(2 \sigma_{xy} + c_2)}{(\mu_x^2 + \mu_y^2 + c_1)(\sigma_x^2 + \sigma_y^2 + c_2)},
        \quad c_i = (k_i \, \text{data\_range})^2,

    with weighted means, variances and covariances, in float64. A pair's similarity is the mean over windows around all
    pixels, borders reflected, and channels, as in Ignite, where equal weights cover 5 pixels whatever the size of the
    window. The multi-scale similarity multiplies contrast and structure of all scales, and the luminance of the last,
    each raised to the power of its scale; windows lie within the images, and channels are averaged at the end, as in
    TensorFlow. The result is the mean over pairs.

    Z. Wang et al., *Image quality assessment: from error visibility to structural similarity*, 2004.
    Z. Wang et al., *Multiscale structural similarity for image quality assessment*, 2003.

    Examples
    --------
    >>> images = np.random.default_rng(0).random((4, 3, 16, 16))
    >>> similarity = SSIM(data_range=1.0)
    >>> similarity.update((0.75 * images, images))
    >>> round(similarity.compute(), 2)
    0.92
    """

    def __init__(
        self,
        data_range: float,
        kernel_size: int | Sequence[int] = 11,
        sigma: float | Sequence[float] = 1.5,
        k1: float = 0.01,
        k2: float = 0.03,
        gaussian: bool = True,
        output_transform: Transform = identity,
        *,
        ndims: int = 2,
        multiscale: bool = False,
        betas: Sequence[float] = BETAS,
        **options: Unpack[MetricOptions],
    ) -> None:
        self.ndims = one_of(integer(ndims, "SSIM", "ndims"), "SSIM", "ndims", (2, 3))
        self.data_range = number(data_range, "SSIM", "data_range", above=0)
        self.c1 = (number(k1, "SSIM", "k1", above=0) * self.data_range) ** 2
        self.c2 = (number(k2, "SSIM", "k2", above=0) * self.data_range) ** 2
        sizes = _per_axis(integers(kernel_size, "SSIM", "kernel_size", 1), "kernel_size", self.ndims)
        if any(size % 2 == 0 for size in sizes):
            raise UsageError(
                f"SSIM: Expected kernel_size to have odd positive number. Got {kernel_size}.",
                "odd numbers: a window has a middle.",
                f"kernel_size={[size | 1 for size in sizes]}",
            )
        given = sigma if isinstance(sigma, (tuple, list)) else (sigma,)
        sigmas = _per_axis([number(each, "SSIM", "sigma", above=0) for each in given], "sigma", self.ndims)
        is_gaussian = boolean(gaussian, "SSIM", "gaussian")
        self._windows = [
            gaussian_window(*pair) if is_gaussian else np.full(pair[0], 1 / pair[0]) for pair in zip(sizes, sigmas)
        ]
        self.multiscale = boolean(multiscale, "SSIM", "multiscale")
        self.betas: tuple[float, ...] = tuple(number(beta, "SSIM", "betas", least=0) for beta in betas)
        if not self.betas:
            raise UsageError("SSIM: betas must not be empty.", "an exponent for each scale.", f"betas={BETAS}")
        super().__init__(output_transform, **options)

    def update(self, output: Any) -> None:
        """Add the similarities of a batch (y_pred, y)."""
        y_pred, y = image_pair(self, output)
        self._check_images(y)
        settings = self._windows, self.c1, self.c2
        similar = multiscale_ssim(y_pred, y, *settings, self.betas) if self.multiscale else ssim(y_pred, y, *settings)
        self.accumulate(similar.sum(), len(y))

    def _check_images(self, images):
        axes = ("height", "width") if self.ndims == 2 else ("depth", "height", "width")
        expected = f"two arrays (batch, channels, {', '.join(axes)})"
        if images.ndim != self.ndims + 2 or not images.shape[1]:
            raise ShapeError(
                f"SSIM: Expected y_pred and y to have BxCxHxW or BxCxDxHxW shape. Got {images.shape}.",
                f"{expected}.",
                "x[:, None], in output_transform, if the channel axis is missing.",
            )
        if self.multiscale:
            halvings = len(self.betas) - 1
            least = [len(window) << halvings for window in self._windows]
            advice = f"betas={self.betas[: max(1, halvings)]}, or a smaller kernel_size"
        else:
            least = [len(window) // 2 + 1 for window in self._windows]
            advice = f"kernel_size={max(1, 2 * min(images.shape[2:]) - 1)}"
        if any(size < smallest for size, smallest in zip(images.shape[2:], least)):
            problem = f"SSIM: images of shape {images.shape} are too small for the window."
            raise ShapeError(problem, f"{expected}, at least {' × '.join(map(str, least))} pixels.", f"{advice}.")


def _per_axis(values, name, ndims):
    """Return one value for each spatial axis."""
    if len(values) not in (1, ndims):
        problem = f"SSIM: Expected {name} to have length of {ndims}. Got {len(values)}."
        raise UsageError(problem, f"one value, or one for each of {ndims} axes.", f"{name}={values[0]}")
    return list(values) * (ndims // len(values))
