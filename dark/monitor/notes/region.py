"""A file of a run that is read in parts: a file of its own, or the bytes of a member of an archive."""

import os
import threading
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO


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
