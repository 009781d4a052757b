"""Padding of images and signals with their own elements: reflected, repeated, or continued from the other side."""

from typing import Any

import numpy as np

from dark.errors import ShapeError
from dark.nodes.values import shape_of
from dark.operations import take

MODES: dict[str, Any] = {"reflect": "reflect", "replicate": "edge", "circular": "wrap"}  # PyTorch's names, and NumPy's
LARGEST = {"reflect": ("less than the length", -1), "circular": ("at most the length", 0)}


def pad_by_mode(x, widths, mode, who):
    """Pad the last axes of images or signals.

    >>> pad_by_mode(np.array([[1.0, 2.0, 3.0]]), [(2, 1)], "reflect", "Conv1d").value
    array([[3., 2., 1., 2., 3., 2.]])
    """
    for axis, width in enumerate(widths, -len(widths)):
        n = shape_of(x)[axis]
        words, more = LARGEST.get(mode, ("0 for an empty axis", 0 if n == 0 else max(width)))
        if max(width) > max(0, n + more):
            raise ShapeError(
                f"{who}: padding {max(width)} is too large for padding_mode={mode!r} along an axis of length {n}.",
                f"{words}.",
                "less padding, or padding_mode='zeros'.",
            )
        if any(width):
            x = take(x, np.pad(np.arange(n), width, MODES[mode]), axis)
    return x
