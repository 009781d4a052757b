"""Summaries of arrays: histograms instead of weights, gradients and activations, for networks that are large."""

from collections.abc import Mapping

import numpy as np

BINS = 64  # at most; four values for each bin at least
SUMMARIZED = ("weights/", "gradients/", "activations/")
HISTOGRAMS = "histograms/"  # the beginning of the names of histograms, which stand in place of arrays
LEFT_OUT = ("flips/", "gradients_abs/", "activations_abs/")


def summarized(arrays: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return the arrays of a record with ``histograms/NAME`` in place of weights, gradients and activations."""
    found = {}
    for name, array in arrays.items():
        if name.startswith(SUMMARIZED):
            found[f"{HISTOGRAMS}{name}"] = histogram(array)
        elif not name.startswith(LEFT_OUT):
            found[name] = array
    return found


def is_histogram(name: str, shape: tuple[int, ...]) -> bool:
    """Return whether a series has histograms, by its name and the shape of its entries: edges, and counts."""
    return name.startswith(HISTOGRAMS) and len(shape) == 2 and shape[0] == 2


def histogram(array: np.ndarray) -> np.ndarray:
    """Return the histogram of an array, of shape (2, bins + 1), in its dtype, but in float32 at least.

    The first row has the edges of bins of equal width, from the least to the greatest finite value; the second has the
    counts, and at the end the number of values that are not finite.

    >>> histogram(np.array([0.0, 1.0, 1.0, 3.0, 4.0, 4.0, 4.0, np.nan]))
    array([[0., 2., 4.],
           [3., 4., 1.]])
    """
    flat = np.asarray(array, np.promote_types(array.dtype, np.float32)).reshape(-1)
    bins = max(1, min(BINS, flat.size // 4))
    is_finite = np.isfinite(flat)
    finite = flat if is_finite.all() else flat[is_finite]
    if not finite.size:
        return np.array([np.full(bins + 1, np.nan), [0] * bins + [flat.size]], flat.dtype)
    low, high = float(finite.min()), float(finite.max())
    edges = np.linspace(low / 2, high / 2, bins + 1) * 2  # the range may be larger than the largest number
    shares = (finite / 2 - low / 2) / (high / 2 - low / 2) if high > low else np.zeros(finite.size)
    counts = np.bincount(np.minimum((shares * bins).astype(np.intp), bins - 1), minlength=bins)
    return np.array([edges, [*counts, flat.size - finite.size]], flat.dtype)
