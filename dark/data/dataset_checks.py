"""Checks of datasets, samplers and arrays of indices."""

import numpy as np

from dark.errors import ShapeError, UsageError, ValueTypeError

BOOLS = {bool, np.bool_}


def checked_length(dataset, who):
    """Return the number of items of a dataset.

    Raises
    ------
    ValueTypeError
        If it has no `__len__` or no `__getitem__`.
    UsageError
        If it is empty.
    """
    try:
        n = len(dataset) if hasattr(dataset, "__getitem__") else None
    except TypeError:  # a class without __len__, a 0-d array
        n = None
    if n is None:
        raise ValueTypeError(
            f"{who}: {type(dataset).__name__} is not a dataset.",
            "an object with `__len__` and `__getitem__(index)`.",
            "TensorDataset(inputs, targets) for arrays, list(…) for an iterator.",
        )
    if n == 0:
        raise UsageError(
            f"{who}: the dataset is empty.", "at least one item.", "check how it was loaded: print(len(dataset))."
        )
    return n


def check_sampler(sampler, who, name):
    """Raise unless an object can be iterated over more than once.

    Raises
    ------
    ValueTypeError
        If it is not iterable, or is an iterator.
    """
    if not hasattr(sampler, "__iter__") or hasattr(sampler, "__next__"):
        reason = "is exhausted after one epoch" if hasattr(sampler, "__next__") else "is not iterable"
        raise ValueTypeError(
            f"{who}: {name} is of type {type(sampler).__name__}, which {reason}.",
            "an iterable that yields the indices of one epoch each time it is iterated over.",
            "list(…) around an iterator, or a subclass of dark.data.Sampler with `order`.",
        )


def as_list(values, who, what):
    """Return an iterable as a list.

    Raises
    ------
    ValueTypeError
        If it is not iterable, or is a string.
    """
    if not hasattr(values, "__iter__") or isinstance(values, str):
        raise ValueTypeError(f"{who}: {values!r} ({type(values).__name__}).", f"a list of {what}.", "[…] around one.")
    return list(values)


def as_floats(values, who, name):
    """Return numbers as an array of float64.

    Raises
    ------
    ValueTypeError
        If they are not numbers.
    """
    try:
        return np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        raise ValueTypeError(
            f"{who}: {name} is {values!r} ({type(values).__name__}).",
            "a number, or an array of numbers.",
            f"{name}=1.0",
        ) from None


def as_indices(indices, who):
    """Return indices as an array of integers of shape (n,).

    Raises
    ------
    ValueTypeError
        If they are not integers.
    ShapeError
        If they are not one-dimensional.
    """
    is_stream = hasattr(indices, "__iter__") and not hasattr(indices, "__len__")
    indices = [*indices] if is_stream else indices
    found = np.asarray(indices)
    has_bool = isinstance(indices, (list, tuple)) and not BOOLS.isdisjoint(map(type, indices))
    if (found.dtype.kind not in "iu" or has_bool) and found.size:
        raise ValueTypeError(
            f"{who}: indices of type {'bool' if has_bool else found.dtype}.",
            "integers, counted from 0.",
            "np.flatnonzero(mask), to turn a boolean mask into indices.",
        )
    if found.ndim != 1:
        raise ShapeError(
            f"{who}: indices of shape {found.shape}.", "a one-dimensional array, shape (n,).", "np.ravel(indices)"
        )
    return found.astype(np.intp, copy=False)
