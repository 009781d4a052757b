"""Checks of datasets, samplers and arrays of indices."""

from collections.abc import Mapping

import numpy as np

from dark.checks import describe, without_grad
from dark.errors import DarkError, ShapeError, UsageError, ValueTypeError

BOOLS = {bool, np.bool_}


def checked_length(dataset, who):
    """Return the number of items of a dataset."""
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
    if isinstance(dataset, Mapping) and not all(index in dataset for index in range(n)):
        raise ValueTypeError(
            f"{who}: the dataset is a {type(dataset).__name__} whose keys are not 0 to {n - 1}.",
            "an object with `__getitem__(index)` for each index.",
            "TensorDataset(**arrays) for a dict of arrays, list(values.items()) for pairs of key and value.",
        )
    if n == 0:
        problem = f"{who}: the dataset must not be empty."
        raise UsageError(problem, "at least one item.", "check how it was loaded: print(len(dataset)).")
    return n


def length_or_none(sized):
    """Return the length of an object, or None if it has none."""
    try:
        return len(sized)
    except TypeError:
        return None


def check_sampler(sampler, who, name):
    """Raise unless an object can be iterated over more than once."""
    if not hasattr(sampler, "__iter__") or hasattr(sampler, "__next__"):
        reason = "is exhausted after one epoch" if hasattr(sampler, "__next__") else "is not iterable"
        raise ValueTypeError(
            f"{who}: {name} is of type {type(sampler).__name__}, which {reason}.",
            "an iterable that yields the indices of one epoch each time it is iterated over.",
            "list(…) around an iterator, or a subclass of dark.data.Sampler with `order`.",
        )


def as_list(values, who, what):
    """Return an iterable as a list."""
    if not hasattr(values, "__iter__") or isinstance(values, str):
        problem = f"{who}: expected a list, got {describe(values)}."
        raise ValueTypeError(problem, f"a list of {what}.", "[…] around one.")
    return list(values)


def as_array(values, who, name):
    """Return values as an array, which is not copied if it is one; a tensor that requires grad is refused."""
    if isinstance(values, np.ndarray):
        return values
    values = without_grad(values, who, name)
    try:
        return np.asarray(values)
    except DarkError:  # of a node, which says more
        raise
    except (TypeError, ValueError):
        raise ValueTypeError(
            f"{who}: cannot convert {name}, {describe(values)}, to an array.",
            "an array, or lists of equal lengths.",
            "np.asarray(rows, dtype=float) shows what is wrong; pad ragged rows, or pass a list as the dataset.",
        ) from None


def as_floats(values, who, name):
    """Return numbers as an array of float64."""
    try:
        return np.asarray(without_grad(values, who, name), dtype=float)
    except DarkError:
        raise
    except (TypeError, ValueError):
        problem = f"{who}: {name} must be numeric, got {describe(values)}."
        raise ValueTypeError(problem, "a number, or an array of numbers.", f"{name}=1.0") from None


def as_indices(indices, who):
    """Return indices as an array of integers of shape (n,)."""
    is_stream = hasattr(indices, "__iter__") and not hasattr(indices, "__len__")
    indices = [*indices] if is_stream else indices
    found = as_array(indices, who, "indices")
    has_bool = isinstance(indices, (list, tuple)) and not BOOLS.isdisjoint(map(type, indices))
    if (found.dtype.kind not in "iu" or has_bool) and found.size:
        raise ValueTypeError(
            f"{who}: indices must be integers, got {'bool' if has_bool else found.dtype}.",
            "integers, counted from 0.",
            "np.flatnonzero(mask), to turn a boolean mask into indices.",
        )
    if found.ndim != 1:
        problem = f"{who}: indices must be one-dimensional, got shape {found.shape}."
        raise ShapeError(problem, "a one-dimensional array, shape (n,).", "np.ravel(indices)")
    return found.astype(np.intp, copy=False)
