"""Checks of the arguments of a `DataLoader`, and the batch sampler that they describe."""

from dark.checks import callable_with, describe, integer, number
from dark.data.dataset_checks import check_sampler, checked_length, length_or_none
from dark.data.iterable_dataset import IterableDataset, StreamBatches, check_stream_arguments
from dark.data.samplers import BatchSampler, RandomSampler, SequentialSampler
from dark.data.seeding import fresh_seed
from dark.distributed import Strategy
from dark.errors import UsageError, ValueTypeError


def make_batches(dataset, batch_size, shuffle, sampler, batch_sampler, drop_last):
    """Return the batch sampler of a loader, or the `StreamBatches` of an `IterableDataset`.

    Raises
    ------
    UsageError, ValueTypeError
        If an argument is out of range or of the wrong type, arguments are mutually exclusive, or the loader is empty.
    """
    if isinstance(dataset, IterableDataset):
        check_stream_arguments(shuffle, sampler, batch_sampler)
        return StreamBatches(dataset, batch_size, drop_last)
    items = checked_length(dataset, "DataLoader")
    if batch_sampler is None:
        batch_sampler = make_batch_sampler(dataset, batch_size, shuffle, sampler, drop_last)
    else:
        check_batch_sampler(batch_sampler, batch_size, shuffle, sampler, drop_last)
    check_not_empty(batch_sampler, items)
    return batch_sampler


def make_batch_sampler(dataset, batch_size, shuffle, sampler, drop_last):
    """Return the batch sampler of a loader that was not given one.

    Raises
    ------
    UsageError
        If both `shuffle` and `sampler` are given, or `batch_size` is below 1.
    """
    integer(batch_size, "DataLoader", "batch_size", 1)
    if sampler is None:
        sampler = RandomSampler(dataset) if shuffle else SequentialSampler(dataset)
    elif shuffle:
        raise UsageError(
            "DataLoader: shuffle and sampler are mutually exclusive.", "only one of them: both set the order.",
            "omit shuffle.",
        )  # fmt: skip
    check_sampler(sampler, "DataLoader", "sampler")
    return BatchSampler(sampler, batch_size, drop_last)


def check_batch_sampler(batch_sampler, batch_size, shuffle, sampler, drop_last):
    """Raise if a batch sampler is combined with an argument that it replaces."""
    others = {
        "batch_size": batch_size != 1, "shuffle": shuffle, "sampler": sampler is not None, "drop_last": drop_last
    }  # fmt: skip
    names = [name for name, given in others.items() if given]
    if names:
        raise UsageError(
            f"DataLoader: batch_sampler and {', '.join(names)} are mutually exclusive.",
            "batch_sampler alone: it determines the contents of each batch.",
            f"omit {', '.join(names)}.",
        )
    check_sampler(batch_sampler, "DataLoader", "batch_sampler")


def check_not_empty(batch_sampler, items):
    """Raise if a loader would never yield a batch."""
    if length_or_none(batch_sampler) == 0:
        details = [f"{items} items"]
        if getattr(batch_sampler, "drop_last", False):
            details += [f"batch_size {getattr(batch_sampler, 'batch_size', None)}", "drop_last=True"]
        raise UsageError(
            f"DataLoader: the loader is empty: {', '.join(details)}.",
            "at least one batch per epoch.",
            "a smaller batch_size, drop_last=False, or a sampler that is not empty.",
        )


def check_callables(transform, collate_fn, worker_init_fn):
    """Raise if a function cannot be called: ``transform(item, generator)``, ``collate_fn(items)``, ``…(worker_id)``."""
    if worker_init_fn is not None:
        callable_with(worker_init_fn, "DataLoader", "worker_init_fn", ("worker_id",))
    if transform is not None:
        callable_with(transform, "DataLoader", "transform", ("item", "generator"))
    if collate_fn is not None:
        callable_with(collate_fn, "DataLoader", "collate_fn", ("items",))


def check_timeout(timeout):
    """Return a timeout in seconds, 0 or more."""
    return number(timeout, "DataLoader", "timeout", least=0, advice="0 means no timeout.")


def seed_of(seed, share):
    """Return the seed of a loader; one that is drawn is the same in all processes that share batches."""
    if seed is not None:
        return integer(seed, "DataLoader", "seed", 0, wide=True)
    return fresh_seed() if share is None else share.broadcast(fresh_seed())


def share_of(strategy, dataset):
    """Return a strategy if each batch has to be divided between processes; None if this process needs all rows."""
    if strategy is None:
        return None
    if not isinstance(strategy, Strategy):
        raise ValueTypeError(
            f"DataLoader: strategy must be a strategy of dark.distributed, got {describe(strategy)}.",
            "a strategy of dark.distributed.",
            "strategy=MPI()",
        )
    if len(strategy.own) == strategy.shards:
        return None
    if isinstance(dataset, IterableDataset):
        raise UsageError(
            "DataLoader: an IterableDataset cannot be divided between processes.",
            "a dataset with __len__ and __getitem__.",
            "omit strategy: each process reads the whole stream, and strategy.split takes its rows.",
        )
    return strategy
