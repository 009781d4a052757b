"""Peak signal-to-noise ratio of images."""

from typing import Any, Unpack

import numpy as np

from dark.checks import number
from dark.metrics.means import ExampleMean
from dark.metrics.outputs import MetricOptions, Transform, identity, image_pair

SMALLEST_ERROR = 1e-10  # added to the mean squared error, as in Ignite: equal images have a finite ratio


class PSNR(ExampleMean):
    r"""Compute the mean peak signal-to-noise ratio of images, in decibels.

    The data range is the largest possible value minus the smallest: 1.0 for values from 0 to 1, 255 for bytes. An
    output is (y_pred, y), of one dtype and one shape (batch, …). Of an image, with the mean squared error over all of
    its elements, in float64:

    .. math:: 10 \log_{10} \frac{\text{data\_range}^2}{\text{MSE} + 10^{-10}}

    The result is the mean over images, as in Ignite; it differs from the ratio of the mean error of all images.

    References
    ----------
    `Peak signal-to-noise ratio <https://en.wikipedia.org/wiki/Peak_signal-to-noise_ratio>`_, Wikipedia.

    Examples
    --------
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
