"""Flatten sequences of predictions and remove padding, for classification metrics."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from dark.checks import integer
from dark.errors import ShapeError
from dark.metrics.outputs import Transform, as_array, identity


def sequence_transform(
    ignore_index: int | Iterable[int] | None = None, output_transform: Transform = identity
) -> Callable[[Any], tuple[np.ndarray, np.ndarray]]:
    """Return an `output_transform` that flattens a batch of sequences into a batch of steps: (n, classes) and (n,).

    Before, `output_transform` returns y_pred (batch, steps, classes) and y (batch, steps). Steps with the targets
    `ignore_index`, such as padding, are removed.

    >>> y_pred, y = np.zeros((2, 3, 5)), np.array([[1, 4, 0], [2, 0, 0]])
    >>> [array.shape for array in sequence_transform(ignore_index=0)((y_pred, y))]
    [(3, 5), (3,)]
    """
    given = ignore_index if isinstance(ignore_index, Iterable) else () if ignore_index is None else (ignore_index,)
    ignored = [integer(index, "sequence_transform", "ignore_index") for index in given]

    def transform(output: Any) -> tuple[np.ndarray, np.ndarray]:
        y_pred, y = (as_array(array) for array in output_transform(output))
        if y_pred.ndim != 3 or y.ndim != 2:
            raise ShapeError(
                f"Expected y_pred to be 3D (N, S, C) and y to be 2D (N, S), but got y_pred={y_pred.ndim}D and "
                f"y={y.ndim}D.",
                "y_pred (batch, steps, classes) and y (batch, steps).",
                "print both shapes.",
            )
        if y_pred.shape[:2] != y.shape:
            raise ShapeError(
                f"y_pred and y have incompatible shapes: y_pred={y_pred.shape} (expected first two dims to match "
                f"y={y.shape}).",
                "y_pred (batch, steps, classes) and y (batch, steps).",
                "np.swapaxes(y_pred, 1, 2), if the axis of classes comes before the axis of steps.",
            )
        y_pred, y = y_pred.reshape(-1, y_pred.shape[-1]), y.reshape(-1)
        kept = slice(None) if ignore_index is None else ~np.isin(y, ignored)
        return y_pred[kept], y[kept]

    return transform
