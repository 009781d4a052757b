"""The strategies of a single process: a whole batch at once, or virtual replicas, for learning and for tests."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from dark.checks import integer
from dark.distributed.shards import Shard, check_arrays, owned, shards_of
from dark.distributed.strategy import Strategy
from dark.distributed.tree import merge


class OneProcess(Strategy):
    """The strategy of a single process: the whole batch is the only shard, as in a training without a strategy.

    In float64, the weights of a training without dropout and batch normalization are those of `Replicas` and `MPI` up
    to rounding (1e-12). Dropout draws from its generator as usual, and batch normalization looks at the whole batch.

    >>> strategy = OneProcess()
    >>> strategy.rank, strategy.size, strategy.shards
    (0, 1, 1)
    """

    def __init__(self) -> None:
        super().__init__(rank=0, size=1, shards=1, own=range(1))

    def reduce(self, arrays: Sequence[np.ndarray]) -> np.ndarray:
        """Return a copy of the only array."""
        return check_arrays("OneProcess", arrays, 1)[0].copy()

    def all_gather(self, value: Any) -> list[Any]:
        """Return a list of the value."""
        return [value]

    def sum_over_shards(self, function: Callable[[Shard], Sequence[Any]], batch: Any, *modules: Any) -> list[Any]:
        """Apply the function to the whole batch; see `Strategy.sum_over_shards`."""
        return list(function(self.split(batch)[0]))

    def gather_over_shards(self, function: Callable[[Shard], Any], batch: Any, *modules: Any) -> list[Any]:
        """Apply the function to the whole batch, and return a list of the result; see `Strategy.gather_over_shards`."""
        return [function(self.split(batch)[0])]

    def __repr__(self) -> str:
        return "OneProcess()"


class Replicas(Strategy):
    """Virtual replicas in one process: `k` of them take turns, and add as that many processes would.

    A batch is cut into `shards`, `k` or more. The result depends on their number, and not on `k`.

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
