"""Lines of JSON with a checksum each: how they are written, and how a file is read as far as it has been written.

A line is an object whose first entry is the CRC-32 of the rest of the line, so that a changed byte is detected::

    {"crc32":"5a0b2c1d","step":20,"scalars":{"loss":0.31}}

Standard JSON has no NaN and no infinity: such a number is the string "nan", "inf" or "-inf", which `float` reads.
"""

import json
import math
import os
import threading
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO
from zlib import crc32


class Region:
    """Bytes of a file, from `begin` on; it is opened when they are first read.

    `name` is for messages; without a `length`, it ends where the file ends, and grows with it.
    """

    def __init__(self, name: str, path: Path, begin: int = 0, length: int | None = None) -> None:
        self.name, self.path = name, path
        self._begin, self._length = begin, length
        self._file: BinaryIO | None = None
        self._close: Callable[[], object] | None = None
        self._lock = threading.Lock()

    @property
    def size(self) -> int:
        """The number of bytes; 0 if the file does not exist."""
        if self._length is not None:
            return self._length
        try:
            return os.stat(self.path).st_size
        except FileNotFoundError:
            return 0

    def read(self, start: int, count: int) -> bytes:
        """Return some bytes, fewer where the region ends."""
        if self._length is not None:
            count = max(min(count, self._length - start), 0)
        with self._lock:
            if self._file is None:
                self._file = open(self.path, "rb")  # until `close`, or the end of this object
                self._close = weakref.finalize(self, self._file.close)
            self._file.seek(self._begin + start)
            return self._file.read(count)

    def close(self) -> None:
        """Close the file; a later read opens it again."""
        with self._lock:
            if self._close is not None:
                self._close()
            self._file = None


PREFIX, CHECKED_FROM = b'{"crc32":"', 20  # bytes: the checksum covers what follows its comma
CHUNK = 2**24  # bytes that are read at once


def to_line(record: dict[str, Any]) -> bytes:
    """Return a record as a line.

    >>> to_line({"step": 3})
    b'{"crc32":"2805cda4","step":3}\\n'
    """
    return checked(json.dumps(record, allow_nan=False, separators=(",", ":"))[1:].encode())


def checked(rest: bytes) -> bytes:
    """Return a line from the part after the checksum: the entries of the object and its closing brace."""
    return b'{"crc32":"%08x",%b\n' % (crc32(rest), rest)


def from_line(line: bytes) -> dict[str, Any] | None:
    """Return the record of a line without its end, or None if the line is damaged."""
    if not line.startswith(PREFIX) or b"%08x" % crc32(line[CHECKED_FROM:]) != line[len(PREFIX) : CHECKED_FROM - 2]:
        return None
    try:
        record = json.loads(line)
        del record["crc32"]
    except (ValueError, TypeError, KeyError, RecursionError):  # a line that another program has written
        return None
    return record


def json_number(value: float) -> float | str:
    """Return a number as standard JSON can hold it."""
    return value if math.isfinite(value) else repr(value)


class JsonLines:
    """The records of a file, which may grow; each is read once.

    `damage` names complete lines that cannot be read; `position` is the end of the complete lines that have been read,
    and `unread` the number of bytes after it.
    """

    def __init__(self, region: Region) -> None:
        self.region = region
        self.damage: list[str] = []
        self.unread = 0
        self.position, self._line = 0, 0

    def new(self) -> Iterator[dict[str, Any]]:
        """Yield the records that have been completed since the last call."""
        size, start = self.region.size, self.position
        rest = b""
        while start < size:
            data = self.region.read(start, min(CHUNK, size - start))
            if not data:
                break
            start += len(data)
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                self._line += 1
                self.position += len(line) + 1
                record = from_line(line)
                if record is None:
                    self.damage.append(f"{self.region.name}: line {self._line} is damaged and was left out")
                else:
                    yield record
        self.unread = len(rest)
