"""The files that one process has written to a run, read as far as they are complete and needed."""

import math
from typing import Any
from zlib import crc32

import numpy as np

from dark.errors import StorageError
from dark.monitor.notes.json_lines import JsonLines, Region
from dark.monitor.notes.segment import DIGITS, DIGITS_FROM, LENGTH_BYTES, Layout, decode, read_layout
from dark.monitor.notes.series import MOMENT, Part
from dark.storage.safetensors_format import Entry

ROWS = 1024  # of scalars that become an array together


class Scalars:
    """The scalars of a process: a table for each set of names that was taken together."""

    def __init__(self, region: Region) -> None:
        self.lines = JsonLines(region)
        self._tables: dict[tuple[str, ...], _Table] = {}
        self._count = 0

    def refresh(self) -> bool:
        """Read new lines; return whether there were any."""
        before = self._count
        for record in self.lines.new():
            scalars = record["scalars"]
            names = tuple(scalars)
            table = self._tables.get(names)
            if table is None:
                table = self._tables[names] = _Table()
            table.add(self._count, record["step"], [*scalars.values(), *_moment(record)])
            self._count += 1
        return self._count > before

    @property
    def names(self) -> list[str]:
        """The names, in the order in which they were first taken."""
        return list(dict.fromkeys(name for names in self._tables for name in names))

    def first_steps(self) -> dict[str, float]:
        """Return the least step of each name."""
        return _least((names, table.steps) for names, table in self._tables.items())

    def part(self, name: str, process: int) -> Part:
        """Return the steps, the values and the moments of a name, in the order of writing."""
        columns = [table.column(names.index(name)) for names, table in self._tables.items() if name in names]
        return _in_order(columns)


class _Table:
    """Rows of values with the same names, each with its moment."""

    def __init__(self):
        self.steps: list[float] = []
        self._numbers, self._rows, self._chunks = [], [], []

    def add(self, number, step, row):
        self._numbers.append(number)
        self.steps.append(step)
        self._rows.append(row)
        if len(self._rows) == ROWS:
            self._pack()

    def _pack(self):
        if self._rows:
            self._chunks.append(np.array(self._rows, np.float64))  # "nan" becomes NaN
            self._rows.clear()

    def column(self, k):
        self._pack()
        if len(self._chunks) > 1:
            self._chunks = [np.concatenate(self._chunks)]
        return self._numbers, self.steps, self._chunks[0][:, k], self._chunks[0][:, -len(MOMENT) :]


def _in_order(columns):
    """Return columns of numbers, steps, payloads and moments as a part, ordered by number."""
    if len(columns) == 1:
        return Part(np.array(columns[0][1]), *columns[0][2:])
    numbers, *parts = (np.concatenate([np.array(part) for part in column]) for column in zip(*columns))
    order = np.argsort(numbers)
    return Part(*(part[order] for part in parts))


def _least(tables):
    """Return the least step of each name, of pairs of names and their steps."""
    found: dict[str, float] = {}
    for names, steps in tables:
        least = min(steps, default=math.inf)
        found |= {name: min(least, found.get(name, math.inf)) for name in names}
    return found


def _moment(record):
    """Return the time of a record, the seconds since the run began, and the epoch; NaN where they are not known."""
    return [record.get(name, np.nan) for name in MOMENT]


class Segments:
    """The arrays of a process: an index of segments, and the segments."""

    def __init__(self, index: Region, region: Region) -> None:
        self.lines, self.region = JsonLines(index), region
        self.damage: list[str] = []
        self.end = 0  # of the segments that the index lists
        self._layouts: dict[str, Layout] = {}
        self._in_order: list[Layout] = []  # of their first segments
        self._steps: dict[str, list[float]] = {}  # by layout, as the next three
        self._begins: dict[str, list[int]] = {}
        self._numbers: dict[str, list[int]] = {}
        self._moments: dict[str, list[list[float]]] = {}
        self._checked: dict[str, int] = {}  # by layout, how many segments were read to check them
        self._changed: list[str] = []  # messages about arrays whose bytes have changed
        self._count = 0

    def refresh(self) -> bool:
        """Read new entries of the index; return whether there were any."""
        before, size = self._count, 0
        for record in self.lines.new():
            if record["end"] > size:  # the file may have grown since the index was read
                size = self.region.size
            key, self._count = record["layout"], self._count + 1
            self.end = max(self.end, record["end"])
            if self._is_readable(record, size):
                self._steps.setdefault(key, []).append(record["step"])
                self._begins.setdefault(key, []).append(record["begin"])
                self._numbers.setdefault(key, []).append(self._count)
                self._moments.setdefault(key, []).append(_moment(record))
            else:
                self.damage.append(f"{self.region.name}: the arrays of step {record['step']} are damaged or missing")
        return self._count > before

    def _is_readable(self, record, size):
        """Return whether a segment is complete, and its layout known, as it is from the first intact one on."""
        key, begin = record["layout"], record["begin"]
        if record["end"] > size:
            return False
        if key not in self._layouts:
            length = int.from_bytes(self.region.read(begin, LENGTH_BYTES), "little")
            layout = None if length > size else read_layout(self.region.read(begin, LENGTH_BYTES + length))
            if layout is None or layout.key != key:
                return False
            self._layouts[key] = layout
            self._in_order.append(layout)
        return True

    @property
    def names(self) -> list[str]:
        """The names, in the order in which they were first taken."""
        return list(dict.fromkeys(name for layout in self._layouts.values() for name in layout.entries))

    def first_steps(self) -> dict[str, float]:
        """Return the least step of each name."""
        return _least((layout.entries, self._steps.get(key, ())) for key, layout in self._layouts.items())

    def damaged(self) -> list[str]:
        """Read the segments that have not been checked; return a message for each array with changed bytes, of all."""
        for key, layout in self._layouts.items():
            begins, steps, checked = self._begins[key], self._steps[key], self._checked.get(key, 0)
            places = layout.places() if len(begins) > checked else []
            for begin, step in zip(begins[checked:], steps[checked:]):
                new = [self._message(name, step) for name in self._changed_in(layout, places, begin)]
                self._changed += [message for message in new if message not in self._changed]
            self._checked[key] = len(begins)
        return self.damage + self._changed

    def _changed_in(self, layout, places, begin):
        """Return the names of the arrays of a segment whose bytes do not have their checksums."""
        view = memoryview(self.region.read(begin, layout.end))
        sums = [crc32(view[start:stop]) for _, start, stop in places]
        texts = bytes(view[DIGITS_FROM : DIGITS_FROM + DIGITS * len(sums)])
        if texts == b"%08x" * len(sums) % tuple(sums):
            return []
        texts = [texts[k : k + DIGITS] for k in range(0, DIGITS * len(sums), DIGITS)]
        return [name for (name, *_), found, text in zip(places, sums, texts) if b"%08x" % found != text]

    def _message(self, name, step):
        return f"{self.region.name}: {name!r} at step {step} is damaged"

    def part(self, name: str, process: int) -> Part:
        """Return the steps of a name, each with the process, the number of its layout, and the place of its segment."""
        columns = []
        for k, (key, layout) in enumerate(self._layouts.items()):
            if name in layout.entries:
                begins = np.array(self._begins[key], np.int64)
                payload = np.stack([np.full_like(begins, process), np.full_like(begins, k), begins], axis=1)
                columns.append((self._numbers[key], self._steps[key], payload, np.array(self._moments[key])))
        return _in_order(columns)

    def entry(self, name: str, layout: int) -> Entry:
        """Return dtype and shape of an array."""
        return self._in_order[layout].entries[name]

    def array(self, name: str, layout: int, begin: int, step: Any) -> np.ndarray:
        """Read an array."""
        known = self._in_order[layout]
        place, digits = known.place(name)
        entry = known.entries[name]
        data = self.region.read(int(begin) + place, entry.size_bytes)
        array = decode(data, self.region.read(int(begin) + digits, DIGITS), entry)
        if array is None:
            message = self._message(name, step)
            self._changed += [message] * (message not in self._changed)
            raise StorageError(f"{message}.", "the bytes that were written.", "read another step; all are intact.")
        return array
