"""Collate items into a batch: numbers and arrays are stacked, strings listed, tuples and dicts collated by part."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from dark.checks import members
from dark.errors import ShapeError, UsageError, ValueTypeError

NUMBERS = (bool, int, float, complex, np.ndarray, np.generic)
MAX_NAMED = 4  # shapes, and items of each, named in an error


def collate(items: Sequence[Any], path: str = "") -> Any:
    """Collate several items of the same structure into one batch; at least one item.

    Numbers become an array (n,), arrays of one shape s an array (n, \\*s), strings or bytes a list; a tuple, list or
    dict of these, of the same keys, becomes a tuple, list or dict of batches. As PyTorch's `default_collate`, with two
    differences: tuples become a tuple, not a list, and numbers become arrays of NumPy's types (int64, float64, bool).
    Errors name the `path` within an item, such as "[1]['x']".

    >>> collate([(np.zeros(2), "a"), (np.ones(2), "b")])
    (array([[0., 0.],
           [1., 1.]]), ['a', 'b'])
    >>> collate([{"x": 1}, {"x": 2}])
    {'x': array([1, 2])}
    >>> collate([np.zeros(2), np.zeros(3)])
    Traceback (most recent call last):
        ...
    dark.errors.ShapeError: collate: items must have equal shapes, got shape (2,) at 0, shape (3,) at 1.
      Expected: one shape.
      Try: pad or crop them to one shape, or collate_fn=list to skip stacking.
    """
    items = members(items, "collate", "items", "a list of items.", "collate([item]), for one item.")
    structure = _common_structure(items, path)
    if structure == "string":
        return list(items)
    if structure == "dict":
        return _collate_dicts(items, path)
    if structure in ("tuple", "list"):
        return _collate_sequences(items, path)
    return _stack(items, path)


@lru_cache(maxsize=256)
def _structure_of(kind):
    """Return the structure of items of a type by name; None if they cannot be collated."""
    if issubclass(kind, NUMBERS) and not issubclass(kind, (np.str_, np.bytes_)):
        return "array"
    structures: dict[str, Any] = {"string": (str, bytes), "dict": Mapping, "tuple": tuple, "list": list}
    return next((name for name, types in structures.items() if issubclass(kind, types)), None)


def _common_structure(items, path):
    found = [_structure_of(type(item)) for item in items]  # type: ignore[arg-type]  # types are hashable
    if not found:
        raise UsageError("collate: the list of items must not be empty.", "at least one item.", "check the sampler.")
    if None in found:
        n = found.index(None)
        raise ValueTypeError(
            f"collate: cannot collate item {n}{path} of type {type(items[n]).__name__}.",
            "numbers, arrays, strings, or tuples, lists and dicts of them.",
            "return np.asarray(…) from the dataset, or pass a collate_fn.",
        )
    if len(set(found)) > 1:
        n = next(n for n, structure in enumerate(found) if structure != found[0])
        raise UsageError(
            f"collate: items{path} must have equal structures, but item 0 is {found[0]} and item {n} {found[n]}.",
            "items of the same structure.",
            "print(dataset[0]) and the other item; or pass a collate_fn.",
        )
    return found[0]


def _collate_dicts(items, path):
    keys = items[0].keys()
    for n, item in enumerate(items):
        if item.keys() != keys:
            differing = sorted(keys ^ item.keys(), key=str)
            raise UsageError(
                f"collate: dicts{path} must have equal keys, but those of items 0 and {n} differ in {differing}.",
                f"the keys {sorted(keys, key=str)} in every item.",
                "add the missing key, or pass a collate_fn.",
            )
    return {key: collate([item[key] for item in items], f"{path}[{key!r}]") for key in keys}


def _collate_sequences(items, path):
    first = items[0]
    _check_equal([len(item) for item in items], "length", path, "make all items the same length")
    parts = [collate([item[k] for item in items], f"{path}[{k}]") for k in range(len(first))]
    return first._make(parts) if hasattr(first, "_make") else type(first)(parts)  # _make: a named tuple


def _stack(items, path):
    arrays = [np.asarray(item) for item in items]
    _check_equal([a.shape for a in arrays], "shape", path, "pad or crop them to one shape")
    batch = np.stack(arrays)
    if batch.dtype.hasobject:
        problem = f"collate: stacked items{path} must not be an array of Python objects."
        raise ValueTypeError(problem, "numbers of a NumPy dtype.", "dtype=float where the arrays are created.")
    return batch


def _check_equal(values, name, path, advice):
    """Raise unless all lengths or shapes are equal; the error lists each with its items."""
    if len(set(values)) == 1:
        return
    positions = {value: [n for n, v in enumerate(values) if v == value] for value in dict.fromkeys(values)}
    shown = [
        f"{name} {value} at {', '.join(map(str, ns[:MAX_NAMED]))}{', …' * (len(ns) > MAX_NAMED)}"
        for value, ns in [*positions.items()][:MAX_NAMED]
    ]
    more = f", and {len(positions) - MAX_NAMED} more" * (len(positions) > MAX_NAMED)
    where = f" (in {path} of each)" * bool(path)
    problem = f"collate: items{where} must have equal {name}s, got {', '.join(shown)}{more}."
    raise ShapeError(problem, f"one {name}.", f"{advice}, or collate_fn=list to skip stacking.")
