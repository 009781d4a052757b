"""Laplacian pyramid of images, the details at each scale and the smallest image; random patches of its levels."""

from zlib import crc32

import numpy as np

from dark.metrics.similarity import windowed

WEIGHTS = np.array([1, 4, 6, 4, 1]) / 16


def laplacian_pyramid(images: np.ndarray, least: int) -> list[np.ndarray]:
    """Return the levels of images (batch, channels, height, width), down to about `least` pixels of height and width.

    Each level but the last is the image minus the next smaller image, enlarged; the last is the smallest image. See
    P. J. Burt, E. H. Adelson, *The Laplacian pyramid as a compact image code*, 1983.

    >>> levels = laplacian_pyramid(np.ones((1, 1, 8, 8)), least=4)
    >>> [(level.shape, level.max().item()) for level in levels]
    [((1, 1, 8, 8), 0.0), ((1, 1, 4, 4), 1.0)]
    """
    levels, (height, width) = [], images.shape[2:]
    for _ in level_sizes(height, width, least)[1:]:
        smaller = reduced(images)
        levels.append(images - enlarged(smaller, images.shape))
        images = smaller
    return [*levels, images]


def level_sizes(height, width, least):
    """Return the (height, width) of each level: halved, rounded up, while half the smaller one is at least `least`."""
    sizes = [(height, width)]
    while min(sizes[-1]) // 2 >= least:
        sizes.append(tuple(-(-size // 2) for size in sizes[-1]))
    return sizes


def reduced(images):
    """Return images smoothed, with every second row and column."""
    return _smoothed(images)[:, :, ::2, ::2]


def enlarged(images, shape):
    """Return images of a larger shape, whose `reduced` shape they have, interpolated smoothly."""
    spread = np.zeros(shape)
    spread[:, :, ::2, ::2] = images
    return 4 * _smoothed(spread)


def _smoothed(images):
    padded = np.pad(images, [(0, 0), (0, 0), (2, 2), (2, 2)], mode="reflect")
    return windowed(padded, [WEIGHTS, WEIGHTS])


def patches_of(levels: list[np.ndarray], count: int, size: int, seed: int, checksum: int) -> np.ndarray:
    """Return `count` random patches of each level of one image: (levels, count, channels, size, size), in float32.

    A level is (channels, height, width); seed and checksum determine the positions.
    """
    rng = np.random.default_rng((seed, checksum))
    found = []
    for level in levels:
        windows = np.lib.stride_tricks.sliding_window_view(level, (size, size), axis=(1, 2))
        rows, columns = (rng.integers(0, windows.shape[axis], count) for axis in (1, 2))
        found.append(np.moveaxis(windows[:, rows, columns], 0, 1))
    return np.array(found, np.float32)


def checksum_of(array):
    """Return a number that depends on the bytes of an array alone."""
    return crc32(np.ascontiguousarray(array).data)


def in_random_halves(examples):
    """Return the examples in two halves, drawn as if at random, and the same for any order of the examples."""
    order = np.argsort([checksum_of(example) for example in examples], kind="stable")
    return np.array_split(examples[order], 2)
