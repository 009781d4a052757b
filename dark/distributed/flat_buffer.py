"""One flat buffer for many arrays, which processes exchange once per step."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from dark.errors import ShapeError, ValueTypeError


@dataclass(frozen=True)
class Layout:
    """The shapes and dtypes of arrays, and the dtype of a flat buffer that holds them all.

    Examples
    --------
    >>> layout = layout_of([np.ones((2, 2), np.float32), 0.5])
    >>> buffer = layout.pack([np.ones((2, 2)), 0.5])
    >>> buffer
    array([1. , 1. , 1. , 1. , 0.5], dtype=float32)
    >>> layout.unpack(buffer)[1]
    0.5
    """

    shapes: tuple
    dtypes: tuple
    dtype: np.dtype

    def zeros(self):
        """Return a buffer of zeros, for a shard without rows."""
        return np.zeros(sum(map(_size, self.shapes)), self.dtype)

    def pack(self, arrays):
        """Concatenate arrays of the layout's shapes to a new buffer."""
        shapes = tuple(map(np.shape, arrays))
        if shapes != self.shapes:
            raise ShapeError(
                f"sum_over_shards: the arrays of all shards must have the same shapes, got {list(shapes)} "
                f"after {list(self.shapes)}.",
                "arrays of the same shapes for each shard, whatever its number of rows.",
                "return gradients, sums and counts, not predictions.",
            )
        return np.concatenate([np.ravel(array) for array in arrays], dtype=self.dtype, casting="unsafe")

    def unpack(self, buffer):
        """Split a buffer into new arrays; those without axes become numbers."""
        edges = np.cumsum([0, *map(_size, self.shapes)])
        parts = [buffer[start:stop] for start, stop in pairwise(edges)]
        return [
            part.reshape(shape).astype(dtype) if shape else part.astype(dtype).item()
            for part, shape, dtype in zip(parts, self.shapes, self.dtypes)
        ]


def layout_of(arrays):
    """Return the layout of arrays; Python numbers adopt the dtype of the arrays."""
    dtypes = []
    for array in arrays:
        dtype = np.asarray(array).dtype
        if dtype.kind not in "fiub":
            raise ValueTypeError(
                f"sum_over_shards: the function must return arrays or numbers, got a {type(array).__name__}.",
                "arrays of real numbers, and numbers.",
                "node.value or p.grad, for a node or a parameter.",
            )
        dtypes.append(dtype)
    weak = [array if type(array) in (int, float) else dtype for array, dtype in zip(arrays, dtypes)]
    dtype = np.result_type(np.float16, *weak) if arrays else np.dtype(float)
    return Layout(tuple(map(np.shape, arrays)), tuple(dtypes), dtype)


def _size(shape):
    return int(np.prod(shape, dtype=np.int64))
