"""An event file of TensorBoard: records that are written at once, and read back."""

import os
import socket
import struct
import time
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from dark.storage.event_files.protocol import tensorboard_protocol

LENGTH, CHECKSUM_BYTES = struct.Struct("<Q"), 4


class EventFile:
    """A new event file in a folder.

    Notes
    -----
    Each event is handed to the operating system when it is added: a process that is interrupted or killed loses none.
    TensorBoard reads the files of a folder in the order of their names, which begin with the time.
    """

    def __init__(self, folder: Path, suffix: str = "") -> None:
        protocol = tensorboard_protocol()
        folder.mkdir(parents=True, exist_ok=True)
        seconds, nanoseconds = divmod(time.time_ns(), 10**9)
        name = f"events.out.tfevents.{seconds:010d}.{nanoseconds:09d}.{socket.gethostname()}.{os.getpid()}{suffix}"
        self._file = open(folder / name, "xb")
        self.close = weakref.finalize(self, self._file.close)
        self._records = protocol.RecordWriter(self._file)
        self.add(protocol.Event(wall_time=time.time(), file_version="brain.Event:2"))

    def add(self, event: Any) -> None:
        """Write an event."""
        self._records.write(event.SerializeToString())
        self._file.flush()


def records_of(content: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Yield where each record of an event file starts and ends, and its message; an incomplete last one is left out.

    A record is the length of the message, 8 bytes, a checksum of the length, the message and its checksum.
    """
    start = 0
    while start + LENGTH.size <= len(content):
        message = start + LENGTH.size + CHECKSUM_BYTES
        stop = message + LENGTH.unpack_from(content, start)[0]
        if stop + CHECKSUM_BYTES > len(content):
            return
        yield start, stop + CHECKSUM_BYTES, content[message:stop]
        start = stop + CHECKSUM_BYTES
