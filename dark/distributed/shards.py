"""Virtual shards: how a global batch is cut, and which replica computes which shards."""

from dataclasses import dataclass
from typing import Any

from dark.checks import describe
from dark.errors import ShapeError, UsageError


@dataclass(frozen=True)
class Shard:
    """One virtual shard of a global batch: its `size` rows, structured like the batch of `total` rows.

    Examples
    --------
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

    Examples
    --------
    >>> bounds(10, 4), bounds(2, 4)
    ([0, 3, 5, 8, 10], [0, 1, 1, 2, 2])
    """
    return [-(-count * k // parts) for k in range(parts + 1)]


def owned(rank, size, shards):
    """Return the shards of a replica: a range; each shard belongs to one replica.

    Examples
    --------
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
        raise ShapeError(
            f"{who}: the arrays of a batch must have the same number of rows, got {', '.join(map(str, lengths))}.",
            "the same number of rows in each.",
            "print the shapes of the batch.",
        )
    if not lengths or not lengths[0]:
        raise UsageError(
            f"{who}: the batch {describe(batch)} has no rows.",
            "an array, or a tuple, list or dict of arrays, with at least one row.",
            "what a DataLoader yields.",
        )
    return lengths[0]


def rows_of(batch, start, stop, total):
    """Return some rows of a batch, in the same structure; values without rows are unchanged.

    Examples
    --------
    >>> rows_of({"x": [1.0, 2.0, 3.0], "name": "a"}, 1, 3, total=3)
    {'x': [2.0, 3.0], 'name': 'a'}
    """
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
