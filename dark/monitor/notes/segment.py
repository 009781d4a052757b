"""Segments: the arrays of a step as bytes in the safetensors format, with a checksum of each array.

A file of segments is a sequence of them, each complete in itself: the length of its header (8 bytes, little-endian),
the header (JSON), the bytes of the arrays. ``__metadata__`` holds the CRC-32 of each array, 8 hexadecimal digits for
each, in the order of the names in the header. Segments with the same names, dtypes and shapes differ only in these
digits and in the bytes of the arrays; such segments have the same `Layout`, whose `key` is the CRC-32 of the header
with zeros for digits.
"""

import json
from collections.abc import Iterable, Mapping
from typing import NamedTuple
from zlib import crc32

import numpy as np

from dark.storage import safetensors_format
from dark.storage.safetensors_format import Entry

BEGINNING = b'{"__metadata__":{"crc32":"'
LENGTH_BYTES, DIGITS = 8, 8
DIGITS_FROM = LENGTH_BYTES + len(BEGINNING)  # in a segment


class Layout(NamedTuple):
    """The layout that segments of the same names, dtypes and shapes share.

    `entries` are in the order of the names in the header, `stored` has the names in the order of the bytes; `header`
    has its length before it, and zeros for the checksums.
    """

    key: str
    entries: dict[str, Entry]
    stored: tuple[str, ...]
    header: bytes

    @property
    def end(self) -> int:
        """The number of bytes of a segment."""
        return len(self.header) + max((entry.end for entry in self.entries.values()), default=0)

    def place(self, name: str) -> tuple[int, int]:
        """Return where the bytes of an array begin in a segment, and where its checksum does."""
        index = list(self.entries).index(name)
        return len(self.header) + self.entries[name].begin, DIGITS_FROM + DIGITS * index

    def places(self) -> list[tuple[str, int, int]]:
        """Return the name of each array, and where its bytes begin and end in a segment, in the order of checksums."""
        data = len(self.header)
        return [(name, data + entry.begin, data + entry.end) for name, entry in self.entries.items()]


def layout_of(arrays: Mapping[str, np.ndarray]) -> Layout:
    """Return the layout of the segments of arrays such as these.

    >>> layout = layout_of({"flag": np.array([True]), "weight": np.zeros(2)})
    >>> layout.stored, layout.place("weight"), layout.end
    (('weight', 'flag'), (176, 42), 193)
    """
    stored = safetensors_format.layout(arrays)
    entries = {name: stored[name] for name in arrays}
    header = safetensors_format.header_text(entries, {"crc32": "0" * DIGITS * len(arrays)})
    return _layout(entries, tuple(stored), header)


def _layout(entries, stored, header):
    key = f"{crc32(header):08x}"
    return Layout(key, entries, stored, len(header).to_bytes(LENGTH_BYTES, "little") + header)


def segment(layout: Layout, arrays: Mapping[str, np.ndarray]) -> bytes:
    """Return the segment of arrays that have this layout and are little-endian."""
    data = {name: array.tobytes() for name, array in arrays.items()}
    digits = b"".join([b"%08x" % crc32(part) for part in data.values()])
    stop = DIGITS_FROM + len(digits)
    parts = [layout.header[:DIGITS_FROM], digits, layout.header[stop:], *[data[name] for name in layout.stored]]
    return b"".join(parts)


def read_layout(head: bytes) -> Layout | None:
    """Return the layout of the segment that begins with these bytes; None if its header is incomplete or invalid."""
    length = int.from_bytes(head[:LENGTH_BYTES], "little")
    text = head[LENGTH_BYTES : LENGTH_BYTES + length]
    if len(text) < length or not text.startswith(BEGINNING):
        return None
    digits = text.find(b'"', len(BEGINNING)) - len(BEGINNING)
    plain = BEGINNING + b"0" * digits + text[len(BEGINNING) + digits :]
    try:
        fields = json.loads(plain)
        del fields["__metadata__"]
        entries = {
            name: Entry(field["dtype"], tuple(field["shape"]), *field["data_offsets"]) for name, field in fields.items()
        }
    except (ValueError, TypeError, KeyError):
        return None
    stored = sorted(entries, key=lambda name: (entries[name].begin, entries[name].end))
    return _layout(entries, tuple(stored), plain)


def decode(data: bytes, digits: bytes, entry: Entry) -> np.ndarray | None:
    """Return the array of some bytes, read-only and in native byte order; None if the checksum differs."""
    if len(data) < entry.size_bytes or b"%08x" % crc32(data) != digits:
        return None
    array = np.frombuffer(data, entry.dtype).reshape(entry.shape)
    array = array.astype(array.dtype.newbyteorder("="), copy=False)
    array.setflags(write=False)
    return array


def little_endian(arrays: Iterable[np.ndarray]) -> list[np.ndarray]:
    """Return arrays with little-endian items; arrays that have them already are not copied."""
    return [a if a.dtype.str[0] != ">" else a.astype(a.dtype.newbyteorder("<")) for a in arrays]
