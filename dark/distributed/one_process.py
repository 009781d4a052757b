"""`OneProcess`: the strategy of a single process, which computes each batch at once."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from dark.distributed.shards import Shard
from dark.distributed.strategy import Strategy
from dark.distributed.strategy_checks import check_arrays


class OneProcess(Strategy):
    """The strategy of a single process: the whole batch is the only shard, as in a training without a strategy.

    Notes
    -----
    In float64, the weights of a training without dropout and batch normalization are those of `Replicas` and `MPI` up
    to rounding (1e-12). Dropout draws from its generator as usual, and batch normalization looks at the whole batch.

    Examples
    --------
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
