"""Checks of the arguments of strategies."""

import numpy as np

from dark.checks import integer
from dark.distributed.shards import owned
from dark.errors import UsageError


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
