"""What may stand in a saved mapping: arrays, set aside under names, and a tree of plain data that JSON can hold.

A dict with text as keys, a list, a text, a number, a truth value and None stand in the tree as they are;
what JSON has not is a dict with one key that begins with ``$``.
"""

import math
from collections.abc import Mapping

import numpy as np

from dark.errors import StorageError
from dark.storage.safetensors_format import type_name

DEEPEST = 100  # levels; a mapping that holds itself goes deeper
PLAIN = (str, int, bool, type(None))


def pack(mapping):
    """Part a mapping into a tree that JSON can hold and the arrays that the tree names.

    Returns
    -------
    tree : dict
    arrays : dict of str to array

    Raises
    ------
    StorageError
        If something in it cannot be saved; the error says where.

    Examples
    --------
    >>> pack({"layer": {"weight": np.zeros(2)}, "shape": (2, math.inf)})
    ({'layer': {'weight': {'$array': 'layer.weight'}}, 'shape': {'$tuple': [2, {'$float': 'inf'}]}},
     {'layer.weight': array([0., 0.])})
    """
    if not isinstance(mapping, Mapping):
        raise _cannot_save(mapping, "")
    arrays: dict = {}
    return _packed(mapping, (), arrays), arrays


def _packed(value, place, arrays):
    if len(place) > DEEPEST:
        raise StorageError(
            f"save: {'.'.join(place[:3])}... goes deeper than {DEEPEST} levels.",
            "a mapping that does not hold itself.",
            "save the parts that are data.",
        )
    kind = type(value)
    if isinstance(value, (np.ndarray, np.generic)) and kind is not np.str_:
        return _set_aside(value, place, arrays)
    if kind is float:
        return value if math.isfinite(value) else {"$float": repr(value)}
    if kind in PLAIN:
        return value
    if kind is np.str_:
        return str(value)
    if kind in (list, tuple):
        items = [_packed(v, (*place, str(k)), arrays) for k, v in enumerate(value)]
        return items if kind is list else {"$tuple": items}
    if isinstance(value, Mapping):
        return _packed_mapping(value, place, arrays)
    raise _cannot_save(value, ".".join(place))


def _packed_mapping(mapping, place, arrays):
    for key in mapping:
        if type(key) not in (*PLAIN, float):
            raise _cannot_save(key, f"{'.'.join(place) or 'the mapping'}: the key")
    pairs = [(key, _packed(value, (*place, str(key)), arrays)) for key, value in mapping.items()]
    if all(type(key) is str and not key.startswith("$") for key in mapping):
        return dict(pairs)
    return {"$dict": [[_packed(key, (), {}), value] for key, value in pairs]}


def _set_aside(value, place, arrays):
    """Put an array under a name that is free: the way to it, as dotted text."""
    if isinstance(value, np.ma.MaskedArray) or type_name(value.dtype) is None:
        raise _cannot_save(value, ".".join(place))
    name = ".".join(place) or "array"
    while name in arrays or name == "__metadata__":
        name += "#"
    arrays[name] = np.asarray(value)
    return {"$array" if isinstance(value, np.ndarray) else "$scalar": name}


def unpack(tree, arrays):
    """Put a tree and its arrays together again: the inverse of `pack`.

    Raises
    ------
    KeyError, TypeError, ValueError
        If they do not belong together.
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
    "$tuple": lambda items, arrays: tuple([unpack(v, arrays) for v in items]),
    "$dict": lambda pairs, arrays: {unpack(key, arrays): unpack(value, arrays) for key, value in pairs},
}


def _cannot_save(value, where):
    """Make the error for what is no data."""
    kind = f"an array of {value.dtype}" if type(value) is np.ndarray else type(value).__name__
    advice = "convert it to plain data first."
    if hasattr(value, "state_dict"):
        advice = "save its state_dict()."
    elif hasattr(value, "requires_grad"):
        advice = "save its value, x.value."
    return StorageError(
        f"save: {where + ' is ' if where else ''}{kind}, which is no data.",
        "a mapping of arrays of floats, integers or truth values, numbers, strings, None, lists, tuples and mappings.",
        advice,
    )
