"""Weighted sums over the neighborhood of each pixel, one axis after another."""

import numpy as np


def gaussian_window(size, sigma):
    """Return the `size` weights of a Gaussian around the middle; their sum is 1.

    Examples
    --------
    >>> gaussian_window(3, 1.0).round(3)
    array([0.274, 0.452, 0.274])
    """
    distances = np.arange(size) - (size - 1) / 2
    weights = np.exp(-0.5 * (distances / sigma) ** 2)
    return weights / weights.sum()


def uniform_window(size):
    """Return `size` equal weights; their sum is 1."""
    return np.full(size, 1 / size)


def windowed(images, windows):
    """Return the weighted sums at the positions where the windows fit.

    Parameters
    ----------
    images : array (…, n_1, …, n_k)
    windows : sequence of k arrays
        The weights along each of the last axes.

    Returns
    -------
    array (…, n_1 - len(windows[0]) + 1, …)

    Examples
    --------
    >>> windowed(np.arange(6.0).reshape(2, 3), [np.ones(2), np.array([1.0, 0.0])])
    array([[3., 5.]])
    """
    for axis, window in enumerate(windows, start=-len(windows)):
        stop = images.shape[axis] - len(window) + 1
        along = np.moveaxis(images, axis, -1)
        total = np.zeros((*along.shape[:-1], stop))
        for start, weight in enumerate(window):
            total += weight * along[..., start : start + stop]
        images = np.moveaxis(total, -1, axis)
    return images
