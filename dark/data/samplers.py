"""Samplers: the order in which items are read, and their batches.

A sampler here is a function, not a stream: `order(generator)` returns one epoch's indices and depends on nothing but
the generator, so that a loader can reproduce any epoch. Iterating over a sampler draws with a fresh generator.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from dark.checks import integer
from dark.data.dataset import Dataset
from dark.data.dataset_checks import as_floats, as_indices, check_sampler, checked_length
from dark.data.seeding import as_generator
from dark.errors import ShapeError, UsageError
from dark.spellings import KeywordAdvice

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from dark.typing import Seed
if TYPE_CHECKING:
    from dark.typing import Seed


class Sampler(KeywordAdvice, ABC):
    """Base class of samplers; subclasses define `order` and `__len__`.

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
    def order(self, generator: Seed = None) -> Any:
        """Return the indices of an epoch, drawn from a NumPy generator (a fresh one if None)."""

    @abstractmethod
    def __len__(self) -> int:
        """Return the number of indices per epoch."""

    def __iter__(self) -> Iterator[Any]:
        return iter(np.asarray(self.order()).tolist())


class SequentialSampler(Sampler):
    """Sample the items of a dataset in order.

    >>> list(SequentialSampler("abc"))
    [0, 1, 2]
    """

    def __init__(self, data_source: Dataset) -> None:
        checked_length(data_source, "SequentialSampler")
        self.data_source = data_source

    def order(self, generator: Seed = None) -> np.ndarray:
        """Return the indices in increasing order."""
        return np.arange(len(self.data_source))

    def __len__(self) -> int:
        return len(self.data_source)


class RandomSampler(Sampler):
    """Sample items randomly: a permutation, or draws with replacement, so that items may repeat.

    There are `num_samples` draws; by default, as many as items. Without replacement, one permutation follows another if
    there are more.

    >>> RandomSampler("abcd").order(np.random.default_rng(0)).tolist()
    [2, 0, 1, 3]
    """

    def __init__(self, data_source: Dataset, replacement: bool = False, num_samples: int | None = None) -> None:
        checked_length(data_source, "RandomSampler")
        self.data_source, self.replacement = data_source, replacement
        self.num_samples: int | None = num_samples
        if num_samples is not None:
            self.num_samples = integer(num_samples, "RandomSampler", "num_samples", 1)

    def order(self, generator: Seed = None) -> np.ndarray:
        """Draw the indices of an epoch."""
        rng, n = as_generator(generator), len(self.data_source)
        if self.replacement:
            return rng.integers(n, size=len(self))
        rounds = -(-len(self) // n)
        return np.concatenate([rng.permutation(n) for _ in range(rounds)])[: len(self)]

    def __len__(self) -> int:
        return len(self.data_source) if self.num_samples is None else self.num_samples


class SubsetRandomSampler(Sampler):
    """Sample from an array (n,) of indices randomly, without replacement.

    >>> sorted(SubsetRandomSampler([7, 3, 5]))
    [3, 5, 7]
    """

    def __init__(self, indices: np.ndarray | Iterable[int]) -> None:
        self.indices: np.ndarray = as_indices(indices, "SubsetRandomSampler")

    def order(self, generator: Seed = None) -> np.ndarray:
        """Shuffle the indices."""
        return as_generator(generator).permutation(self.indices)

    def __len__(self) -> int:
        return len(self.indices)


class WeightedRandomSampler(Sampler):
    """Sample indices with probabilities proportional to the weights, one per item, 0 or more.

    They need not sum to 1. With `replacement`, an index may be drawn more than once.

    >>> set(WeightedRandomSampler([0, 1, 3], 50))
    {1, 2}
    """

    def __init__(self, weights: ArrayLike, num_samples: int, replacement: bool = True) -> None:
        self.weights: np.ndarray = as_floats(weights, "WeightedRandomSampler", "weights")
        self.num_samples: int = integer(num_samples, "WeightedRandomSampler", "num_samples", 1)
        self.replacement = replacement
        if self.weights.ndim != 1:
            shape = self.weights.shape
            problem = f"WeightedRandomSampler: weights must be one-dimensional, got shape {shape}."
            raise ShapeError(problem, "shape (n,).", "np.ravel(weights)")
        invalid = ~(self.weights >= 0) | np.isinf(self.weights)
        if invalid.any():
            n = int(np.flatnonzero(invalid)[0])
            raise UsageError(
                f"WeightedRandomSampler: weights must be finite and not negative, got {self.weights[n]} at index {n}.",
                "finite weights, 0 or more.",
                "(1 / np.bincount(targets))[targets], which balances the classes",
            )
        positive, needed = np.count_nonzero(self.weights), 1 if self.replacement else self.num_samples
        if positive < needed:
            raise UsageError(
                f"WeightedRandomSampler: cannot draw {self.num_samples} samples from {positive} positive weights.",
                f"{needed} or more positive weights.",
                "check how the weights were computed, or replacement=True.",
            )

    def order(self, generator: Seed = None) -> np.ndarray:
        """Draw the indices of an epoch."""
        probabilities = self.weights / self.weights.sum()
        return as_generator(generator).choice(len(probabilities), self.num_samples, self.replacement, probabilities)

    def __len__(self) -> int:
        return self.num_samples


def epoch_order(sampler, generator):
    """Return one epoch of a sampler: drawn from the generator, or, for a plain iterable, by iterating over it."""
    return sampler.order(generator) if isinstance(sampler, Sampler) else iter(sampler)


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
        """Yield the batches of an epoch, each an array of indices."""
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
