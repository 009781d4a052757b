"""Peak signal-to-noise ratio of images."""

from collections.abc import Callable
from typing import Any, Unpack

import numpy as np

from dark.checks import number
from dark.metrics.images.pairs import image_pair
from dark.metrics.metric import Metric
from dark.metrics.metric_options import MetricOptions
from dark.metrics.outputs import identity, no_examples_error

SMALLEST_ERROR = 1e-10  # added to the mean squared error, as in Ignite: equal images have a finite ratio


class PSNR(Metric):
    r"""Compute the mean peak signal-to-noise ratio of images, in decibels.

    Parameters
    ----------
    data_range : float
        The largest possible value minus the smallest: 1.0 for values from 0 to 1, 255 for bytes.
    output_transform, **options
        As in `Metric`.

    Raises
    ------
    ValueTypeError, ShapeError
        From `update`, unless y_pred and y have one dtype and one shape (batch, …).

    Notes
    -----
    Of an image, with the mean squared error over all of its elements, in float64:

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

    _state_dict_all_req_keys = ("_sum", "_num_examples")

    def __init__(
        self, data_range: float, output_transform: Callable[[Any], Any] = identity, **options: Unpack[MetricOptions]
    ) -> None:
        self.data_range = number(data_range, "PSNR", "data_range", above=0)
        super().__init__(output_transform, **options)

    def reset(self) -> None:
        """Reset the sum."""
        self._sum, self._num_examples = np.float64(0.0), 0

    def update(self, output: Any) -> None:
        """Add the ratios of a batch (y_pred, y)."""
        y_pred, y = image_pair(self, output)
        errors = np.square(y_pred - y).mean(axis=tuple(range(1, y.ndim)))
        self._sum += (10 * np.log10(self.data_range**2 / (errors + SMALLEST_ERROR))).sum()
        self._num_examples += len(y)

    def compute(self) -> float:
        """Return the mean over images, in decibels."""
        if not self._num_examples:
            raise no_examples_error("PSNR")
        return float(self._sum / self._num_examples)
