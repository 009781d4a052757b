"""A batch sampler that can skip the batches already consumed, without loading their items."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator

from dark.checks import integer
from dark.errors import ValueTypeError


class ReproducibleBatchSampler:
    """The batches of another batch sampler, drawn all at once, starting at a given one.

    `DeterministicEngine` sets `start_iteration` when it resumes within a pass. A `dark.data.DataLoader` needs this only
    for a custom batch sampler: otherwise it loads its own position.

    Parameters
    ----------
    batch_sampler : iterable of lists of int
        With a length. If it has `order(generator)`, as the samplers of `dark.data` have, its order is drawn with a
        seed from Python's global generator, which `manual_seed` sets.
    start_iteration : int, optional
        The number of batches that the next pass skips; later passes are complete.

    Examples
    --------
    >>> sampler = ReproducibleBatchSampler([[0, 1], [2, 3], [4]], start_iteration=2)
    >>> list(sampler), len(sampler), list(sampler)
    ([[4]], 3, [[0, 1], [2, 3], [4]])
    """

    def __init__(self, batch_sampler: Collection[list[int]], start_iteration: int | None = None) -> None:
        fits = all(hasattr(batch_sampler, name) for name in ("__iter__", "__len__"))
        if not fits or isinstance(batch_sampler, str):
            raise ValueTypeError(
                f"ReproducibleBatchSampler: Argument batch_sampler should be a batch sampler, got {batch_sampler!r}.",
                "an iterable of lists of indices, with a length.",
                "dark.data.BatchSampler(sampler, batch_size)",
            )
        if start_iteration is not None:
            start_iteration = integer(start_iteration, "ReproducibleBatchSampler", "start_iteration", 0)
        self.batch_sampler, self.start_iteration = batch_sampler, start_iteration
        self.batch_indices: list[list[int]] = []

    def setup_batch_indices(self) -> None:
        """Draw the batches of a pass, without the skipped ones."""
        order = getattr(self.batch_sampler, "order", None)
        batches = list(self.batch_sampler if order is None else order(random.getrandbits(63)))
        self.batch_indices, self.start_iteration = batches[self.start_iteration or 0 :], None

    def __iter__(self) -> Iterator[list[int]]:
        self.setup_batch_indices()
        return iter(self.batch_indices)

    def __len__(self) -> int:
        return len(self.batch_sampler)
