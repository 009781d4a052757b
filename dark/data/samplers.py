"""The order in which items are read: one by one, shuffled, weighted, in batches.

A sampler of ours is a rule and no stream: `order(generator)` gives one epoch's indices and depends on nothing but
the generator, so that a loader can make any epoch again. Iterating over a sampler draws with a fresh generator.
"""

from abc import ABC, abstractmethod
from itertools import islice

import numpy as np

from dark.data.dataset_checks import as_floats, as_indices, checked_length, whole
from dark.data.seeding import as_generator
from dark.errors import ShapeError, UsageError, ValueTypeError


class Sampler(ABC):
    """The rule for one epoch's order; write `order` and `__len__` for one of your own.

    Examples
    --------
    >>> class Backwards(Sampler):
    ...     def order(self, generator=None):
    ...         return np.arange(3)[::-1]
    ...
    ...     def __len__(self):
    ...         return 3
    >>> list(Backwards())
    [2, 1, 0]
    """

    @abstractmethod
    def order(self, generator=None):
        """Give the indices of one epoch, drawn with a NumPy generator (a fresh one if None)."""

    @abstractmethod
    def __len__(self):
        """Count the indices of an epoch."""

    def __iter__(self):
        return iter(np.asarray(self.order()).tolist())


class SequentialSampler(Sampler):
    """0, 1, 2, … to the end of a dataset.

    Parameters
    ----------
    data_source : Dataset

    Examples
    --------
    >>> list(SequentialSampler("abc"))
    [0, 1, 2]
    """

    def __init__(self, data_source):
        checked_length(data_source, "SequentialSampler")
        self.data_source = data_source

    def order(self, generator=None):
        """Give the indices from 0 on."""
        return np.arange(len(self.data_source))

    def __len__(self):
        return len(self.data_source)


class RandomSampler(Sampler):
    """Every index once, shuffled; or draws with replacement.

    Parameters
    ----------
    data_source : Dataset
    replacement : bool, default False
        Draw each index on its own, so that some come twice and some not at all.
    num_samples : int, optional
        How many to draw; as many as there are items if not given. Without replacement and above that number, one
        shuffle follows another.

    Examples
    --------
    >>> RandomSampler("abcd").order(np.random.default_rng(0)).tolist()
    [2, 0, 1, 3]
    """

    def __init__(self, data_source, replacement=False, num_samples=None):
        checked_length(data_source, "RandomSampler")
        self.data_source, self.replacement = data_source, replacement
        self.num_samples = None if num_samples is None else whole(num_samples, "RandomSampler", "num_samples", 1)

    def order(self, generator=None):
        """Draw the indices of one epoch."""
        generator, n = as_generator(generator), len(self.data_source)
        if self.replacement:
            return generator.integers(n, size=len(self))
        rounds = -(-len(self) // n)
        return np.concatenate([generator.permutation(n) for _ in range(rounds)])[: len(self)]

    def __len__(self):
        return len(self.data_source) if self.num_samples is None else self.num_samples


class SubsetRandomSampler(Sampler):
    """Some indices, shuffled.

    Parameters
    ----------
    indices : array of int, shape (n,)

    Examples
    --------
    >>> sorted(SubsetRandomSampler([7, 3, 5]))
    [3, 5, 7]
    """

    def __init__(self, indices):
        self.indices = as_indices(indices, "SubsetRandomSampler")

    def order(self, generator=None):
        """Shuffle the indices."""
        return as_generator(generator).permutation(self.indices)

    def __len__(self):
        return len(self.indices)


class WeightedRandomSampler(Sampler):
    """Indices drawn in proportion to their weights.

    Parameters
    ----------
    weights : array, shape (n,)
        One for each item, 0 or more; they need not sum to 1.
    num_samples : int
        How many to draw.
    replacement : bool, default True
        Whether an index may come twice.

    Raises
    ------
    UsageError
        If a weight is negative, infinite or NaN, all are 0, or too few are above 0 to draw without replacement.
    ShapeError
        If the weights are no flat list.

    Examples
    --------
    >>> set(WeightedRandomSampler([0, 1, 3], 50))
    {1, 2}
    """

    def __init__(self, weights, num_samples, replacement=True):
        self.weights = as_floats(weights, "WeightedRandomSampler", "weights")
        self.num_samples, self.replacement = whole(num_samples, "WeightedRandomSampler", "num_samples", 1), replacement
        if self.weights.ndim != 1:
            shape = self.weights.shape
            raise ShapeError(f"WeightedRandomSampler: weights of shape {shape}.", "shape (n,).", "np.ravel(weights)")
        self._check_weights()

    def _check_weights(self):
        wrong = ~(self.weights >= 0) | np.isinf(self.weights)
        if wrong.any():
            n = int(np.flatnonzero(wrong)[0])
            raise UsageError(
                f"WeightedRandomSampler: weight {n} is {self.weights[n]}.", "0 or more.", "1 / the size of its class"
            )
        above, needed = np.count_nonzero(self.weights), 1 if self.replacement else self.num_samples
        if above < needed:
            raise UsageError(
                f"WeightedRandomSampler: {above} weights are above 0, to draw {self.num_samples}.",
                f"{needed} or more.",
                "look at how the weights were made; replacement=True draws an index twice.",
            )

    def order(self, generator=None):
        """Draw the indices of one epoch."""
        share = self.weights / self.weights.sum()
        return as_generator(generator).choice(len(share), self.num_samples, self.replacement, share)

    def __len__(self):
        return self.num_samples


class BatchSampler(Sampler):
    """The indices of another sampler, in batches.

    Parameters
    ----------
    sampler : Sampler or iterable of int
        Where the indices come from. One that is not ours must give an epoch each time it is iterated over.
    batch_size : int
        How many indices make a batch, 1 or more.
    drop_last : bool, default False
        Leave out the last batch where it is not full.

    Examples
    --------
    >>> list(BatchSampler(range(5), 2))
    [[0, 1], [2, 3], [4]]
    """

    def __init__(self, sampler, batch_size, drop_last=False):
        check_sampler(sampler, "BatchSampler", "sampler")
        self.sampler, self.drop_last = sampler, drop_last
        self.batch_size = whole(batch_size, "BatchSampler", "batch_size", 1)

    def order(self, generator=None):
        """Give the batches of one epoch one after the other, each an array of indices."""
        for batch in _pieces(epoch_order(self.sampler, generator), self.batch_size):
            if len(batch) == self.batch_size or not self.drop_last:
                yield batch

    def __len__(self):
        n = len(self.sampler)
        return n // self.batch_size if self.drop_last else -(-n // self.batch_size)

    def __iter__(self):
        return (np.asarray(batch).tolist() for batch in self.order())


def _pieces(indices, size):
    if isinstance(indices, np.ndarray):
        yield from (indices[start : start + size] for start in range(0, len(indices), size))
        return
    indices = iter(indices)
    while batch := [*islice(indices, size)]:
        yield np.asarray(batch)


def epoch_order(sampler, generator):
    """Give one epoch of any sampler: ours by the generator, another by iterating over it."""
    return sampler.order(generator) if isinstance(sampler, Sampler) else iter(sampler)


def check_sampler(sampler, who, name):
    """Refuse what cannot be iterated over, or only once.

    Raises
    ------
    ValueTypeError
        If it is no iterable, or an iterator.
    """
    if not hasattr(sampler, "__iter__") or hasattr(sampler, "__next__"):
        what = "is used up after one epoch" if hasattr(sampler, "__next__") else "gives no indices"
        raise ValueTypeError(
            f"{who}: {name} is of type {type(sampler).__name__}, which {what}.",
            "something that gives the indices of an epoch each time it is iterated over.",
            "list(…) around an iterator, or a class with `order`, from dark.data.Sampler.",
        )
