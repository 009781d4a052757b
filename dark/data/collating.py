"""Many items made one batch: numbers and arrays stacked, strings as_list, tuples and dicts taken apart."""

from collections.abc import Mapping

import numpy as np

from dark.errors import ShapeError, UsageError, ValueTypeError

NUMBERS = (bool, int, float, complex, np.ndarray, np.generic)
SHOWN = 4  # places named in an error


def collate(items, place=""):
    """Make one batch of several items of the same form.

    Parameters
    ----------
    items : sequence
        Items of one form, at least one: numbers or arrays of one shape; strings or bytes; tuples, lists, or
        dicts with the same keys, of such.
    place : str, optional
        Where in the items we are, for errors.

    Returns
    -------
    array, list, tuple or dict
        Numbers become an array of shape (n,), arrays of shape s one of shape (n, \\*s), strings a list; a tuple,
        list or dict of items becomes a tuple, list or dict of batches.

    Raises
    ------
    ShapeError
        If the arrays are ragged, or the tuples are not of one length.
    UsageError
        If the items are of different forms, or the dicts have different keys.
    ValueTypeError
        If an item is of a type that cannot be stacked.

    Notes
    -----
    Follows PyTorch's `default_collate`, with two differences: a tuple of items becomes a tuple and not a list,
    and numbers become arrays of NumPy's types (int64, float64, bool).

    Examples
    --------
    >>> collate([(np.zeros(2), "a"), (np.ones(2), "b")])
    (array([[0., 0.],
           [1., 1.]]), ['a', 'b'])
    >>> collate([{"x": 1}, {"x": 2}])
    {'x': array([1, 2])}
    >>> collate([np.zeros(2), np.zeros(3)])
    Traceback (most recent call last):
        ...
    dark.errors.ShapeError: collate: ragged items: shape (2,) at 0, shape (3,) at 1.
      Expected: one shape.
      Try: pad or crop them to one shape, or collate_fn=list to keep them apart.
    """
    kind = _one_kind(items, place)
    if kind == "string":
        return list(items)
    if kind == "dict":
        return _collate_dicts(items, place)
    if kind in ("tuple", "list"):
        return _collate_sequences(items, place)
    return _stack(items, place)


def kind_of(item):
    """Name the form of an item; None for one that cannot be collated."""
    if isinstance(item, NUMBERS) and not isinstance(item, (np.str_, np.bytes_)):
        return "array"
    forms = {"string": (str, bytes), "dict": Mapping, "tuple": tuple, "list": list}
    return next((name for name, types in forms.items() if isinstance(item, types)), None)


def _one_kind(items, place):
    kinds = [kind_of(item) for item in items]
    if not kinds:
        raise UsageError("collate: no items.", "at least one.", "look where the items went.")
    if None in kinds:
        n = kinds.index(None)
        raise ValueTypeError(
            f"collate: item {n}{place} is of type {type(items[n]).__name__}.",
            "numbers, arrays, strings, or tuples, lists and dicts of them.",
            "return np.asarray(…) from the dataset, or give a collate_fn.",
        )
    if len(set(kinds)) > 1:
        n = next(n for n, kind in enumerate(kinds) if kind != kinds[0])
        raise UsageError(
            f"collate: item 0{place} is of the form {kinds[0]}, item {n}{place} is of the form {kinds[n]}.",
            "items of one form.",
            "print(dataset[0]) and the other item, and make them alike; or give a collate_fn.",
        )
    return kinds[0]


def _collate_dicts(items, place):
    keys = items[0].keys()
    for n, item in enumerate(items):
        if item.keys() != keys:
            differing = sorted(keys ^ item.keys(), key=str)
            raise UsageError(
                f"collate: the dicts of items 0 and {n}{place} differ in the keys {differing}.",
                f"the keys {sorted(keys, key=str)} in every item.",
                "give the missing key a value, or give a collate_fn.",
            )
    return {key: collate([item[key] for item in items], f"{place}[{key!r}]") for key in keys}


def _collate_sequences(items, place):
    first = items[0]
    _one_value([len(item) for item in items], "length", place, "give every item as many parts")
    parts = [collate([item[k] for item in items], f"{place}[{k}]") for k in range(len(first))]
    return first._make(parts) if hasattr(first, "_make") else type(first)(parts)  # _make: a named tuple


def _stack(items, place):
    arrays = [np.asarray(item) for item in items]
    _one_value([a.shape for a in arrays], "shape", place, "pad or crop them to one shape")
    batch = np.stack(arrays)
    if batch.dtype.hasobject:
        raise ValueTypeError(
            f"collate: items{place} make an array of Python objects.",
            "numbers that NumPy has a type for.",
            "dtype=float where the arrays are made.",
        )
    return batch


def _one_value(values, name, place, advice):
    """Refuse lengths or shapes that are not all the same; name each, and where it is."""
    if len(set(values)) == 1:
        return
    places = {value: [n for n, v in enumerate(values) if v == value] for value in dict.fromkeys(values)}
    shown = [
        f"{name} {value} at {', '.join(map(str, ns[:SHOWN]))}{', …' * (len(ns) > SHOWN)}"
        for value, ns in [*places.items()][:SHOWN]
    ]
    more = f", and {len(places) - SHOWN} more" * (len(places) > SHOWN)
    where = f" (in {place} of each)" * bool(place)
    raise ShapeError(
        f"collate: ragged items{where}: {', '.join(shown)}{more}.",
        f"one {name}.",
        f"{advice}, or collate_fn=list to keep them apart.",
    )
