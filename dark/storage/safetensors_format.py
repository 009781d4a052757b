"""The safetensors format: the length of the header, a JSON header, and the bytes of all arrays.

Eight bytes give the length of the header, which maps each name to dtype, shape and offsets of an array, and
``__metadata__`` to strings. The first of these is the SHA-256 of the whole file, computed with zeros in place of
its 64 digits, so that it covers every byte. See https://github.com/huggingface/safetensors.
"""

import hashlib
import json
import math
import os

import numpy as np

from dark.errors import StorageError

TYPES = {
    "BOOL": "?", "U8": "<u1", "I8": "<i1", "U16": "<u2", "I16": "<i2", "F16": "<f2", "U32": "<u4", "I32": "<i4",
    "F32": "<f4", "U64": "<u8", "I64": "<i8", "F64": "<f8",
}  # fmt: skip
BEGINNING = b'{"__metadata__":{"sha256":"'
NO_DIGITS = b"0" * 64
DIGITS = slice(len(BEGINNING), len(BEGINNING) + len(NO_DIGITS))


def type_name(dtype):
    """Return the name of a dtype in the format, or None if the dtype is not supported.

    Examples
    --------
    >>> type_name(np.dtype(">f4")), type_name(np.dtype(complex))
    ('F32', None)
    """
    if dtype.kind == "b":
        return "BOOL"
    name = f"{dtype.kind.upper()}{8 * dtype.itemsize}"
    return name if dtype.kind in "fiu" and name in TYPES else None


def write(file, arrays, metadata):
    """Write arrays and metadata to an open binary file, from its beginning.

    Parameters
    ----------
    file : binary file
        It must be seekable, as the checksum is written last.
    arrays : dict of str to array
    metadata : dict of str to str
    """
    # the largest items first, so that each array is aligned to its item size
    order = sorted(arrays, key=lambda name: (-arrays[name].dtype.itemsize, name))
    header: dict = {"__metadata__": {"sha256": NO_DIGITS.decode(), **metadata}}
    end = 0
    for name in order:
        array = arrays[name]
        begin, end = end, end + array.nbytes
        header[name] = {
            "dtype": type_name(array.dtype),
            "shape": list(array.shape),
            "data_offsets": [begin, end],
        }
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    checksum = hashlib.sha256()
    for part in (len(text).to_bytes(8, "little"), text, *map(_bytes, map(arrays.get, order))):
        checksum.update(part)
        file.write(part)
    file.seek(8 + DIGITS.start)
    file.write(checksum.hexdigest().encode())


def _bytes(array):
    """Return the bytes of an array in C order, little-endian."""
    little = np.ascontiguousarray(array, dtype=TYPES[type_name(array.dtype)])
    return little.reshape(-1).view(np.uint8)


def read(path, is_foreign=False):
    """Read arrays and metadata from a file; verify its checksum, unless another program has written it.

    Returns
    -------
    arrays : dict of str to array
    metadata : dict of str to str

    Raises
    ------
    StorageError
        If the file is corrupt.
    """
    with open(path, "rb") as file:
        size = os.fstat(file.fileno()).st_size
        length = file.read(8)
        n = int.from_bytes(length, "little")
        if len(length) < 8 or n > size - 8:
            raise wrong_format(path)
        header = file.read(n)
        data = np.empty(size - 8 - n, np.uint8)
        if file.readinto(data) < len(data):
            raise corrupt(path, "it was truncated while it was read")
    if not is_foreign:
        _verify(path, length, header, data)
    try:
        entries = json.loads(header, object_pairs_hook=_unique)
        metadata = entries.pop("__metadata__", {})
        return {name: _array(data, **entry) for name, entry in entries.items()}, metadata
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise corrupt(path, f"its header is invalid ({type(error).__name__}: {error})") from None


def _unique(pairs):
    """Return the pairs of a JSON object as a dict; raise if a name is repeated, as it would hide an array."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("duplicate name")
    return found


def _verify(path, length, header, data):
    """Raise unless the checksum of the data equals the one in the header."""
    if not header.startswith(BEGINNING):
        raise wrong_format(path)
    checksum = hashlib.sha256()
    for part in (length, header[: DIGITS.start], NO_DIGITS, header[DIGITS.stop :], data):
        checksum.update(part)
    if checksum.hexdigest().encode() != header[DIGITS]:
        raise corrupt(path, "checksum mismatch")


def _array(data, dtype, shape, data_offsets):
    """Return a copy of one array."""
    begin, end = data_offsets
    kind = np.dtype(TYPES[dtype])
    if not (
        0 <= begin <= end <= len(data)
        and min(shape, default=0) >= 0
        and end - begin == math.prod(shape) * kind.itemsize
    ):
        raise ValueError(f"{dtype} of shape {shape} at {data_offsets}")
    raw = data[begin:end]
    if dtype == "BOOL":
        return (raw != 0).reshape(shape)
    return raw.copy().view(kind).astype(kind.newbyteorder("="), copy=False).reshape(shape)


def wrong_format(path):
    """Return the error for a file of another format."""
    return StorageError(
        f"{path} was not written by dark.save, or its header is corrupt.",
        "an intact file written by dark.save.",
        "another copy of the file; load(path, foreign=True), for a safetensors file of another program.",
    )


def corrupt(path, why):
    """Return the error for a corrupt file."""
    return StorageError(
        f"{path} is corrupt: {why}.", "an intact file written by dark.save.", "another copy of the file."
    )
