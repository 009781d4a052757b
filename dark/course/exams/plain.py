"""Plain data: the values that an observation may contain, and their JSON encoding.

`encode` runs in the process of the student's code and returns only JSON-serializable values::

    None, True, "text", 3, 2.5, [..]       as they are
    {"number": "nan"}                      also "inf", "-inf"
    {"dict": {"a": 1}}                     a dict with string keys
    {"array": "float64", "shape": [2], "list": [1.0, 2.0]}; without axes, the number alone
    {"object": "Node"}                     any other object: only its class name
    {"too large": "a list deeper than 50"}

No method of the student's objects is ever called: classes are compared by identity alone.
"""

import math
from dataclasses import dataclass

import numpy as np

from dark.course.exams.differences import MISSING, Difference, compare

__all__ = ["MISSING", "Difference", "Foreign", "class_name", "compare", "decode", "encode", "is_number", "show"]
DEPTH = 50
ITEMS = 100_000
CHARACTERS = 10_000
BITS = 1023  # a larger integer overflows a float
# By their ids, because asking for a class itself would call `==` of a student's metaclass.
FLOATS = frozenset(map(id, (float, np.float64, np.float32, np.float16, np.longdouble)))
INTEGERS = frozenset(map(id, (int, *(np.dtype(code).type for code in "bhilqpBHILQP"))))
# Named as on other systems: in a browser NumPy's `int` has 32 bits, and a right answer does not depend on that.
DEFAULT_INTEGERS = {np.dtype(int): "int64", np.dtype(np.uint): "uint64"}


@dataclass(frozen=True)
class Foreign:
    """The placeholder, after `decode`, of an object that is not plain data."""

    text: str

    def __str__(self):
        return self.text


def class_name(thing):
    """Return the name of an object's class without calling any code of the object or its class."""
    return type.__dict__["__name__"].__get__(type(thing))


def encode(thing):
    """Encode the value that the body of a question returned as plain, tagged data, see the docstring of this module."""
    left = [ITEMS]
    if type(thing) is dict and len(thing) < ITEMS and all(type(key) is str for key in thing):
        return {"dict": {_key(key): _encode_or_refuse(value, left) for key, value in thing.items()}}
    return _encode_or_refuse(thing, left)


class _TooLarge(Exception):
    """Data that exceeds a limit."""


def _encode_or_refuse(thing, left):
    try:
        return _encode(thing, 1, left)
    except _TooLarge as error:
        return {"too large": str(error)}


def _encode(thing, depth, left):
    kind = type(thing)
    left[0] -= 1
    if depth > DEPTH:
        raise _TooLarge(f"data nested deeper than {DEPTH}")
    if left[0] < 0:
        raise _TooLarge(f"data of more than {ITEMS} items")
    if kind is float and math.isfinite(thing) or thing is None or kind is bool:  # the most frequent
        return thing
    if kind is list or kind is tuple:
        if len(thing) > left[0]:
            raise _TooLarge(f"a list of {len(thing)} items")
        return [_encode(item, depth + 1, left) for item in thing]
    if kind is str:
        left[0] -= len(thing) // 10
        if len(thing) > CHARACTERS:
            raise _TooLarge(f"a string of {len(thing)} characters")
        return _without_surrogates(thing)
    if id(kind) in INTEGERS:
        number = int(thing)
        if number.bit_length() > BITS:
            raise _TooLarge(f"an integer of {number.bit_length()} bits")
        return number
    return _encode_other(thing, kind, depth, left)


def _encode_other(thing, kind, depth, left):
    if id(kind) in FLOATS:
        number = float(thing)
        if math.isfinite(number):
            return number
        return {"number": "nan" if number != number else "inf" if number > 0 else "-inf"}
    if kind is dict:
        return _encode_dict(thing, depth, left)
    if kind is np.ndarray:
        return _encode_array(thing, depth, left)
    if kind is np.bool_:
        return bool(thing)
    return {"object": class_name(thing)}


def _encode_dict(thing, depth, left):
    if len(thing) > left[0]:
        raise _TooLarge(f"a dict of {len(thing)} items")
    if any(type(key) is not str for key in thing):
        return {"object": "dict with a key that is not a string"}
    return {"dict": {_key(key): _encode(value, depth + 1, left) for key, value in thing.items()}}


def _key(text):
    return text if len(text) <= 200 and text.isascii() else _without_surrogates(text[:200])


def _without_surrogates(text):
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode("utf-8")


def _encode_array(thing, depth, left):
    if thing.dtype.kind not in "biuf":
        return {"object": f"ndarray of dtype {thing.dtype.name}"}
    if thing.ndim == 0:
        return _encode(thing.item(), depth + 1, left)
    lists = sum(math.prod(thing.shape[:k]) for k in range(thing.ndim))
    if thing.size + lists > left[0] or thing.ndim + depth > DEPTH:
        raise _TooLarge(f"an array of {thing.size} elements")
    items = thing.tolist()
    if thing.dtype.itemsize <= 8 and np.isfinite(thing).all():  # then they are plain numbers
        left[0] -= thing.size + lists
    else:
        items = _encode(items, depth + 1, left)
    return {"array": DEFAULT_INTEGERS.get(thing.dtype, thing.dtype.name), "shape": list(thing.shape), "list": items}


def decode(data):
    """Decode encoded data into Python objects; an object that was not plain becomes a `Foreign`."""
    if isinstance(data, list):
        return [decode(item) for item in data]
    if not isinstance(data, dict):
        return data
    if "dict" in data:
        return {key: decode(value) for key, value in data["dict"].items()}
    if "number" in data:
        return float(data["number"])
    if "array" in data:
        try:
            return np.array(data["list"], data["array"]).reshape(data["shape"])
        except TypeError:  # some items are not plain numbers
            return np.array(decode(data["list"]), data["array"]).reshape(data["shape"])
    return Foreign(show(data))


def is_number(data):
    """Return whether encoded data is a number; a bool is not."""
    return type(data) in (int, float) or isinstance(data, dict) and "number" in data


def show(data, digits=6):
    """Format encoded data for a reader, with this number of significant digits."""
    if isinstance(data, list):
        return "[" + ", ".join(show(item, digits) for item in data) + "]"
    if isinstance(data, float):
        return f"{data:.{digits}g}"
    if not isinstance(data, dict):
        return repr(data)
    if "dict" in data:
        pairs = (f"{key!r}: {show(value, digits)}" for key, value in data["dict"].items())
        return "{" + ", ".join(pairs) + "}"
    if "array" in data:
        return f"array of shape {tuple(data['shape'])}: {show(data['list'], digits)}"
    if "missing" in data:
        return "missing"
    if "object" in data:
        return f"an object of class {data['object']}"
    return str(data.get("number") or f"too large: {data.get('too large')}")
