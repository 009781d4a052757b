"""The tasks of an epoch, and reading a batch, of a dataset or a stream: its items, transformed and collated."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from dark.checks import integer
from dark.data.collating import collate
from dark.data.dataset import get_item, has_batch_method, read
from dark.data.dataset_checks import as_indices
from dark.data.samplers import epoch_order
from dark.data.seeding import epoch_generator, get_worker_info, item_generator
from dark.distributed import LocalBatch
from dark.errors import EngineError, IndexingError, UsageError, ValueTypeError

MAX_NAMED = 8  # items named in a note


@dataclass(frozen=True)
class Task:
    """One batch to read: the indices (n,) of its items.

    `repeats` tells how often each item has already occurred in this epoch, None without a transform. If these are the
    items of one of several processes, `total` is the number of items of the global batch.
    """

    indices: Any
    repeats: Any = None
    total: int | None = None


def epoch_tasks(dataset, batch_sampler, transform, seed, epoch, share=None):
    """Yield the tasks of an epoch; with a strategy as `share`, only the tasks of this process."""
    samplers: tuple[Any, ...] = (batch_sampler, getattr(batch_sampler, "sampler", None))
    for sampler in samplers:
        if hasattr(sampler, "set_epoch"):  # the protocol of PyTorch's DistributedSampler
            sampler.set_epoch(epoch)
    seen: Counter[int] = Counter()
    for batch in epoch_order(batch_sampler, epoch_generator(seed, epoch)):
        indices = as_indices(batch, "DataLoader")
        task = Task(indices, None if transform is None else _count(indices % len(dataset), seen))
        if share is not None:  # the part that belongs to this process
            rows = share.rows(len(indices))
            task = Task(indices[rows], task.repeats and task.repeats[rows], len(indices))
        yield task


def _count(indices, seen):
    """Return how often each index occurred before, and count it."""
    repeats = []
    for index in indices.tolist():
        repeats.append(seen[index])
        seen[index] += 1
    return tuple(repeats)


@dataclass
class BatchFetcher:
    """Base class of the readers of an epoch's batches, in the main process or in a worker."""

    dataset: Any
    batch_sampler: Any
    collate_fn: Callable[..., Any] | None
    transform: Callable[..., Any] | None
    seed: int
    epoch: int


@dataclass
class Fetcher(BatchFetcher):
    """Reads the batches of a dataset that has a length, one for each task."""

    def __call__(self, task):
        """Read one batch, or the rows of this process; an error gets a note with the indices of the items."""
        if task.total is None:
            return self._read(task)
        return LocalBatch(self._read(task) if len(task.indices) else None, task.total)

    def _read(self, task):
        try:
            if self.transform is None and self.collate_fn is None and has_batch_method(self.dataset):
                return read(self.dataset, task.indices)
            return (self.collate_fn or collate)(self._items(task))
        except StopIteration as error:  # would end the loop over the batches, or be a RuntimeError of the generator
            first = ", ".join(map(str, task.indices[:MAX_NAMED]))
            raise EngineError(
                f"DataLoader: the dataset must not raise StopIteration, as in the batch of the items {first}.",
                "an item for each index below len(dataset).",
                "next(iterator, default) in __getitem__; or an IterableDataset, whose iterator may end.",
            ) from error
        except Exception as error:
            named = ", ".join(map(str, task.indices[:MAX_NAMED]))
            index_error = self._index_error(task.indices) if isinstance(error, IndexError) else None
            note = f"in the batch of the items {named}{', …' * (len(task.indices) > MAX_NAMED)}"
            (index_error or error).add_note(note)
            if index_error:
                raise index_error from error
            raise

    def _index_error(self, indices):
        """Return the error for an index that is out of range; None if all are in range."""
        n = len(self.dataset)
        out_of_range = indices[(indices < -n) | (indices >= n)]
        if not out_of_range.size:
            return None
        return IndexingError(
            f"DataLoader: index {out_of_range[0]} is out of range.",
            f"indices from 0 to {n - 1}.",
            "check the sampler; it may have been made for another dataset.",
        )

    def _items(self, task):
        items = [get_item(self.dataset, index) for index in task.indices.tolist()]
        if self.transform is None:
            return items
        n = len(self.dataset)
        return [
            self.transform(item, item_generator(self.seed, self.epoch, index % n, repeat))
            for item, index, repeat in zip(items, task.indices.tolist(), task.repeats)
        ]


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
class StreamFetcher(BatchFetcher):
    """Reads the batches of an epoch of an `IterableDataset` in order, in the main process or in a worker."""

    iterator: Any = field(default=None, repr=False)

    def __call__(self, task):
        """Return the next batch, or `EndOfStream`."""
        if self.iterator is None:
            self.iterator = self._read()
        return next(self.iterator, EndOfStream)

    def _read(self):
        items, size = self._items(), self.batch_sampler.batch_size
        if size is None:
            yield from items if self.collate_fn is None else map(self.collate_fn, items)
            return
        while batch := [*islice(items, size)]:
            if len(batch) == size or not self.batch_sampler.drop_last:
                yield (self.collate_fn or collate)(batch)

    def _items(self):
        worker = get_worker_info()
        number = worker.id if worker else 0
        for n, item in enumerate(self.dataset):
            if self.transform is not None:
                item = self.transform(item, item_generator(self.seed, self.epoch, n, number))
            yield item
