"""Conversion of a mapping to JSON and named arrays, and back.

Dicts with string keys, lists, strings, numbers, bools and None are JSON as they are; everything else becomes a dict
with one key that starts with ``$``.
"""

import math
from collections.abc import Mapping

import numpy as np

from dark.errors import StorageError
from dark.storage.safetensors_format import type_name

MAX_DEPTH = 100  # a mapping that contains itself is deeper
MAX_BITS = 2000  # of an integer in decimal digits, whose number Python limits
PLAIN = (str, int, bool, type(None))


def pack(mapping):
    """Split a mapping into a tree for JSON and the arrays that the tree refers to by name.

    >>> pack({"layer": {"weight": np.zeros(2)}, "shape": (2, math.inf)})
    ({'layer': {'weight': {'$array': 'layer.weight'}}, 'shape': {'$tuple': [2, {'$float': 'inf'}]}},
     {'layer.weight': array([0., 0.])})
    """
    if not isinstance(mapping, Mapping):
        raise _cannot_save(mapping, "")
    arrays: dict = {}
    return _packed(mapping, (), arrays), arrays


def _packed(value, path, arrays):
    if len(path) > MAX_DEPTH:
        raise StorageError(
            f"save: {'.'.join(path[:3])}... is nested deeper than {MAX_DEPTH} levels.",
            "a mapping that does not contain itself.",
            "save only the plain data.",
        )
    kind = type(value)
    if isinstance(value, (np.ndarray, np.generic)) and kind is not np.str_:
        return _store_array(value, path, arrays)
    if kind is float:
        return value if math.isfinite(value) else {"$float": repr(value)}
    if kind is int and value.bit_length() > MAX_BITS:
        return {"$integer": hex(value)}
    if kind in PLAIN:
        return value
    if kind is np.str_:
        return str(value)
    if kind in (list, tuple):
        items = [_packed(v, (*path, str(k)), arrays) for k, v in enumerate(value)]
        return items if kind is list else {"$tuple": items}
    if isinstance(value, Mapping):
        return _packed_mapping(value, path, arrays)
    raise _cannot_save(value, ".".join(path))


def _packed_mapping(mapping, path, arrays):
    for key in mapping:
        if type(key) not in (*PLAIN, float):
            raise _cannot_save(key, f"{'.'.join(path) or 'the mapping'}: the key")
    pairs = [(key, _packed(value, (*path, _label(key)), arrays)) for key, value in mapping.items()]
    if all(type(key) is str and not key.startswith("$") for key in mapping):
        return dict(pairs)
    return {"$dict": [[_packed(key, (), {}), value] for key, value in pairs]}


def _label(key):
    """Return a key as a part of a path."""
    return hex(key) if type(key) is int and key.bit_length() > MAX_BITS else str(key)


def _store_array(value, path, arrays):
    """Store an array under its dotted path, made unique, and return the reference to it."""
    if isinstance(value, np.ma.MaskedArray) or type_name(value.dtype) is None:
        raise _cannot_save(value, ".".join(path))
    name = ".".join(path) or "array"
    while name in arrays or name == "__metadata__":
        name += "#"
    arrays[name] = np.asarray(value)
    return {"$array" if isinstance(value, np.ndarray) else "$scalar": name}


def unpack(tree, arrays):
    """Rebuild a mapping from a tree and its arrays: the inverse of `pack`.

    The arrays may be an `ArrayFile`, from which each array is read when the tree refers to it.
    """
    if isinstance(tree, list):
        return [unpack(v, arrays) for v in tree]
    if not isinstance(tree, dict):
        return tree
    for tag, value in tree.items():
        if tag.startswith("$"):
            return _READERS[tag](value, arrays)
    return {key: unpack(value, arrays) for key, value in tree.items()}


_READERS = {
    "$array": lambda name, arrays: arrays[name],
    "$scalar": lambda name, arrays: arrays[name][()],
    "$float": lambda text, arrays: float(text),
    "$integer": lambda text, arrays: int(text, 16),
    "$tuple": lambda items, arrays: tuple([unpack(v, arrays) for v in items]),
    "$dict": lambda pairs, arrays: {unpack(key, arrays): unpack(value, arrays) for key, value in pairs},
}


def branches(tree):
    """Return the trees of a mapping's values by key, for `unpack` to rebuild some of them."""
    pairs = tree.get("$dict")
    return dict(tree) if pairs is None else {unpack(key, {}): value for key, value in pairs}


def _cannot_save(value, where):
    """Return the error for a value that is not plain data."""
    kind = f"an array of {value.dtype}" if type(value) is np.ndarray else type(value).__name__
    advice = "convert it to plain data."
    if hasattr(value, "state_dict"):
        advice = "save its state_dict()."
    elif hasattr(value, "requires_grad"):
        advice = "save its value, x.value."
    return StorageError(
        f"save: {where + ' is ' if where else ''}{kind}, which cannot be saved.",
        "a mapping of arrays of floats, integers or bools, numbers, strings, None, lists, tuples and mappings.",
        advice,
    )
