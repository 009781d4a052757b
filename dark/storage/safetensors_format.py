"""The safetensors format: a length, a header of JSON, and the bytes of all arrays, with a checksum in the header.

Eight bytes give the length of the header; it says for each name type, shape and place of an array, and
under ``__metadata__`` notes. The first note is the SHA-256 of the whole file in which the 64 digits of
that note are zeros, so that every byte is covered. See https://github.com/huggingface/safetensors.
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
    """Return the name of a type in the format; None if it has none.

    Examples
    --------
    >>> type_name(np.dtype(">f4")), type_name(np.dtype(complex))
    ('F32', None)
    """
    if dtype.kind == "b":
        return "BOOL"
    name = f"{dtype.kind.upper()}{8 * dtype.itemsize}"
    return name if dtype.kind in "fiu" and name in TYPES else None


def write(file, arrays, notes):
    """Write arrays and notes into a binary file that is open, from its beginning.

    Parameters
    ----------
    file : binary file
        It must be seekable, for the checksum is known last.
    arrays : dict of str to array
    notes : dict of str to str
    """
    order = sorted(arrays, key=lambda name: (-arrays[name].dtype.itemsize, name))  # so each lies at its own multiple
    header: dict = {"__metadata__": {"sha256": NO_DIGITS.decode(), **notes}}
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
    for piece in (len(text).to_bytes(8, "little"), text, *map(_bytes, map(arrays.get, order))):
        checksum.update(piece)
        file.write(piece)
    file.seek(8 + DIGITS.start)
    file.write(checksum.hexdigest().encode())


def _bytes(array):
    """Return the numbers as bytes, row by row, the lowest byte of each first."""
    little = np.ascontiguousarray(array, dtype=TYPES[type_name(array.dtype)])
    return little.reshape(-1).view(np.uint8)


def read(path, is_foreign=False):
    """Read arrays and notes from a file, after its checksum, unless it is one of another program.

    Returns
    -------
    arrays : dict of str to array
    notes : dict of str to str

    Raises
    ------
    StorageError
        If the file is not as it was written.
    """
    with open(path, "rb") as file:
        size = os.fstat(file.fileno()).st_size
        length = file.read(8)
        n = int.from_bytes(length, "little")
        if len(length) < 8 or n > size - 8:
            raise not_ours(path)
        header = file.read(n)
        data = np.empty(size - 8 - n, np.uint8)
        if file.readinto(data) < len(data):
            raise damaged(path, "it became shorter while it was read")
    if not is_foreign:
        _check(path, length, header, data)
    try:
        entries = json.loads(header, object_pairs_hook=_once)
        notes = entries.pop("__metadata__", {})
        return {name: _array(data, **entry) for name, entry in entries.items()}, notes
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise damaged(path, f"its header makes no sense ({type(error).__name__}: {error})") from None


def _once(pairs):
    """Make a dict of the pairs of a header; a name that comes twice would hide an array."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name comes twice")
    return found


def _check(path, length, header, data):
    """Compare the checksum of what was read with the one in the header."""
    if not header.startswith(BEGINNING):
        raise not_ours(path)
    checksum = hashlib.sha256()
    for piece in (length, header[: DIGITS.start], NO_DIGITS, header[DIGITS.stop :], data):
        checksum.update(piece)
    if checksum.hexdigest().encode() != header[DIGITS]:
        raise damaged(path, "its checksum is another")


def _array(data, dtype, shape, data_offsets):
    """Copy one array out of the bytes of all."""
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


def not_ours(path):
    """Make the error for a file of another kind."""
    return StorageError(
        f"{path} is no file that dark.save has written, or its beginning is damaged.",
        "a file of dark.save, as it was written.",
        "another copy of the file; load(path, foreign=True), if it is a safetensors file of another program.",
    )


def damaged(path, why):
    """Make the error for a file that is not as it was written."""
    return StorageError(
        f"{path} is damaged: {why}.", "a file of dark.save, as it was written.", "another copy of the file."
    )
