"""Virtual shards: how a global batch is cut, and which replica computes which shards."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from dark.checks import describe, integer
from dark.errors import ShapeError, UsageError


@dataclass(frozen=True)
class Shard:
    """One virtual shard of a global batch: its `size` rows, structured like the batch of `total` rows.

    >>> Shard(0, [1.0, 2.0], size=2, total=8).weight
    0.25
    """

    index: int
    batch: Any
    size: int
    total: int

    @property
    def weight(self) -> float:
        """The fraction of the global batch: the factor of a loss that is a mean over the shard."""
        return self.size / self.total


def bounds(count, parts):
    """Return the boundaries of `count` things in `parts` parts, whose sizes differ by at most one.

    The first part is empty only if there is nothing.
    """
    return [-(-count * k // parts) for k in range(parts + 1)]


def owned(rank, size, shards):
    """Return the shards of a replica: a range; each shard belongs to one replica.

    >>> [owned(rank, size=3, shards=8) for rank in range(3)]
    [range(0, 3), range(3, 6), range(6, 8)]
    """
    edges = bounds(shards, size)
    return range(edges[rank], edges[rank + 1])


def row_count(batch, who):
    """Return the number of rows of a batch: the length of all of its arrays."""
    lengths = _lengths(batch)
    if not lengths and isinstance(batch, (list, tuple)) and batch:  # a plain list of rows
        lengths = [len(batch)]
    if len(set(lengths)) > 1:
        problem = f"{who}: the arrays of a batch must have the same number of rows, got {', '.join(map(str, lengths))}."
        raise ShapeError(problem, "the same number of rows in each.", "print the shapes of the batch.")
    if not lengths or not lengths[0]:
        raise UsageError(
            f"{who}: the batch {describe(batch)} has no rows.",
            "an array, or a tuple, list or dict of arrays, with at least one row.",
            "a batch of a DataLoader.",
        )
    return lengths[0]


def rows_of(batch, start, stop, total):
    """Return some rows of a batch, in the same structure; values without rows are unchanged."""
    if _is_array(batch):
        return batch[start:stop]
    if isinstance(batch, dict):
        return {key: rows_of(part, start, stop, total) for key, part in batch.items()}
    if isinstance(batch, (list, tuple)):
        if len(batch) == total and not _lengths(batch):  # a list of strings, for example
            return batch[start:stop]
        parts = [rows_of(part, start, stop, total) for part in batch]
        return batch._make(parts) if hasattr(batch, "_make") else type(batch)(parts)
    return batch


def _is_array(batch):
    return bool(getattr(batch, "shape", ()))


def _lengths(batch):
    """Return the lengths of all arrays of a batch."""
    if _is_array(batch):
        return [batch.shape[0]]
    parts = batch.values() if isinstance(batch, dict) else batch if isinstance(batch, (list, tuple)) else ()
    return [length for part in parts for length in _lengths(part)]


@dataclass(frozen=True)
class LocalBatch:
    """The rows of a global batch that belong to the shards of this process.

    A `DataLoader` with a strategy of several processes yields these, so that each process reads its own rows only;
    the methods of the strategy accept them in place of global batches.
    """

    batch: Any
    total: int


def shards_of(who, shards, rank, size):
    """Return a checked number of shards, one or more for each replica, and the range of shards of one replica."""
    shards = integer(shards, who, "shards", 1)
    if shards < size:
        raise UsageError(
            f"{who}: {size} replicas need at least as many shards, got {shards}.",
            "at least one shard for each replica.",
            f"shards={size}, in each run that should have the same result; or fewer replicas.",
        )
    return shards, owned(rank, size, shards)


def check_arrays(who, arrays, count):
    """Return the arrays to reduce, each flat, all of the same length and dtype."""
    arrays = [np.asarray(array) for array in arrays]
    kinds = sorted({(array.shape, array.dtype.str) for array in arrays})
    if len(arrays) != count or len(kinds) != 1 or arrays[0].ndim != 1 or arrays[0].dtype.kind not in "fiu":
        raise UsageError(
            f"{who}.reduce: expected {count} flat arrays of equal length and dtype, got {len(arrays)}, of "
            f"{', '.join(f'{dtype} {shape}' for shape, dtype in kinds)}.",
            f"{count} arrays of numbers, one for each shard of this process, of the same shape (n,) and dtype.",
            "np.ravel; strategy.own lists the shards.",
        )
    return arrays
