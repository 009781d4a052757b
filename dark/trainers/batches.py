"""From a batch of arrays to constants of a graph, and from results back to plain arrays and numbers."""

import numpy as np

from dark.errors import UsageError
from dark.nodes import Constant, Node, Parameter


def pair_of_constants(batch, device=None, non_blocking=False):
    """Take a batch apart into inputs and targets, arrays in them made constants.

    Parameters
    ----------
    batch : sequence of two
        Inputs and targets: arrays, or lists, tuples and dicts of them.
    device, non_blocking : optional
        For the signature of Ignite; there is nowhere else to bring a batch to.

    Returns
    -------
    tuple
        Inputs and targets.

    Raises
    ------
    UsageError
        If the batch is no pair.

    Examples
    --------
    >>> x, y = pair_of_constants((np.ones(2), [np.zeros(1), "a"]))
    >>> x, y
    (Constant(value=array([1., 1.])), [Constant(value=array([0.])), 'a'])
    """
    x, y = pair(batch)
    return as_constants(x), as_constants(y)


def pair(batch):
    """Return a batch if it is a pair."""
    if not isinstance(batch, (tuple, list)) or len(batch) != 2:
        size = f" of {len(batch)}" if isinstance(batch, (tuple, list, dict)) else ""
        raise UsageError(
            f"prepare_batch: the batch is a {type(batch).__name__}{size}.",
            "a pair: inputs and targets.",
            "prepare_batch=lambda batch, device, non_blocking: (batch['x'], batch['y']), say.",
        )
    return batch


def as_constants(structure):
    """Make constants of all arrays of numbers in lists, tuples and dicts; leave everything else as it is."""
    return changed(structure, _constant)


def plain(structure):
    """Make arrays and numbers of all nodes in lists, tuples and dicts; leave everything else as it is.

    Whoever keeps an output so does not keep the graph that it came from.

    Examples
    --------
    >>> plain({"loss": Constant(2.0), "name": "a"})
    {'loss': 2.0, 'name': 'a'}
    """
    return changed(structure, _value)


def detached(structure):
    """Cut all nodes in lists, tuples and dicts off from the graph."""
    return changed(structure, lambda leaf: leaf.detach() if isinstance(leaf, Node) else leaf)


def changed(structure, change):
    """Make the same structure of lists, tuples and dicts, with its leaves changed."""
    if isinstance(structure, dict):
        return {key: changed(part, change) for key, part in structure.items()}
    if isinstance(structure, (list, tuple)):
        parts = [changed(part, change) for part in structure]
        return structure._make(parts) if hasattr(structure, "_make") else type(structure)(parts)  # a named tuple
    return change(structure)


def _constant(leaf):
    is_plain = isinstance(leaf, np.ndarray) and not isinstance(leaf, np.ma.MaskedArray)
    return Constant(leaf) if is_plain and leaf.dtype.kind in "fiub" else leaf


def _value(leaf):
    if isinstance(leaf, Parameter):  # optimisers change its array in place
        leaf = leaf.detach()
    return leaf.value if isinstance(leaf, Node) else leaf
