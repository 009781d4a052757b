"""The data loader: batches of a dataset, in an order that is reproducible from any position."""

from collections.abc import Callable, Iterable
from functools import partial
from itertools import chain, islice, repeat
from typing import Any

from dark.checks import integer, number
from dark.data.dataset import Dataset, IterableDataset
from dark.data.dataset_checks import length_or_none
from dark.data.fetcher import Fetcher, StreamFetcher, epoch_tasks
from dark.data.loader_arguments import check_callables, make_batches, seed_of, share_of
from dark.data.loader_iterator import LoaderIterator, Position, checked_state, count_batches, read_here
from dark.data.samplers import Sampler
from dark.data.seeding import WorkerFetcher
from dark.data.workers import prefetch
from dark.distributed import Strategy
from dark.spellings import KeywordAdvice


class DataLoader(KeywordAdvice):
    """Load a dataset in batches; each `for batch in loader` is one epoch.

    Parameters
    ----------
    dataset : Dataset or IterableDataset
    batch_size : int, default 1
        Items per batch; the last batch of an epoch may be smaller. For an `IterableDataset` also None: single items.
    shuffle : bool, default False
        Reshuffle the items in each epoch.
    sampler, batch_sampler : Sampler or iterable of int, or of lists of int, optional
        The order of the items, which excludes `shuffle`; or the batches, which excludes all these and `drop_last`.
    num_workers, prefetch_factor : int, default 0 and 2
        The number of worker processes, and of the batches that each loads in advance; 0 workers: in the main process.
        The batches do not depend on it.
    collate_fn : callable, optional
        Merges a list of items into a batch; default `dark.data.collate`.
    drop_last : bool, default False
        Drop the last batch if it is incomplete.
    seed : int, optional
        The seed of the order and of the transforms, 0 or more. Default: drawn from Python's global generator, with
        several processes by the first.
    transform : callable, optional
        Called as ``transform(item, generator)`` for every item that is read, see Notes.
    timeout : float, default 0
        Seconds to wait for a batch from a worker before raising; 0 means no timeout.
    multiprocessing_context : str, optional
        The start method of the workers: "fork", "spawn" or "forkserver"; default "fork" on Linux.
    strategy : Strategy, optional
        Of `dark.distributed`: with several processes, each reads its rows of every batch, as a `LocalBatch`.
    worker_init_fn : callable, optional
        Called as ``worker_init_fn(worker_id)`` in each worker before its first batch, after it has been seeded.

    Notes
    -----
    *Randomness.* The order of an epoch is a function of (seed, epoch). The loader passes a NumPy generator to the
    transform, a function of (seed, epoch, index of the item, number of its occurrences so far in this epoch). So each
    epoch draws anew, and the draws do not depend on the batch size or the number of workers. For a dataset that uses
    `np.random` or `random` directly, each worker seeds them with the number of the worker plus a number of (seed,
    epoch), `get_worker_info().seed`. Without a `worker_init_fn` they are seeded again for each batch, so that a resumed
    epoch draws the same numbers. In the main process (`num_workers=0`) they are not seeded.

    *Streams.* Each worker iterates over its own copy of an `IterableDataset`, and the batches of the workers take
    turns. `len` of the loader is unknown unless the dataset has a length.

    *Resuming.* After `load_state_dict` with a `state_dict` taken in the middle of an epoch, the next iteration yields
    exactly the remaining batches, and later epochs are as in the uninterrupted run (an `IterableDataset` is read again
    up to the position, and has to yield the same items again). If several loops use a loader at once, the
    `state_dict` of each iterator is its own position: an evaluator that iterates over the trainer's loader does not
    change the trainer's position. The `state_dict` of the loader is the position of the iteration started last.

    *Speed.* If the dataset has a `batch` method (`TensorDataset`, arrays, a `Subset` of these) and there is no
    `transform` and no `collate_fn`, a batch is one indexing of each array.

    *Workers* are started for each epoch and terminated with it, even if a loop is left early. An exception in a
    worker is raised here, with a note that contains its traceback.

    Examples
    --------
    >>> loader = DataLoader(np.arange(10), batch_size=4)
    >>> len(loader), [batch.tolist() for batch in loader]
    (3, [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]])
    >>> shuffled = DataLoader(np.arange(10), batch_size=4, shuffle=True, seed=0)
    >>> batches = iter(shuffled)
    >>> first, state = next(batches), shuffled.state_dict()
    >>> resumed = DataLoader(np.arange(10), batch_size=4, shuffle=True)
    >>> resumed.load_state_dict(state)
    >>> [a.tolist() for a in resumed] == [b.tolist() for b in batches]
    True
    """

    def __init__(
        self,
        dataset: Dataset | IterableDataset,
        batch_size: int | None = 1,
        shuffle: bool = False,
        *,
        sampler: Sampler | Iterable[int] | None = None, batch_sampler: Iterable[Any] | None = None,
        num_workers: int = 0, collate_fn: Callable[[list[Any]], Any] | None = None, drop_last: bool = False,
        seed: int | None = None, transform: Callable[[Any, Any], Any] | None = None, prefetch_factor: int = 2,
        timeout: float = 0, multiprocessing_context: str | None = None,
        worker_init_fn: Callable[[int], Any] | None = None, strategy: Strategy | None = None,
    ) -> None:  # fmt: skip
        self.dataset, self.collate_fn, self.transform = dataset, collate_fn, transform
        self._share = share_of(strategy, dataset)
        self.seed: int = seed_of(seed, self._share)
        self.num_workers: int = integer(num_workers, "DataLoader", "num_workers", 0)
        self.prefetch_factor: int = integer(prefetch_factor, "DataLoader", "prefetch_factor", 1)
        check_callables(worker_init_fn=worker_init_fn, transform=transform, collate_fn=collate_fn)
        self.timeout: float = number(timeout, "DataLoader", "timeout", least=0, advice="0 means no timeout.")
        self.multiprocessing_context, self.worker_init_fn = multiprocessing_context, worker_init_fn
        self.batch_sampler: Any = make_batches(dataset, batch_size, shuffle, sampler, batch_sampler, drop_last)
        self._position, self._last_epoch = Position(), 0
        self._is_resuming = False

    @property
    def batch_size(self) -> int | None:
        """Items per batch; None if a batch sampler determines it."""
        return getattr(self.batch_sampler, "batch_size", None)

    @property
    def epoch(self) -> int:
        """The epoch started last, counted from 1; 0 before the first."""
        return self._position.epoch

    @property
    def position(self) -> int:
        """The number of batches of that epoch yielded so far."""
        return self._position.batches

    def __len__(self) -> int:
        return len(self.batch_sampler)

    def __iter__(self) -> LoaderIterator:
        if self._is_resuming:
            batches, is_empty = self._iterate(self.epoch, self.position)
            if not (is_empty and self.position):
                return batches
        return self._iterate(self._last_epoch + 1, 0)[0]

    def rest(self) -> LoaderIterator:
        """Return an iterator over the remaining batches of the epoch set by `load_state_dict`.

        It is empty if the state was taken at the end of an epoch, when iterating over the loader starts the next epoch.
        If no state was loaded since the last loop, it is the next epoch.

        >>> loader = DataLoader([1, 2, 3], batch_size=2)
        >>> loader.load_state_dict({"seed": 0, "epoch": 1, "position": 2, "items": 3, "batch_size": 2})
        >>> len(list(loader.rest())), len(list(loader)), loader.epoch
        (0, 2, 2)
        """
        return self._iterate(self.epoch, self.position)[0] if self._is_resuming else iter(self)

    def _iterate(self, epoch, done):
        """Start an iteration; return it, and whether it is empty."""
        own, ahead = (self.dataset, self.batch_sampler, self.collate_fn, self.transform, self.seed, epoch), []
        if isinstance(self.dataset, IterableDataset):
            batches = self._read(repeat(None), StreamFetcher(*own), 0)
            ahead = [*islice(batches, done, done + 1)] if done else []  # a stream is read up to the position
            is_empty = bool(done) and not ahead
        else:
            tasks = epoch_tasks(self.dataset, self.batch_sampler, self.transform, self.seed, epoch, self._share)
            tasks = islice(tasks, done, None)
            first = [*islice(tasks, 1)]
            batches, is_empty = self._read(chain(first, tasks), Fetcher(*own), done), not first
        self._is_resuming = False
        self._position, self._last_epoch = Position(epoch, done), max(epoch, self._last_epoch)
        counted = count_batches(batches, ahead, self._position)
        return LoaderIterator(counted, partial(self._state, self.seed, self._position)), is_empty

    def state_dict(self) -> dict[str, Any]:
        """Return the position as a dict of plain numbers.

        The keys are `seed`, `epoch`, `position`, and, to identify the loader, `items` and `batch_size`. If another
        iteration has started a later epoch meanwhile, also `begun`, that epoch.

        >>> DataLoader([1, 2, 3], batch_size=2, seed=5).state_dict()
        {'seed': 5, 'epoch': 0, 'position': 0, 'items': 3, 'batch_size': 2}
        """
        return self._state(self.seed, self._position)

    def _state(self, seed, position):
        state = {"seed": seed, "epoch": position.epoch, "position": position.batches}
        state |= {"items": length_or_none(self.dataset), "batch_size": self.batch_size}
        return state | {"begun": self._last_epoch} if self._last_epoch != position.epoch else state

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Resume at the position of another loader, with the same number of items and the same batch size.

        A state of other data or batches is refused, and changes nothing.
        """
        self.seed, self._position, self._last_epoch = checked_state(state, self.state_dict())
        self._is_resuming = self._position.epoch > 0

    def __repr__(self) -> str:
        items, batches = length_or_none(self.dataset), length_or_none(self)
        what = f"{type(self.dataset).__name__}" if items is None else f"{items} items"
        size = f" of {self.batch_size}" * (self.batch_size is not None)
        number = "" if batches is None else f"{batches} "
        return f"DataLoader({what} in {number}batches{size}, seed {self.seed}, epoch {self.epoch})"

    def _read(self, tasks, fetcher, done):
        if not self.num_workers:
            return read_here(tasks, fetcher)
        make_fetcher = partial(WorkerFetcher, fetcher, self.num_workers, self.worker_init_fn)
        numbered = enumerate(tasks, done)
        return prefetch(
            numbered, make_fetcher, self.multiprocessing_context, self.num_workers, self.prefetch_factor, self.timeout
        )
