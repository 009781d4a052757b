"""Facts from histograms in place of arrays: values that are not finite, and numbers of elements."""

from collections.abc import Mapping

import numpy as np

from dark.monitor.summary import HISTOGRAMS, is_histogram


def kind(name: str) -> str:
    """Return the kind of a series, also of its histograms.

    >>> kind("weights/0.bias"), kind("histograms/weights/0.bias"), kind("loss")
    ('weights', 'weights', 'loss')
    """
    return name.removeprefix(HISTOGRAMS).split("/")[0]


def is_finite(name: str, array: np.ndarray | None) -> bool:
    """Return whether an entry of a series has only finite values; a histogram ends with the number of others."""
    if array is None or array.dtype.kind not in "fc":
        return True
    return bool(array[1, -1] == 0 if is_histogram(name, array.shape) else np.isfinite(array).all())


def count_of_bad(name: str, array: np.ndarray) -> tuple[int, int]:
    """Return how many values are not finite, and how many there are."""
    if is_histogram(name, array.shape):
        return int(array[1, -1]), int(array[1].sum())
    return int(np.count_nonzero(~np.isfinite(array))), array.size


def outputs_by_bias(sizes: Mapping[str, int]) -> int | None:
    """Return the number of outputs of the last layer by its bias, if the last parameter is one; None if it is not.

    >>> outputs_by_bias({"0.weight": 20, "0.bias": 4, "2.weight": 12, "2.bias": 3}), outputs_by_bias({"0.weight": 4})
    (3, None)
    """
    path = next(reversed(list(sizes)), "")
    weight = sizes.get(path.removesuffix("bias") + "weight", 0)
    is_bias = path.endswith("bias") and sizes[path] > 1 and weight > sizes[path] and weight % sizes[path] == 0
    return sizes[path] if is_bias else None
