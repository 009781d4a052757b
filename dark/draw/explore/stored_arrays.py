"""The arrays of a page: all their elements, or as many as fit and the statistics of all."""

import base64
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dark.draw.arrays.array_summary import Summary
from dark.draw.labels import shape_of, value_in
from dark.pages.thinning import records_within, strides_within, thinned_text

BASE64 = 4 / 3  # bytes of text for a byte
LEAST_ELEMENTS, MOST_ELEMENTS = 16, 1_000_000  # of one array; a screen has no more pixels
EXACT_INTEGER = 2**24  # the largest integer up to which float32 holds all
SMALLEST, LARGEST = 1e-30, 3e38  # magnitudes that float32 holds with all its digits


def numbers_of(value: Any) -> np.ndarray | None:
    """Return a value as an array of numbers, complex ones as magnitudes; None for a number, or for other things."""
    value = value_in(value)
    if not shape_of(value) or isinstance(value, Summary):
        return None
    try:
        if isinstance(value, np.ma.MaskedArray):
            value = np.ma.filled(value.astype(float), np.nan)
        array = np.asarray(value)
    except Exception:  # an array of another library may fail in any way; its shape has to do
        return None
    if array.dtype.kind not in "fiubc":
        return None
    return np.abs(array) if array.dtype.kind == "c" else array


def statistics_of_array(array: np.ndarray) -> dict[str, Any]:
    """Return the statistics of the finite elements, and the counts of others."""
    with np.errstate(all="ignore"):
        flat = np.asarray(array, float).ravel()
        nan, infinite = int(np.isnan(flat).sum()), int(np.isinf(flat).sum())
        finite = flat[np.isfinite(flat)] if nan or infinite else flat
        if not finite.size:
            return {"nan": nan, "infinite": infinite, "zeros": 0}
        low, high = float(finite.min()), float(finite.max())
        scale = max(-low, high) or 1.0  # so that squares do not overflow
        return {
            "low": low,
            "high": high,
            "mean": float((finite / scale).mean() * scale),
            "std": float((finite / scale).std() * scale),
            "zeros": int(finite.size - np.count_nonzero(finite)),
            "nan": nan,
            "infinite": infinite,
        }


def kind_in_page(array: np.ndarray) -> str:
    """Return "f4" if float32 holds the elements of an array, up to its digits; else "f8"."""
    if array.dtype.kind == "b" or not array.size or (array.dtype.kind == "f" and array.dtype.itemsize <= 4):
        return "f4"
    with np.errstate(all="ignore"):
        sizes = np.abs(array, dtype=float)
        largest = float(sizes.max(where=np.isfinite(sizes), initial=0.0))
    if array.dtype.kind in "iu":
        return "f4" if largest <= EXACT_INTEGER else "f8"
    return "f4" if not largest or SMALLEST < largest < LARGEST else "f8"


@dataclass
class ArrayStore:
    """The arrays of a page; all their elements in the page take `most_bytes`."""

    most_bytes: float
    arrays: list[np.ndarray] = field(default_factory=list)

    def add(self, array: np.ndarray) -> int:
        """Add an array, and return its number."""
        self.arrays.append(array)
        return len(self.arrays) - 1

    def data(self) -> tuple[list[dict[str, Any]], list[str]]:
        """Return the arrays as plain data, and the omissions, in sentences."""
        sizes = [array.size for array in self.arrays]
        fitting = records_within([(4 * BASE64, size) for size in sizes], self.most_bytes)
        most = max(LEAST_ELEMENTS, min(MOST_ELEMENTS, fitting))
        thinned = sum(size > most for size in sizes)
        words = f"{thinned} of {len(sizes)} arrays have more than {most:,} elements: every k-th of these is shown"
        left_out = [f"{words}; minimum, maximum, mean and standard deviation are those of all."] if thinned else []
        return [_stored(array, most) for array in self.arrays], left_out


def _stored(array, most):
    kind, strides = kind_in_page(array), [1] * array.ndim
    data: dict[str, Any] = {"shape": list(array.shape), "kind": kind}
    if array.size > most:
        strides = strides_within(array.shape, most)
        shown = tuple(-(-size // stride) for size, stride in zip(array.shape, strides))
        data |= {"shape": list(shown), "whole": list(array.shape), "strides": strides}
        data |= {"thinned": thinned_text(strides), "statistics": statistics_of_array(array)}
    kept = array[tuple(slice(None, None, stride) for stride in strides)]
    with np.errstate(all="ignore"):
        content = np.ascontiguousarray(kept, dtype="<" + kind).tobytes()
    return {**data, "data": base64.b64encode(content).decode("ascii")}
