"""A batch sampler that can leave out the batches that were had, without loading their items."""

import random

from dark.errors import ValueTypeError


class ReproducibleBatchSampler:
    """The batches of another batch sampler, drawn all at once, from a given one on.

    `DeterministicEngine` sets `start_iteration` when it resumes in the middle of a pass. A `dark.data.DataLoader`
    needs this only around a batch sampler of your own: it knows its own position otherwise.

    Parameters
    ----------
    batch_sampler : iterable of lists of int
        With a length. Where it has `order(generator)`, as the samplers of `dark.data` have, its order is drawn with a
        seed from Python's global generator, which `manual_seed` sets; any other draws as it does.
    start_iteration : int, optional
        How many batches the next pass leaves out; only that one.

    Raises
    ------
    ValueTypeError
        If it gives no batches, or has no length.

    Examples
    --------
    >>> sampler = ReproducibleBatchSampler([[0, 1], [2, 3], [4]], start_iteration=2)
    >>> list(sampler), len(sampler), list(sampler)
    ([[4]], 3, [[0, 1], [2, 3], [4]])
    """

    def __init__(self, batch_sampler, start_iteration=None):
        fits = all(hasattr(batch_sampler, name) for name in ("__iter__", "__len__"))
        if not fits or isinstance(batch_sampler, str):
            raise ValueTypeError(
                f"ReproducibleBatchSampler: Argument batch_sampler should be a batch sampler, got {batch_sampler!r}.",
                "an iterable of lists of indices, with a length.",
                "dark.data.BatchSampler(sampler, batch_size)",
            )
        self.batch_sampler, self.start_iteration = batch_sampler, start_iteration
        self.batch_indices = []

    def setup_batch_indices(self):
        """Draw the batches of a pass and leave out those that were had."""
        order = getattr(self.batch_sampler, "order", None)
        batches = list(self.batch_sampler if order is None else order(random.getrandbits(63)))
        self.batch_indices, self.start_iteration = batches[self.start_iteration or 0 :], None

    def __iter__(self):
        self.setup_batch_indices()
        return iter(self.batch_indices)

    def __len__(self):
        return len(self.batch_sampler)
