"""A sampler that divides the items of a dataset between processes."""

from __future__ import annotations

import numpy as np

from dark.checks import integer
from dark.data.dataset import Dataset
from dark.data.dataset_checks import checked_length
from dark.data.samplers import Sampler
from dark.data.seeding import epoch_generator
from dark.typing import Seed


class DistributedSampler(Sampler):
    """Sample every n-th item for one of n processes, as PyTorch's sampler of that name.

    There are `num_replicas` processes, such as `strategy.size`; `rank` is the number of this one, from 0, such as
    `strategy.rank`. The order depends on `seed`, the same on all processes, and on `epoch`, which a `DataLoader` sets,
    counted from 1. If the items cannot be divided evenly, the first ones are repeated at the end, or the last ones
    dropped. A `DataLoader` with a `strategy` divides each batch instead, without repetitions: its global batches do not
    depend on the number of processes.

    >>> [list(DistributedSampler("abcdefg", 3, rank, shuffle=False)) for rank in range(3)]
    [[0, 3, 6], [1, 4, 0], [2, 5, 1]]
    """

    def __init__(
        self, dataset: Dataset, num_replicas: int, rank: int, shuffle: bool = True, seed: int = 0,
        drop_last: bool = False,
    ) -> None:  # fmt: skip
        checked_length(dataset, "DistributedSampler")
        self.dataset, self.shuffle, self.drop_last, self.epoch = dataset, shuffle, drop_last, 0
        self.num_replicas: int = integer(num_replicas, "DistributedSampler", "num_replicas", 1)
        self.rank: int = integer(rank, "DistributedSampler", "rank", 0, self.num_replicas - 1)
        self.seed: int = integer(seed, "DistributedSampler", "seed", 0, wide=True)

    def set_epoch(self, epoch: int) -> None:
        """Set the epoch, on which the order depends."""
        self.epoch = integer(epoch, "DistributedSampler", "epoch", 0)

    def order(self, generator: Seed = None) -> np.ndarray:
        """Return the indices of this process; they depend on `seed` and `epoch` alone, not on the generator."""
        n, total = len(self.dataset), len(self) * self.num_replicas
        order = epoch_generator(self.seed, self.epoch).permutation(n) if self.shuffle else np.arange(n)
        return np.resize(order, total)[self.rank :: self.num_replicas] if n else order

    def __len__(self) -> int:
        n = len(self.dataset)
        return n // self.num_replicas if self.drop_last else -(-n // self.num_replicas)
