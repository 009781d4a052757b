"""Random patches of images, at positions that depend on a seed and the image alone."""

from zlib import crc32

import numpy as np


def patches_of(levels, count, size, seed, checksum):
    """Return random patches of one image from each level of its pyramid.

    Parameters
    ----------
    levels : list of arrays (channels, height, width)
    count, size : int
        The number of patches per level, and their height and width.
    seed, checksum : int
        Determine the positions.

    Returns
    -------
    array (levels, count, channels, size, size), float32
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
