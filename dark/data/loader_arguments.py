"""From the arguments of a loader to its batch sampler, or to the error that says which of them do not fit."""

import math

from dark.data.dataset_checks import check_callable, whole
from dark.data.samplers import BatchSampler, RandomSampler, SequentialSampler, check_sampler
from dark.errors import UsageError, ValueTypeError


def make_batch_sampler(dataset, batch_size, shuffle, sampler, drop_last):
    """Make the batch sampler of a loader that was not given one.

    Raises
    ------
    UsageError
        If `shuffle` and `sampler` both give an order, or `batch_size` is below 1.
    """
    whole(batch_size, "DataLoader", "batch_size", 1)
    if sampler is None:
        sampler = RandomSampler(dataset) if shuffle else SequentialSampler(dataset)
    elif shuffle:
        raise UsageError(
            "DataLoader: shuffle and a sampler.", "one of the two: both give the order.", "leave shuffle out."
        )
    check_sampler(sampler, "DataLoader", "sampler")
    return BatchSampler(sampler, batch_size, drop_last)


def check_batch_sampler(batch_sampler, batch_size, shuffle, sampler, drop_last):
    """Refuse what a batch sampler decides already."""
    others = {
        "batch_size": batch_size != 1, "shuffle": shuffle, "sampler": sampler is not None, "drop_last": drop_last
    }  # fmt: skip
    names = [name for name, given in others.items() if given]
    if names:
        raise UsageError(
            f"DataLoader: a batch_sampler and {', '.join(names)}.",
            "the batch_sampler alone: it decides what is in each batch.",
            f"leave {', '.join(names)} out.",
        )
    check_sampler(batch_sampler, "DataLoader", "batch_sampler")


def check_not_empty(batch_sampler, items):
    """Refuse a loader that would never give a batch."""
    try:
        n = len(batch_sampler)
    except TypeError:  # a batch sampler that does not know its length
        return
    if n == 0:
        size = getattr(batch_sampler, "batch_size", None)
        raise UsageError(
            f"DataLoader: no batch is left of {items} items"
            + f" with batch_size {size} and drop_last." * bool(getattr(batch_sampler, "drop_last", False)),
            "at least one batch an epoch.",
            "a smaller batch_size, drop_last=False, or a sampler that is not empty.",
        )


def check_callables(transform, collate_fn, timeout):
    """Refuse callables that cannot be called as the loader will, and a time that is none."""
    if transform is not None:
        check_callable(transform, "DataLoader", "transform", ("item", "generator"))
    if collate_fn is not None:
        check_callable(collate_fn, "DataLoader", "collate_fn", ("items",))
    if isinstance(timeout, bool) or not isinstance(timeout, (int, float)):
        raise ValueTypeError(f"DataLoader: timeout is {timeout!r}.", "a number of seconds.", "0 waits for ever.")
    if not 0 <= timeout < math.inf:
        raise UsageError(f"DataLoader: timeout is {timeout}.", "0 or more seconds.", "0 waits for ever.")
