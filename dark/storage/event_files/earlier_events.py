"""The events that earlier processes wrote into a folder; a resumed run replaces the last ones."""

from dataclasses import dataclass
from pathlib import Path

from dark.atomic_write import replace_file
from dark.storage.event_files.event_file import records_of
from dark.storage.event_files.protocol import tensorboard_protocol


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
