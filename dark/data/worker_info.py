"""The number, seed and dataset of a worker process, and the seeds of its global random generators."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from dark.data.seeding import derived_seed

WORKER = 2  # the purpose of a seed, besides those of `seeding`


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

    Examples
    --------
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
    """The fetcher of one worker: prepares the process before its first batch, and seeds it."""

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
