"""Batches of arrays as constants of a graph, and results as plain arrays and numbers."""

from itertools import chain

import numpy as np

from dark.distributed import tree_sum
from dark.errors import UsageError
from dark.nodes import Node, Parameter, value_of
from dark.nodes.leaves import constant


def pair_of_constants(batch):
    """Split a batch into inputs and targets, and make the arrays in their lists, tuples and dicts constants."""
    x, y = pair(batch)
    return as_constants(x), as_constants(y)


def pair(batch):
    """Return a batch if it is a pair of inputs and targets."""
    if not isinstance(batch, (tuple, list)) or len(batch) != 2:
        size = f" of {len(batch)}" if isinstance(batch, (tuple, list, dict)) else ""
        raise UsageError(
            f"prepare_batch: a batch must be a pair (inputs, targets), got a {type(batch).__name__}{size}.",
            "a pair: inputs and targets.",
            "prepare_batch=lambda batch, device, non_blocking: (batch['x'], batch['y'])",
        )
    return batch


def as_constants(structure):
    """Make all numeric arrays in lists, tuples and dicts constants; other leaves are unchanged."""
    return map_leaves(_constant, structure)


def plain(structure):
    """Replace all nodes in lists, tuples and dicts by their values, so that an output does not hold its graph."""
    return map_leaves(_value, structure)


def detached(structure):
    """Detach all nodes in lists, tuples and dicts from the graph."""
    return map_leaves(lambda leaf: leaf.detach() if isinstance(leaf, Node) else leaf, structure)


def joined(parts):
    """Concatenate the rows of equal structures, such as the shards of a batch; numbers are added.

    A list without arrays is a list of rows.

    >>> joined([{"y": np.zeros(2), "loss": 0.25, "names": ["a", "b"]}, {"y": np.ones(1), "loss": 0.5, "names": ["c"]}])
    {'y': array([0., 0., 1.]), 'loss': 0.75, 'names': ['a', 'b', 'c']}
    """
    first = parts[0]
    if len(parts) == 1 or first is None:
        return first
    if isinstance(first, dict):
        return {key: joined([part[key] for part in parts]) for key in first}
    if isinstance(first, (list, tuple)):
        if not any(isinstance(item, (np.ndarray, Node, dict, list, tuple)) for item in first):
            return type(first)(chain.from_iterable(parts))
        items = [joined(list(items)) for items in zip(*parts)]
        return first._make(items) if hasattr(first, "_make") else type(first)(items)
    if isinstance(first, Node):
        return constant(np.concatenate([value_of(part) for part in parts]))
    return np.concatenate(parts) if isinstance(first, np.ndarray) else tree_sum(parts)


def map_leaves(function, structure):
    """Apply a function to the leaves of nested lists, tuples and dicts; return the same structure."""
    if isinstance(structure, dict):
        return {key: map_leaves(function, part) for key, part in structure.items()}
    if isinstance(structure, (list, tuple)):
        parts = [map_leaves(function, part) for part in structure]
        return structure._make(parts) if hasattr(structure, "_make") else type(structure)(parts)  # a named tuple
    return function(structure)


def _constant(leaf):
    is_plain = isinstance(leaf, np.ndarray) and not isinstance(leaf, np.ma.MaskedArray)
    return constant(leaf) if is_plain and leaf.dtype.kind in "fiub" else leaf


def _value(leaf):
    if isinstance(leaf, Parameter):  # optimizers change its array in place
        leaf = leaf.detach()
    return value_of(leaf)
