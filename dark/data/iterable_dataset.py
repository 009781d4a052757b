"""Datasets that are iterated over instead of indexed: streams, files that are read from start to end."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from dark.checks import integer
from dark.data.collating import collate
from dark.data.seeding import get_worker_info, item_generator
from dark.errors import UsageError, ValueTypeError


class IterableDataset(ABC):
    """Iterable-style dataset: subclasses define `__iter__`, which starts one epoch.

    Each worker of a `DataLoader` iterates over its own copy: use `get_worker_info` to give each worker a part of the
    items, or every item occurs once for each worker. A subclass that knows its number of items may define `__len__`.

    Examples
    --------
    >>> from dark.data import DataLoader
    >>> class Squares(IterableDataset):
    ...     def __iter__(self):
    ...         return (n**2 for n in range(5))
    >>> [batch.tolist() for batch in DataLoader(Squares(), batch_size=2)]
    [[0, 1], [4, 9], [16]]
    >>> list(DataLoader(Squares(), batch_size=None))
    [0, 1, 4, 9, 16]
    """

    @abstractmethod
    def __iter__(self) -> Iterator[Any]:
        """Return an iterator over the items of one epoch."""


class StreamBatches:
    """The batches of an `IterableDataset`: their size, None for single items; their number, if the dataset has one."""

    def __init__(self, dataset, batch_size, drop_last):
        self.dataset, self.drop_last = dataset, drop_last
        self.batch_size = None if batch_size is None else integer(batch_size, "DataLoader", "batch_size", 1)
        if batch_size is None and drop_last:
            problem = "DataLoader: batch_size=None and drop_last are mutually exclusive."
            raise UsageError(problem, "drop_last=False: without batches, none is incomplete.", "omit drop_last.")

    def __len__(self):
        if not hasattr(self.dataset, "__len__"):
            raise ValueTypeError(
                f"DataLoader: the number of batches is unknown: {type(self.dataset).__name__} has no length.",
                "an IterableDataset with `__len__`.",
                "define it, or count the batches while iterating; in Engine.run, epoch_length=…",
            )
        size, n = self.batch_size or 1, len(self.dataset)
        return n // size if self.drop_last else -(-n // size)


class EndOfStream:
    """The value that a `StreamFetcher` returns when the dataset is exhausted."""


@dataclass
class StreamFetcher:
    """Reads the batches of one epoch of an `IterableDataset` in order, in the main process or in a worker."""

    dataset: Any
    batches: StreamBatches
    collate_fn: Any
    transform: Any
    seed: int
    epoch: int
    iterator: Any = field(default=None, repr=False)

    def __call__(self, task):
        """Return the next batch, or `EndOfStream`."""
        if self.iterator is None:
            self.iterator = self._read()
        return next(self.iterator, EndOfStream)

    def _read(self):
        items, size = self._items(), self.batches.batch_size
        if size is None:
            yield from items if self.collate_fn is None else map(self.collate_fn, items)
            return
        while batch := [*islice(items, size)]:
            if len(batch) == size or not self.batches.drop_last:
                yield (self.collate_fn or collate)(batch)

    def _items(self):
        worker = get_worker_info()
        number = worker.id if worker else 0
        for n, item in enumerate(self.dataset):
            is_plain = self.transform is None
            yield item if is_plain else self.transform(item, item_generator(self.seed, self.epoch, n, number))
