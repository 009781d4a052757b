"""Checks of the arguments of a `DataLoader`, and the batch sampler that they describe."""

from dark.checks import callable_with, describe, integer
from dark.data.dataset import IterableDataset
from dark.data.dataset_checks import check_sampler, checked_length, length_or_none
from dark.data.fetcher import StreamBatches
from dark.data.samplers import BatchSampler, RandomSampler, SequentialSampler
from dark.data.seeding import fresh_seed
from dark.distributed import Strategy
from dark.errors import UsageError, ValueTypeError

FUNCTIONS = {"worker_init_fn": ("worker_id",), "transform": ("item", "generator"), "collate_fn": ("items",)}


def make_batches(dataset, batch_size, shuffle, sampler, batch_sampler, drop_last):
    """Return the batch sampler of a loader, or the `StreamBatches` of an `IterableDataset`."""
    given = {"shuffle": bool(shuffle), "sampler": sampler is not None}
    if isinstance(dataset, IterableDataset):
        order = "no order: the items come as the dataset yields them."
        advice = "shuffle in the dataset's __iter__, for example the items of a buffer."
        _check_exclusive("an IterableDataset", given | {"batch_sampler": batch_sampler is not None}, order, advice)
        return StreamBatches(dataset, batch_size, drop_last)
    items = checked_length(dataset, "DataLoader")
    if batch_sampler is None:
        batch_sampler = _make_batch_sampler(dataset, batch_size, shuffle, sampler, drop_last)
    else:
        given = {"batch_size": batch_size != 1, **given, "drop_last": drop_last}
        alone = "batch_sampler alone: it determines the contents of each batch."
        _check_exclusive("batch_sampler", given, alone)
        check_sampler(batch_sampler, "DataLoader", "batch_sampler")
    if length_or_none(batch_sampler) == 0:
        details = [f"{items} items"]
        if getattr(batch_sampler, "drop_last", False):
            details += [f"batch_size {getattr(batch_sampler, 'batch_size', None)}", "drop_last=True"]
        raise UsageError(
            f"DataLoader: there must be at least one batch, got {', '.join(details)}.",
            "at least one batch per epoch.",
            "a smaller batch_size, drop_last=False, or a sampler that is not empty.",
        )
    return batch_sampler


def _make_batch_sampler(dataset, batch_size, shuffle, sampler, drop_last):
    """Return the batch sampler of a loader that was not given one."""
    integer(batch_size, "DataLoader", "batch_size", 1)
    if sampler is None:
        sampler = RandomSampler(dataset) if shuffle else SequentialSampler(dataset)
    elif shuffle:
        both = "DataLoader: shuffle and sampler are mutually exclusive."
        raise UsageError(both, "only one of them: both set the order.", "omit shuffle.")
    check_sampler(sampler, "DataLoader", "sampler")
    return BatchSampler(sampler, batch_size, drop_last)


def _check_exclusive(what, given, expected, advice=None):
    """Raise if arguments are given, by name, that something excludes."""
    names = ", ".join(name for name, is_given in given.items() if is_given)
    if names:
        problem = f"DataLoader: {what} and {names} are mutually exclusive."
        raise UsageError(problem, expected, advice or f"omit {names}.")


def check_callables(**functions):
    """Raise if a function cannot be called with its arguments."""
    for name, function in functions.items():
        if function is not None:
            callable_with(function, "DataLoader", name, FUNCTIONS[name])


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
        problem = f"DataLoader: strategy must be a strategy of dark.distributed, got {describe(strategy)}."
        raise ValueTypeError(problem, "a strategy of dark.distributed.", "strategy=MPI()")
    if len(strategy.own) == strategy.shards:
        return None
    if isinstance(dataset, IterableDataset):
        raise UsageError(
            "DataLoader: an IterableDataset cannot be divided between processes.",
            "a dataset with __len__ and __getitem__.",
            "omit strategy: each process reads the whole stream, and strategy.split takes its rows.",
        )
    return strategy
