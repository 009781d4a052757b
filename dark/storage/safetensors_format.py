"""The safetensors format: the length of the header, a JSON header, and the bytes of all arrays.

Eight bytes give the length of the header, which maps each name to dtype, shape and offsets of an array, and
``__metadata__`` to strings. The arrays follow in the order of their offsets, without gaps or overlaps. See
https://github.com/huggingface/safetensors.
"""

import json
import math
from typing import NamedTuple

import numpy as np

TYPES = {
    "BOOL": "?", "U8": "<u1", "I8": "<i1", "U16": "<u2", "I16": "<i2", "F16": "<f2", "U32": "<u4", "I32": "<i4",
    "F32": "<f4", "U64": "<u8", "I64": "<i8", "F64": "<f8",
}  # fmt: skip
UNSUPPORTED = {  # valid in the format: bits of an item
    "BF16": 16, "C64": 64, "F8_E4M3": 8, "F8_E5M2": 8, "F8_E8M0": 8, "F8_E4M3FNUZ": 8, "F8_E5M2FNUZ": 8,
    "F6_E2M3": 6, "F6_E3M2": 6, "F4": 4,
}  # fmt: skip
MAX_AXES = 64  # of an array in NumPy
BITS = {**UNSUPPORTED, **{name: 8 * np.dtype(code).itemsize for name, code in TYPES.items()}}


class Entry(NamedTuple):
    """An array of a file: the name of its dtype in the format, its shape, and where its bytes begin and end."""

    type_name: str
    shape: tuple
    begin: int
    end: int

    @property
    def dtype(self):
        """The dtype in little-endian byte order; None if it is not supported."""
        return np.dtype(TYPES[self.type_name]) if self.type_name in TYPES else None

    @property
    def size_bytes(self):
        """The number of its bytes."""
        return self.end - self.begin


def type_name(dtype):
    """Return the name of a dtype in the format, or None if the dtype is not supported."""
    if dtype.kind == "b":
        return "BOOL"
    name = f"{dtype.kind.upper()}{8 * dtype.itemsize}"
    return name if dtype.kind in "fiu" and name in TYPES else None


def layout(arrays):
    """Return an entry for each array, in the order of their bytes: the largest items first, so that all are aligned."""
    entries, end = {}, 0
    for name in sorted(arrays, key=lambda name: (-arrays[name].dtype.itemsize, name)):
        array = arrays[name]
        begin, end = end, end + array.nbytes
        entries[name] = Entry(type_name(array.dtype), array.shape, begin, end)
    return entries


def header_text(entries, metadata):
    """Return the header as bytes, padded with spaces to a multiple of eight."""
    header: dict = {"__metadata__": metadata}
    for name, entry in entries.items():
        header[name] = {
            "dtype": entry.type_name,
            "shape": list(entry.shape),
            "data_offsets": [entry.begin, entry.end],
        }
    text = json.dumps(header, separators=(",", ":")).encode()
    return text + b" " * (-len(text) % 8)


def little_endian_bytes(array):
    """Return the bytes of an array in C order, little-endian."""
    little = np.ascontiguousarray(array, dtype=TYPES[type_name(array.dtype)])
    return little.reshape(-1).view(np.uint8)


def parse(text, size):
    """Return entries and metadata of a header with `size` bytes after it; raise one of `INVALID` if it is wrong."""
    found = json.loads(text.decode(), object_pairs_hook=_unique)
    metadata = found.pop("__metadata__", None) or {}
    if not all(isinstance(value, str) for value in metadata.values()):
        raise ValueError("__metadata__ contains other values than strings")
    entries = {name: _entry(**fields) for name, fields in found.items()}
    _check_ranges(entries, size)
    return entries, metadata


def _unique(pairs):
    """Return the pairs of a JSON object as a dict; raise if a name is repeated, as it would hide an array."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("duplicate name")
    return found


def _entry(dtype, shape, data_offsets):
    begin, end = data_offsets
    sizes_are_valid = type(shape) is list and all(type(n) is int and n >= 0 for n in (*shape, begin, end))
    if not sizes_are_valid or 8 * (end - begin) != BITS[dtype] * math.prod(shape):
        raise ValueError(f"{dtype} of shape {shape} at {data_offsets}")
    if begin == end or len(shape) > MAX_AXES:
        np.empty(shape, bool)  # raises if NumPy cannot make an array of this shape
    return Entry(dtype, tuple(shape), begin, end)


def _check_ranges(entries, size):
    """Raise unless the arrays cover the bytes after the header, each byte once."""
    place = 0
    for name, entry in sorted(entries.items(), key=lambda item: (item[1].begin, item[1].end)):
        if entry.begin != place:
            fault = "overlaps the array before it" if entry.begin < place else "leaves a gap before it"
            raise ValueError(f"{name!r}, at {[entry.begin, entry.end]}, {fault}")
        place = entry.end
    if place != size:
        raise ValueError(f"{size} bytes follow it, but its arrays take up {place}")
