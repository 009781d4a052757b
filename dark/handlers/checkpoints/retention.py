"""Retention: the checkpoints that are kept, sorted by priority, the lowest first."""

from collections import OrderedDict
from typing import Any, NamedTuple


class Item(NamedTuple):
    """A checkpoint that is kept.

    Examples
    --------
    >>> Item(0.97, "model_0.9700.pt").priority
    0.97
    """

    priority: Any
    filename: str


def rank(priority):
    """Return the sort key of a priority: NaN ranks below all numbers.

    Examples
    --------
    >>> sorted([1.0, float("nan"), -float("inf")], key=rank)
    [nan, -inf, 1.0]
    """
    return (1, priority) if priority == priority else (0, 0)


def is_wanted(kept, priority, n_saved, greater_or_equal, tolerance=0):
    """Return whether a new checkpoint of this priority is to be kept: one better than the lowest by the tolerance.

    Examples
    --------
    >>> kept = [Item(0.5, "a"), Item(0.7, "b")]
    >>> is_wanted(kept, 0.5, n_saved=2, greater_or_equal=False)
    False
    >>> is_wanted(kept, 0.6, 2, False), is_wanted(kept, 0.6, 2, False, tolerance=0.2)
    (True, False)
    """
    if n_saved is None or len(kept) < n_saved:
        return True
    new, lowest = rank(priority), rank(kept[0].priority + tolerance)
    return new >= lowest if greater_or_equal else new > lowest


def with_new(kept, new, n_saved):
    """Return the checkpoints that are kept together with a new one, and the dropped ones.

    A checkpoint of the same name is replaced by the new one.

    Examples
    --------
    >>> kept, dropped = with_new([Item(0.5, "a"), Item(0.7, "b")], Item(0.6, "c"), n_saved=2)
    >>> [item.filename for item in kept], [item.filename for item in dropped]
    (['c', 'b'], ['a'])
    """
    others = [item for item in kept if item.filename != new.filename]
    excess = 0 if n_saved is None else max(len(others) + 1 - n_saved, 0)
    return sorted([*others[excess:], new], key=lambda item: rank(item.priority)), others[:excess]


def state_of(kept):
    """Return the state dict of the kept checkpoints."""
    return OrderedDict(_saved=[tuple(item) for item in kept])
