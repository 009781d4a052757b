"""An event file of TensorBoard: records that are written at once, and read back."""

import os
import socket
import struct
import time
import weakref
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from dark.atomic_write import replace_file
from dark.errors import missing_extra


def tensorboard_protocol():
    """Return the messages `Event`, `Summary`, `HistogramProto` and `TensorProto`, and their writer and encoder."""
    try:
        from google.protobuf.message import DecodeError
        from PIL import Image
        from tensorboard.compat.proto.event_pb2 import Event
        from tensorboard.compat.proto.histogram_pb2 import HistogramProto
        from tensorboard.compat.proto.summary_pb2 import Summary
        from tensorboard.compat.proto.tensor_pb2 import TensorProto
        from tensorboard.plugins.text import metadata
        from tensorboard.summary.writer.record_writer import RecordWriter
    except ImportError:
        raise missing_extra("tensorboard", "tensorboard") from None
    return SimpleNamespace(
        DecodeError=DecodeError, Event=Event, HistogramProto=HistogramProto, Image=Image, RecordWriter=RecordWriter,
        Summary=Summary, TensorProto=TensorProto, text_metadata=metadata.create_summary_metadata("", ""),
    )  # fmt: skip


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


@dataclass
class Entry:
    """An event of a file: its step, the tags of its values, and the bytes where its record starts and ends."""

    step: int
    tags: tuple[str, ...]
    start: int
    stop: int


class EarlierEvents:
    """The events in the files of a folder.

    Notes
    -----
    A run that was killed has logged steps after its last checkpoint, which the resumed run logs again. A reader would
    show both. Therefore the first value of a tag replaces the earlier values of this tag at its step and later.
    """

    def __init__(self, folder: Path) -> None:
        self._entries = {path: _entries(path) for path in sorted(folder.glob("*tfevents*")) if path.is_file()}
        self._last: dict[str, int] = {}
        for entries in self._entries.values():
            for entry in entries:
                for tag in entry.tags:
                    self._last[tag] = max(entry.step, self._last.get(tag, entry.step))

    def replace(self, tag: str, step: int) -> None:
        """Remove the values of a tag at a step and later, unless this process has replaced some before."""
        last = self._last.pop(tag, None)
        if last is None or last < step:
            return
        for path, entries in self._entries.items():
            kept = [entry for entry in entries if entry.tags != (tag,) or entry.step < step]
            if len(kept) < len(entries):
                self._entries[path] = _rewritten(path, kept)


def _entries(path):
    protocol, found = tensorboard_protocol(), []
    for start, stop, message in records_of(path.read_bytes()):
        try:
            event = protocol.Event.FromString(message)
        except protocol.DecodeError:  # a damaged file: TensorBoard, too, reads the part before the damage
            break
        found.append(Entry(event.step, tuple(value.tag for value in event.summary.value), start, stop))
    return found


def _rewritten(path, entries):
    """Write a file again with some of its records; return their entries."""
    content, records, moved, position = path.read_bytes(), [], [], 0
    for entry in entries:
        records.append(content[entry.start : entry.stop])
        start, position = position, position + entry.stop - entry.start
        moved.append(Entry(entry.step, entry.tags, start, position))
    with replace_file(path) as part:
        part.write_bytes(b"".join(records))
    return moved
