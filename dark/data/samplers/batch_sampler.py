"""Batches of the indices of a sampler."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from dark.checks import integer
from dark.data.dataset_checks import check_sampler
from dark.data.samplers.sampler import Sampler, epoch_order

if TYPE_CHECKING:
    from dark.typing import Seed


class BatchSampler(Sampler):
    """Group the indices of another sampler into batches.

    Parameters
    ----------
    sampler : Sampler or iterable of int
        The indices. An iterable that is not a `Sampler` must yield one epoch each time it is iterated over.

    Examples
    --------
    >>> list(BatchSampler(range(5), 2))
    [[0, 1], [2, 3], [4]]
    """

    def __init__(self, sampler: Sampler | Iterable[int], batch_size: int, drop_last: bool = False) -> None:
        check_sampler(sampler, "BatchSampler", "sampler")
        self.sampler, self.drop_last = sampler, drop_last
        self.batch_size: int = integer(batch_size, "BatchSampler", "batch_size", 1)

    def order(self, generator: Seed = None) -> Iterator[np.ndarray]:
        """Yield the batches of one epoch, each an array of indices."""
        for batch in _chunks(epoch_order(self.sampler, generator), self.batch_size):
            if len(batch) == self.batch_size or not self.drop_last:
                yield batch

    def __len__(self) -> int:
        n = len(self.sampler)  # type: ignore[arg-type]  # TypeError for an iterable without a length
        return n // self.batch_size if self.drop_last else -(-n // self.batch_size)

    def __iter__(self) -> Iterator[list[int]]:
        return (np.asarray(batch).tolist() for batch in self.order())


def _chunks(indices, size):
    if isinstance(indices, np.ndarray):
        yield from (indices[start : start + size] for start in range(0, len(indices), size))
        return
    indices = iter(indices)
    while batch := [*islice(indices, size)]:
        yield np.asarray(batch)
