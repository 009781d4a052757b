"""Noticing that the processes of a training have come to have different weights."""

import hashlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from dark.distributed.strategy import Strategy
from dark.errors import DistributedError

SHOWN = 3


def check_same_weights(strategy: Strategy, models: Mapping[str, Any]) -> None:
    """Check that networks have the same weights and buffers on all processes, by comparing digests of their bytes.

    All processes must call it. If an array differs, a `DistributedError` on all of them names it and the ranks. A
    single process has nothing to compare.

    >>> from dark import nn
    >>> from dark.distributed import Replicas
    >>> check_same_weights(Replicas(2), {"classifier": nn.Linear(2, 3)})
    """
    if len(strategy.own) == strategy.shards:  # all of them are in this process
        return
    arrays = {f"{name}.{path}": x for name, model in models.items() for path, x in model.state_dict().items()}
    found = strategy.all_gather({name: _digest(array) for name, array in arrays.items()})
    names = list(dict.fromkeys(name for digests in found for name in digests))
    different = [name for name in names if len({digests.get(name) for digests in found}) > 1]
    if different:
        ranks = [rank for rank, digests in enumerate(found) if digests.get(different[0]) != found[0].get(different[0])]
        shown = ", ".join(different[:SHOWN]) + (f" and {len(different) - SHOWN} more" if len(different) > SHOWN else "")
        raise DistributedError(
            f"The processes have different weights: {shown}; rank {', '.join(map(str, ranks))} differs from rank 0 in "
            f"{different[0]}.",
            "the same weights and buffers on all processes, which make the same steps.",
            "changes on all processes alike, also in handlers and callbacks; then start again from a checkpoint.",
        )


def _digest(array):
    array = np.ascontiguousarray(array)
    content = hashlib.blake2b(f"{array.dtype} {array.shape}".encode(), digest_size=16)
    content.update(array.reshape(-1).view(np.uint8).data if array.size else b"")
    return content.digest()
