"""Retention: the checkpoints that are kept, sorted by priority, the lowest first."""

from collections import OrderedDict
from typing import Any, NamedTuple


class Item(NamedTuple):
    """A checkpoint that is kept."""

    priority: Any
    filename: str


def rank(priority):
    """Return the sort key of a priority: NaN ranks below all numbers."""
    return (1, priority) if priority == priority else (0, 0)


def is_wanted(kept, priority, n_saved, greater_or_equal, tolerance=0):
    """Return whether a new checkpoint of this priority is to be kept: one better than the lowest by the tolerance."""
    if n_saved is None or len(kept) < n_saved:
        return True
    new, lowest = rank(priority), rank(kept[0].priority + tolerance)
    return new >= lowest if greater_or_equal else new > lowest


def with_new(kept, new, n_saved):
    """Return the checkpoints that are kept with a new one, and the dropped ones; one of the same name is replaced."""
    others = [item for item in kept if item.filename != new.filename]
    excess = 0 if n_saved is None else max(len(others) + 1 - n_saved, 0)
    return sorted([*others[excess:], new], key=lambda item: rank(item.priority)), others[:excess]


def state_of(kept):
    """Return the state dict of the kept checkpoints."""
    return OrderedDict(_saved=[tuple(item) for item in kept])
