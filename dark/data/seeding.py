"""Random generators determined by seed, epoch and item; the number, seed and dataset of a worker process."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from dark.errors import ValueTypeError

ORDER, ITEM, WORKER = 0, 1, 2  # the purpose of a generator or seed, so that no two purposes share a stream


def epoch_generator(seed, epoch):
    """Return the generator of the order of an epoch, counted from 1."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(ORDER, epoch)))


def item_generator(seed, epoch, index, repeat=0):
    """Return the generator for the transform of an item that has occurred `repeat` times before in the epoch."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(ITEM, epoch, index, repeat)))


def derived_seed(seed, *key):
    """Return a seed below 2**62 for a purpose: a function of a seed and of further integers."""
    return int(np.random.SeedSequence(seed, spawn_key=key).generate_state(1, np.uint64)[0] >> 2)


def fresh_seed():
    """Draw a seed below 2**63 from Python's global generator, which `random.seed` and `manual_seed` set."""
    return random.getrandbits(63)


def as_generator(generator=None):
    """Return a generator: the given one, or one made from a seed; None draws a `fresh_seed`."""
    try:
        return np.random.default_rng(fresh_seed() if generator is None else generator)
    except (TypeError, ValueError) as error:
        raise ValueTypeError(
            f"generator: {generator!r} ({type(generator).__name__}): {error}.",
            "a NumPy Generator, or an integer seed, 0 or more.",
            "np.random.default_rng(0)",
        ) from None


@dataclass(frozen=True)
class WorkerInfo:
    """Information about a worker process of a `DataLoader`."""

    id: int  # counted from 0
    num_workers: int
    seed: int  # one number for each epoch, plus the number of the worker
    dataset: Any  # the copy in this worker


class _Process:
    """The state of this process: `info` is set once, when it becomes a worker."""

    info: WorkerInfo | None = None


def get_worker_info() -> WorkerInfo | None:
    """Return information about the worker process that this is called in; None in the main process.

    It has the attributes `id`, counted from 0, `num_workers`, `seed`, and `dataset`, the copy in this worker.

    >>> from dark.data import DataLoader, IterableDataset
    >>> class Shard(IterableDataset):
    ...     def __iter__(self):
    ...         worker = get_worker_info()
    ...         return iter(range(6) if worker is None else range(worker.id, 6, worker.num_workers))
    >>> [batch.tolist() for batch in DataLoader(Shard(), batch_size=2, num_workers=2)]
    [[0, 2], [1, 3], [4], [5]]
    """
    return _Process.info


@dataclass
class WorkerFetcher:
    """The fetcher of a worker: prepares the process before its first batch, and seeds it."""

    fetcher: Any
    num_workers: int
    worker_init_fn: Callable[[int], Any] | None
    number: int  # of this worker
    is_ready: bool = False

    def __call__(self, numbered: tuple[int, Any]) -> Any:
        """Load the batch of a task, given with the number of batches before it in the epoch."""
        (number, task), seed, epoch = numbered, self.fetcher.seed, self.fetcher.epoch
        if not self.is_ready:
            own = derived_seed(seed, WORKER, epoch) + self.number
            _Process.info = WorkerInfo(self.number, self.num_workers, own, self.fetcher.dataset)
            seed_process(own)
            if self.worker_init_fn is not None:
                self.worker_init_fn(self.number)
            self.is_ready = True
        if self.worker_init_fn is None and task is not None:  # so that a resumed epoch draws the same numbers
            seed_process(f"{seed}, {epoch}, {number}")
        return self.fetcher(task)


def seed_process(seed: int | str) -> None:
    """Seed the global generators of Python and NumPy."""
    random.seed(seed)
    np.random.seed(random.getrandbits(32))
