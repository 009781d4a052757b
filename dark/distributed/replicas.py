"""`Replicas`: several virtual replicas in one process, for learning and for tests."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from dark.checks import integer
from dark.distributed.shards import owned
from dark.distributed.strategy import Strategy
from dark.distributed.strategy_checks import check_arrays, shards_of
from dark.distributed.tree import merge


class Replicas(Strategy):
    """Virtual replicas in one process: `k` of them take turns, and add as that many processes would.

    A batch is cut into `shards`, `k` or more. The result depends on their number, and not on `k`.

    Examples
    --------
    >>> import numpy as np
    >>> arrays = list(np.random.default_rng(0).normal(size=(8, 3)))
    >>> sums = [Replicas(k).reduce(arrays) for k in (1, 2, 3, 8)]
    >>> all((other == sums[0]).all() for other in sums)
    True
    """

    def __init__(self, k: int = 1, shards: int = 8) -> None:
        size = integer(k, "Replicas", "k", 1)
        shards, _ = shards_of("Replicas", shards, 0, size)
        super().__init__(rank=0, size=size, shards=shards, own=range(shards))

    def reduce(self, arrays: Sequence[np.ndarray]) -> np.ndarray:
        """Add the arrays of all shards: first within each replica, then the sums of the replicas."""
        arrays = check_arrays("Replicas", arrays, self.shards)
        sums: dict[tuple[int, int], np.ndarray] = {}
        for replica in range(self.size):
            own = {(k, k + 1): arrays[k] for k in owned(replica, self.size, self.shards)}
            sums |= merge(own, self.shards)
        return merge(sums, self.shards)[0, self.shards].copy()

    def all_gather(self, value: Any) -> list[Any]:
        """Return a list of the value: there is one process."""
        return [value]

    def __repr__(self) -> str:
        return f"Replicas({self.size}, shards={self.shards})"
