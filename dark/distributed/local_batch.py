"""`LocalBatch`: the rows of a global batch that one process has read."""

from dataclasses import dataclass
from typing import Any

from dark.distributed.shards import bounds


@dataclass(frozen=True)
class LocalBatch:
    """The rows of a global batch that belong to the shards of this process.

    A `DataLoader` with a strategy of several processes yields these, so that each process reads its own rows only;
    the methods of the strategy accept them in place of global batches.
    """

    batch: Any
    total: int


def local_rows(own, shards, total):
    """Return the rows of a global batch that belong to some shards: a slice.

    Examples
    --------
    >>> local_rows(range(6, 8), shards=8, total=100)
    slice(75, 100, None)
    """
    edges = bounds(total, shards)
    return slice(edges[own.start], edges[own.stop])
