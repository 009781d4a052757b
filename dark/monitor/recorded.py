"""Convert values to be recorded: numbers and numeric arrays, also as the value of a node."""

from typing import Any

import numpy as np

from dark.checks import describe, without_grad
from dark.errors import ShapeError, ValueTypeError
from dark.nodes import value_of

KINDS = "biuf"  # of dtypes: bools, integers and floats


def recorded(value: Any, who: str) -> np.ndarray:
    """Return a copy of a number, an array or the value of a node as an array of bools, integers or floats."""
    if type(value) is np.ndarray and value.dtype.kind in KINDS:
        return value.copy()
    value = without_grad(value_of(value), who, "value")
    try:
        array = np.array(value)
    except (TypeError, ValueError):  # nested sequences of unequal length
        array = np.array(None)
    if array.dtype.kind not in KINDS:
        raise ValueTypeError(
            f"{who}: {describe(value)} cannot be recorded.",
            "a real number, an array of such numbers, or a node.",
            "record the parts of a list or a dictionary one by one, each in a statistic of its own.",
        )
    return array


def rows_of(array: np.ndarray, who: str, is_batch: bool, shape: tuple[int, ...] | None) -> np.ndarray:
    """Return a recorded value as an array whose first axis counts examples.

    `is_batch` says that it has that axis already; `shape` is the shape of the examples before.
    """
    if is_batch and not array.ndim:
        raise ShapeError(
            f"{who}: {array} is one number, not a batch.",
            "an array whose first axis counts examples.",
            "reduce_1st_dim=False, for numbers.",
        )
    rows = array if is_batch else array[None]
    if shape is not None and rows.shape[1:] != shape:
        what = "examples of shape" if is_batch else "shape"
        raise ShapeError(
            f"{who}: {what} must not change, got {rows.shape[1:]} after {shape}.",
            f"{what} {shape} in each record.",
            "a statistic for each shape." if is_batch else "reduce_1st_dim=True, for batches of different sizes.",
        )
    return rows
