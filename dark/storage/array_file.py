"""`ArrayFile`: an open file, from which single arrays and rows of arrays are read and verified."""

import threading
from collections.abc import Iterator
from io import BufferedReader
from typing import Any, Self

import numpy as np

from dark.checks import integer
from dark.errors import ShapeError, StorageError, UsageError, near_misses
from dark.storage import checksums
from dark.storage.header import Header, corrupt, unsupported


class ArrayFile:
    """The arrays of an open file; each is read when it is requested, and nothing else is.

    `open_file` returns it. It is used as a mapping of names to arrays: ``file["weight"]`` reads an array,
    ``"weight" in file`` and ``for name in file`` read none, ``dict(file)`` reads all. Several threads may use it.

    `metadata` has the strings in the header of the file; `is_verified` tells whether `save_file` wrote the file, and
    data that are read are verified. `unsupported` has the names and types, such as "BF16", of arrays that cannot be
    read; the mapping does not contain them.

    >>> import os, tempfile
    >>> from dark.storage import open_file, save_file
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_file({"weight": np.eye(2), "bias": np.zeros(2, np.float32)}, os.path.join(folder, "net"))
    ...     with open_file(os.path.join(folder, "net")) as file:
    ...         print(file.dtype("bias"), "grad" in file, file.rows("weight", -1))
    float32 False [[0. 1.]]
    """

    def __init__(self, file: BufferedReader, path: str, header: Header) -> None:
        self._file, self._path, self._header, self._lock = file, path, header, threading.Lock()
        entries = header.entries
        self.metadata, self.is_verified = dict(header.metadata), header.is_verified
        self.unsupported = {name: entry.type_name for name, entry in entries.items() if entry.dtype is None}
        self._entries = {name: entry for name, entry in entries.items() if name not in self.unsupported}

    def __repr__(self) -> str:
        return f"<ArrayFile {self._path!r}: {len(self)} arrays>"

    def __len__(self) -> int:
        return len(self._entries)

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __contains__(self, name: object) -> bool:
        return name in self._entries

    def keys(self) -> list[str]:
        """Return the names of the arrays, in the order of the file."""
        return list(self._entries)

    def shape(self, name: str) -> tuple[int, ...]:
        """Return the shape of an array without reading it."""
        return self._entry(name).shape

    def dtype(self, name: str) -> np.dtype[Any]:
        """Return the dtype of an array without reading it."""
        return self._entry(name).dtype.newbyteorder("=")

    def __getitem__(self, name: str) -> np.ndarray:
        entry = self._entry(name)
        return _decoded(self._read(name, 0, entry.size_bytes), entry.dtype, entry.shape)

    def rows(self, name: str, start: int = 0, stop: int | None = None) -> np.ndarray:
        """Return some rows of an array: ``file[name][start:stop]``, without reading the others.

        Checksums cover blocks of 256 KiB, so the blocks in which the rows begin and end are read and verified
        completely.

        The indices are as in a slice: negative ones count from the end. The result has the shape ``(n, *shape[1:])``.
        """
        entry = self._entry(name)
        if not entry.shape:
            raise ShapeError(
                f"rows: {name!r} is 0-d and has no rows.", "an array of at least one axis.", f"file[{name!r}]"
            )
        first = integer(start, "rows", "start")
        last = None if stop is None else integer(stop, "rows", "stop")
        chosen = range(entry.shape[0])[first:last]
        shape = (len(chosen), *entry.shape[1:])
        row = entry.size_bytes // max(entry.shape[0], 1)  # in bytes
        begin = chosen.start * row if chosen else 0
        return _decoded(self._read(name, begin, begin + len(chosen) * row), entry.dtype, shape)

    def _entry(self, name):
        if name in self.unsupported:
            raise unsupported(self._path, {name: self.unsupported[name]}, self.keys())
        if name not in self._entries:
            raise UsageError(f"{self._path} has no array {name!r}.", "one of file.keys().", near_misses(name, self))
        return self._entries[name]

    def _read(self, name, begin, end):
        """Return the bytes of an array from `begin` to `end`, after the blocks they lie in have been verified."""
        if self._file.closed:
            raise StorageError(f"{self._path} has been closed.", "an open file.", "read it inside the with statement.")
        digits, block, first, last = self._header.checksums.get(name), checksums.BLOCK, begin, end
        if digits is not None:
            first, last = begin // block * block, min(-(-end // block) * block, self._entries[name].size_bytes)
        raw = np.empty(last - first, np.uint8)
        with self._lock:
            self._file.seek(self._header.begin + self._entries[name].begin + first)
            count = self._file.readinto(raw.data)
        if count < len(raw):
            raise corrupt(self._path, "it was truncated while it was read")
        if digits is not None and checksums.of_blocks(raw) != digits[first // block : -(-last // block)]:
            raise corrupt(self._path, f"checksum mismatch in {name!r}")
        return raw if len(raw) == end - begin else raw[begin - first : end - first].copy()

    def close(self) -> None:
        """Close the file; arrays that have been read stay."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def _decoded(raw, dtype, shape):
    """Return bytes as an array of native byte order."""
    if dtype.kind == "b":
        return (raw != 0).reshape(shape)
    return raw.view(dtype).astype(dtype.newbyteorder("="), copy=False).reshape(shape)
