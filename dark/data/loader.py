"""The loader: a dataset in batches, epoch after epoch, in an order that can be made again from any place."""

from collections import Counter
from contextlib import closing
from functools import partial
from itertools import chain

from dark.data.dataset_checks import as_indices, checked_length, whole
from dark.data.fetcher import Fetcher, Task
from dark.data.loader_arguments import check_batch_sampler, check_callables, check_not_empty, make_batch_sampler
from dark.data.loader_iterator import LoaderIterator, Position, checked_state
from dark.data.samplers import epoch_order
from dark.data.seeding import epoch_generator, fresh_seed
from dark.data.workers import prefetch, processes


class DataLoader:
    """A dataset in batches; each `for batch in loader` is one epoch.

    Parameters
    ----------
    dataset : Dataset
        Anything with a length and items, see `dark.data.Dataset`.
    batch_size : int, default 1
        Items a batch; the last batch of an epoch may be smaller.
    shuffle : bool, default False
        Another order in each epoch.
    sampler : Sampler or iterable of int, optional
        Instead of `shuffle`: the order.
    batch_sampler : iterable of lists of int, optional
        Instead of `batch_size`, `shuffle`, `sampler` and `drop_last`: the batches.
    num_workers : int, default 0
        Processes that read ahead. 0 reads in this process. The batches are the same for any number.
    collate_fn : callable, optional
        Makes a batch of a list of items; `dark.data.collate` if not given.
    drop_last : bool, default False
        Leave out the last batch where it is not full.
    seed : int, optional
        0 or more: the root of everything random. Drawn from Python's global generator if not given.
    transform : callable, optional
        ``transform(item, generator)`` is called for every item when it is read, see the notes.
    prefetch_factor : int, default 2
        LoaderIterator that each worker reads ahead.
    timeout : float, default 0
        Seconds to wait for a worker's batch before that is an error; 0 waits for ever.
    multiprocessing_context : str, optional
        How workers are started: "fork", "spawn" or "forkserver"; "fork" on Linux if not given.

    Attributes
    ----------
    seed : int
    epoch : int
        The epoch begun last, counted from 1; 0 before the first.
    position : int
        How many batches of it have been given.

    Raises
    ------
    UsageError
        If an argument makes no sense, two exclude each other, the dataset is empty, or no batch is left.
    ValueTypeError
        If an argument is of the wrong type.

    Notes
    -----
    *Randomness.* The order of an epoch is a function of (seed, epoch). A transform gets its generator from the
    loader: a NumPy generator of its own for each item, a function of (seed, epoch, index of the item, how often the
    item came before in this epoch). So an item meets other numbers in each epoch, and the same ones whatever the
    batch size and the number of workers. A dataset or transform that draws from `np.random` directly has none of
    this, and forked workers would all draw the same.

    *Resuming.* `state_dict` in the middle of an epoch, `load_state_dict` into a loader made alike: the next
    iteration gives exactly the batches that were left, and the epochs after it are those of the uninterrupted run.
    Where a loader is used by several loops at once, each iterator tells its own place by its `state_dict`: an evaluator
    that runs over the data of a trainer leaves the trainer's place alone. The loader itself tells that of the
    iteration begun last.

    *Speed.* Where the dataset offers whole batches (`TensorDataset`, arrays, a `Subset` of these) and there is no
    `transform` and no `collate_fn`, a batch is one indexing of each array.

    *Workers* are started for each epoch and end with it, also when a loop is left in the middle. An error in a
    worker is raised here, with a note that holds its traceback.

    Examples
    --------
    >>> import numpy as np
    >>> loader = DataLoader(np.arange(10), batch_size=4)
    >>> len(loader), [batch.tolist() for batch in loader]
    (3, [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]])
    >>> shuffled = DataLoader(np.arange(10), batch_size=4, shuffle=True, seed=0)
    >>> batches = iter(shuffled)
    >>> first, state = next(batches), shuffled.state_dict()
    >>> again = DataLoader(np.arange(10), batch_size=4, shuffle=True)
    >>> again.load_state_dict(state)
    >>> [a.tolist() for a in again] == [b.tolist() for b in batches]
    True
    """

    def __init__(
        self,
        dataset,
        batch_size=1,
        shuffle=False,
        *,
        sampler=None,
        batch_sampler=None,
        num_workers=0,
        collate_fn=None,
        drop_last=False,
        seed=None,
        transform=None,
        prefetch_factor=2,
        timeout=0,
        multiprocessing_context=None,
    ):
        items = checked_length(dataset, "DataLoader")
        self.dataset, self.collate_fn, self.transform = dataset, collate_fn, transform
        self.seed = fresh_seed() if seed is None else whole(seed, "DataLoader", "seed")
        self.num_workers = whole(num_workers, "DataLoader", "num_workers")
        self.prefetch_factor = whole(prefetch_factor, "DataLoader", "prefetch_factor", 1)
        self.timeout, self.multiprocessing_context = timeout, multiprocessing_context
        check_callables(transform, collate_fn, timeout)
        if batch_sampler is None:
            batch_sampler = make_batch_sampler(dataset, batch_size, shuffle, sampler, drop_last)
        else:
            check_batch_sampler(batch_sampler, batch_size, shuffle, sampler, drop_last)
        check_not_empty(batch_sampler, items)
        self.batch_sampler = batch_sampler
        self._position, self._begun = Position(), 0
        self._resumes = False

    @property
    def batch_size(self):
        """How many items a batch has; None where a batch sampler decides."""
        return getattr(self.batch_sampler, "batch_size", None)

    @property
    def epoch(self):
        """The epoch begun last, counted from 1; 0 before the first."""
        return self._position.epoch

    @property
    def position(self):
        """How many batches of that epoch have been given."""
        return self._position.batches

    def __len__(self):
        return len(self.batch_sampler)

    def __iter__(self):
        if self._resumes:
            batches, is_empty = self._iterate(self.epoch, self.position)
            if not (is_empty and self.position):
                return batches
        return self._iterate(self._begun + 1, 0)[0]

    def rest(self):
        """Iterate over what is left of the epoch that `load_state_dict` went to.

        Returns
        -------
        LoaderIterator
            Nothing, if the state was that of an epoch's end, where a loop over the loader begins the next epoch; the
            next epoch if no state was loaded since the last loop.

        Examples
        --------
        >>> loader = DataLoader([1, 2, 3], batch_size=2)
        >>> loader.load_state_dict({"seed": 0, "epoch": 1, "position": 2, "items": 3, "batch_size": 2})
        >>> len(list(loader.rest())), len(list(loader)), loader.epoch
        (0, 2, 2)
        """
        return self._iterate(self.epoch, self.position)[0] if self._resumes else iter(self)

    def _iterate(self, epoch, done):
        """Begin an iteration; return it, and whether it is empty."""
        tasks, self._resumes = self._tasks(epoch, done), False
        first = next(tasks, None)
        self._position, self._begun = Position(epoch, done), max(epoch, self._begun)
        batches = self._batches(tasks if first is None else chain([first], tasks), self._position)
        return LoaderIterator(batches, partial(self._state, self.seed, self._position)), first is None

    def state_dict(self):
        """Say where we are, in numbers that any format can hold.

        Returns
        -------
        dict
            Keys `seed`, `epoch`, `position`, and, to recognise the loader, `items` and `batch_size`. If another
            iteration has begun a later epoch meanwhile, also `begun`, that epoch.

        Examples
        --------
        >>> DataLoader([1, 2, 3], batch_size=2, seed=5).state_dict()
        {'seed': 5, 'epoch': 0, 'position': 0, 'items': 3, 'batch_size': 2}
        """
        return self._state(self.seed, self._position)

    def _state(self, seed, position):
        state = {"seed": seed, "epoch": position.epoch, "position": position.batches}
        state |= {"items": len(self.dataset), "batch_size": self.batch_size}
        return state | {"begun": self._begun} if self._begun != position.epoch else state

    def load_state_dict(self, state):
        """Go on from where another loader was when its `state_dict` was taken.

        Parameters
        ----------
        state : dict
            From `state_dict` of a loader of as many items in batches of the same size.

        Raises
        ------
        UsageError
            If it has other keys, or comes from a loader of other data or batches; nothing is changed then.
        """
        self.seed, self._position, self._begun = checked_state(state, self.state_dict())
        self._resumes = self._position.epoch > 0

    def __repr__(self):
        try:
            batches = f"{len(self)} batches"
        except TypeError:
            batches = "batches"
        size = f" of {self.batch_size}" * (self.batch_size is not None)
        return f"DataLoader({len(self.dataset)} items in {batches}{size}, seed {self.seed}, epoch {self.epoch})"

    def _tasks(self, epoch, done):
        """Give the tasks of an epoch that are left after some."""
        for sampler in (self.batch_sampler, getattr(self.batch_sampler, "sampler", None)):
            if hasattr(sampler, "set_epoch"):  # PyTorch's way to tell a sampler
                sampler.set_epoch(epoch)
        seen = Counter()
        batches = epoch_order(self.batch_sampler, epoch_generator(self.seed, epoch))
        for number, batch in enumerate(batches):
            indices = as_indices(batch, "DataLoader")
            repeats = None if self.transform is None else _count(indices % len(self.dataset), seen)
            if number >= done:
                yield Task(indices, repeats)

    def _batches(self, tasks, position):
        reader = Fetcher(self.dataset, self.collate_fn, self.transform, self.seed, position.epoch)
        with closing(self._read(tasks, reader)) as batches:
            for batch in batches:
                position.batches += 1
                yield batch

    def _read(self, tasks, reader):
        if not self.num_workers:
            for task in tasks:
                yield reader(task)
            return
        context = processes(self.multiprocessing_context)
        yield from prefetch(tasks, reader, context, self.num_workers, self.prefetch_factor, self.timeout)


def _count(indices, seen):
    """Say for each index how often it was seen before, and count it."""
    repeats = []
    for index in indices.tolist():
        repeats.append(seen[index])
        seen[index] += 1
    return tuple(repeats)
