"""What stands at every door of this package: whole numbers, datasets, and callables of so many arguments."""

import inspect

import numpy as np

from dark.errors import ShapeError, UsageError, ValueTypeError


def whole(value, who, name, least=0):
    """Return a whole number as an int, or say what is wrong with it.

    Parameters
    ----------
    value : int
        What was given.
    who, name : str
        Whose argument it is, and its name; they stand in the error.
    least : int, default 0
        The smallest that is allowed.

    Raises
    ------
    ValueTypeError
        If it is no whole number.
    UsageError
        If it is too small.

    Examples
    --------
    >>> whole(0, "DataLoader", "batch_size", 1)
    Traceback (most recent call last):
        ...
    dark.errors.UsageError: DataLoader: batch_size is 0.
      Expected: 1 or more.
      Try: leave batch_size out for its default, or count again.
    """
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)):
        raise ValueTypeError(
            f"{who}: {name} is {value!r} ({type(value).__name__}).",
            f"a whole number, {least} or more.",
            f"int({name}), where it is meant as one.",
        )
    if value < least:
        raise UsageError(
            f"{who}: {name} is {value}.", f"{least} or more.", f"leave {name} out for its default, or count again."
        )
    return int(value)


def checked_length(dataset, who):
    """Return how many items a dataset has; refuse what is none, and one that is empty.

    Raises
    ------
    ValueTypeError
        If it has no length or no items.
    UsageError
        If it is empty.
    """
    try:
        n = len(dataset) if hasattr(dataset, "__getitem__") else None
    except TypeError:  # a class without __len__, an array without axes
        n = None
    if n is None:
        raise ValueTypeError(
            f"{who}: {type(dataset).__name__} is no dataset.",
            "`__len__`, which counts the items, and `__getitem__(index)`, which gives one.",
            "TensorDataset(inputs, targets) for arrays, list(…) for an iterator.",
        )
    if n == 0:
        raise UsageError(
            f"{who}: the dataset is empty.", "at least one item.", "look where its rows went: print(len(dataset))."
        )
    return n


def as_list(values, who, what):
    """Return what was given as a list.

    Raises
    ------
    ValueTypeError
        If it is nothing to go through.
    """
    if not hasattr(values, "__iter__") or isinstance(values, str):
        raise ValueTypeError(f"{who}: {values!r} ({type(values).__name__}).", f"a list of {what}.", "[…] around one.")
    return list(values)


def as_floats(values, who, name):
    """Return what was given as an array of floats.

    Raises
    ------
    ValueTypeError
        If it holds no numbers.
    """
    try:
        return np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        raise ValueTypeError(
            f"{who}: {name} is {values!r} ({type(values).__name__}).", "a number, or an array of them.", f"{name}=1.0"
        ) from None


def as_indices(indices, who):
    """Return indices as an array of integers of shape (n,).

    Raises
    ------
    ValueTypeError
        If they are no integers.
    ShapeError
        If they are no flat list.
    """
    streams = hasattr(indices, "__iter__") and not hasattr(indices, "__len__")
    found = np.asarray([*indices] if streams else indices)
    if found.dtype.kind not in "iu" and found.size:
        raise ValueTypeError(
            f"{who}: indices of type {found.dtype}.",
            "whole numbers, which count items from 0.",
            "np.flatnonzero(mask) turns a mask into indices.",
        )
    if found.ndim != 1:
        raise ShapeError(
            f"{who}: indices of shape {found.shape}.", "a flat list, shape (n,).", "np.ravel(indices) makes it flat."
        )
    return found.astype(np.intp, copy=False)


def check_callable(function, who, name, arguments):
    """Refuse what cannot be called with that many arguments.

    Parameters
    ----------
    function : callable
        What was given.
    who, name : str
        Whose argument it is, and its name.
    arguments : tuple of str
        What it will be called with.

    Raises
    ------
    ValueTypeError
        If it cannot be called so.
    """
    wanted = f"{name}({', '.join(arguments)})"
    if not callable(function):
        raise ValueTypeError(
            f"{who}: {name} is {function!r}, which cannot be called.", f"{wanted}.", "give the function, not its name."
        )
    try:
        inspect.signature(function).bind(*arguments)
    except TypeError:
        raise ValueTypeError(
            f"{who}: {name}{inspect.signature(function)} does not take {len(arguments)} arguments.",
            f"{wanted}.",
            f"lambda {', '.join(arguments)}: …, around what you have.",
        ) from None
    except ValueError:  # a function in C that does not say what it takes
        return
