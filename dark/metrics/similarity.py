"""The structural similarity of two batches of images, at one scale and at several, by means over windows."""

import numpy as np


def gaussian_window(size: int, sigma: float) -> np.ndarray:
    """Return the weights of a Gaussian around the middle; their sum is 1."""
    distances = np.arange(size) - (size - 1) / 2
    weights = np.exp(-0.5 * (distances / sigma) ** 2)
    return weights / weights.sum()


def windowed(images, windows):
    """Return the weighted sums at the positions where the windows fit, one for each of the last axes."""
    for axis, window in enumerate(windows, start=-len(windows)):
        stop = images.shape[axis] - len(window) + 1
        along = np.moveaxis(images, axis, -1)
        total = np.zeros((*along.shape[:-1], stop))
        for start, weight in enumerate(window):
            total += weight * along[..., start : start + stop]
        images = np.moveaxis(total, -1, axis)
    return images


def similarity_terms(x, y, windows, c1, c2):
    r"""Return the luminance, and the product of contrast and structure, where the windows fit.

    With the weighted means :math:`\mu`, variances :math:`\sigma^2` and covariance :math:`\sigma_{xy}` of a window,

    .. math::
        l = \frac{2 \mu_x \mu_y + c_1}{\mu_x^2 + \mu_y^2 + c_1}, \quad
        cs = \frac{2 \sigma_{xy} + c_2}{\sigma_x^2 + \sigma_y^2 + c_2}
    """
    mean_x, mean_y = windowed(x, windows), windowed(y, windows)
    squares, products = mean_x**2 + mean_y**2, mean_x * mean_y
    variances = windowed(x * x + y * y, windows) - squares
    covariance = windowed(x * y, windows) - products
    return (2 * products + c1) / (squares + c1), (2 * covariance + c2) / (variances + c2)


def ssim(x, y, windows, c1, c2):
    """Return the mean similarity of each pair of images (batch,), with reflected borders, as in Ignite."""
    widths = [(0, 0), (0, 0), *((len(window) // 2,) * 2 for window in windows)]
    x, y = np.pad(x, widths, mode="reflect"), np.pad(y, widths, mode="reflect")
    luminance, contrast_structure = similarity_terms(x, y, windows, c1, c2)
    return (luminance * contrast_structure).mean(axis=tuple(range(1, x.ndim)))


def multiscale_ssim(x, y, windows, c1, c2, betas):
    """Return the multi-scale similarity of each pair of images (batch,): a weighted geometric mean over scales.

    At each scale the terms are averaged where the windows fit. A negative mean, of anticorrelated images, counts as 0.
    """
    spatial = tuple(range(2, x.ndim))
    result = np.ones(x.shape[:2])
    for scale, beta in enumerate(betas):
        if scale:
            x, y = halved(x), halved(y)
        luminance, factor = similarity_terms(x, y, windows, c1, c2)
        if scale == len(betas) - 1:
            factor = luminance * factor
        result *= np.maximum(factor.mean(axis=spatial), 0) ** beta
    return result.mean(axis=1)


def halved(images):
    """Return images (batch, channels, …) of half the size: means over 2 pixels along each axis; an odd one is cut."""
    for axis in range(2, images.ndim):
        along = np.moveaxis(images, axis, -1)
        along = along[..., : along.shape[-1] // 2 * 2]
        images = np.moveaxis((along[..., ::2] + along[..., 1::2]) / 2, -1, axis)
    return images
