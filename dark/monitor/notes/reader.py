"""The reader of a run: the records of all processes, put together as far as they are requested."""

import math
from collections.abc import Mapping
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from dark.errors import StorageError
from dark.monitor.notes.json_lines import JsonLines, Region
from dark.monitor.notes.packing import FolderFiles, PackedFiles, has_ended
from dark.monitor.notes.recorded_values import Scalars, Segments
from dark.monitor.notes.run_files import FORMAT
from dark.monitor.notes.series import Part, ScalarSeries, TensorSeries
from dark.storage.packing import unpack
from dark.storage.safetensors_format import Entry


class Criterion(NamedTuple):
    """A result of a run. `better` says which values are better: "higher", "lower" or None."""

    name: str
    value: float
    unit: str | None = None
    better: str | None = None


class _Process:
    """The part of a run that one process has written."""

    def __init__(self, regions: Mapping[str, Region]) -> None:
        self.regions, self.lines = regions, JsonLines(regions["run"])
        self.records: list[dict[str, Any]] = []
        self.scalars = Scalars(regions["scalars"])
        self.segments = Segments(regions["tensors"], regions["segments"])


class Reader:
    """Read the files of a run; each kind of file is read when something of it is requested."""

    def __init__(self, files: FolderFiles | PackedFiles, with_tensors: bool = True) -> None:
        self.files, self.with_tensors = files, with_tensors
        self._processes: dict[int, _Process] = {}
        self._dicts: dict[str, dict[str, Any]] = {}
        self._known_ends: list[float] | None = None
        self._read: set[str] = set()
        self._sizes: list[int] = []

    def refresh(self) -> bool:
        """Read appended data of the kinds that were requested before; return whether anything has been appended."""
        before = self._sizes
        for kind in sorted(self._read | {"run"}):
            self._refresh(kind)
        regions = [region for process in self._processes.values() for region in process.regions.values()]
        self._sizes = [region.size for region in regions]
        return self._sizes != before

    def _refresh(self, kind):
        """Read new data in the files of a kind."""
        self._read.add(kind)
        for number in self.files.numbers():
            if number not in self._processes:
                self._processes[number] = _Process(self.files.regions(number))
        processes = [self._processes[number] for number in sorted(self._processes)]
        if True in [_refresh_one(process, kind) for process in processes]:
            self._known_ends = None
            for changed in (kind,) if len(processes) < 2 or kind == "run" else ("scalars", "tensors"):
                self._dicts.pop(changed, None)

    def _of(self, kind):
        """Return the processes, after the files of a kind have been read once."""
        if kind not in self._read:
            self._refresh(kind)
        return [self._processes[number] for number in sorted(self._processes)]

    def records(self) -> list[dict[str, Any]]:
        """Return all records about the run as a whole."""
        found = [record for process in self._of("run") for record in process.records]
        for record in found:  # a version that is not known yet
            if record.get("format", FORMAT) != FORMAT:
                message = f"{self.files.path} has the unknown format {record['format']!r}."
                raise StorageError(message, f"the format {FORMAT!r}.", "install a newer version of dark.")
        return found

    def configs(self) -> dict[str, Any]:
        """Return the configurations by name."""
        self._of("run")
        if "run" not in self._dicts:
            self._dicts["run"] = {}
            for record in self.records():
                self._dicts["run"].update(unpack(record.get("configs", {}), {}))
        return dict(self._dicts["run"])

    def misc(self) -> dict[str, Any]:
        """Return the further entries by name."""
        found: dict[str, Any] = {}
        for record in self.records():
            found |= unpack(record.get("misc", {}), {})
            if "misc_removed" in record:
                found.pop(record["misc_removed"], None)
        return found

    def criteria(self) -> dict[str, Criterion]:
        """Return the criteria by name."""
        criteria = [record["criterion"] for record in self.records() if "criterion" in record]
        return {each["name"]: Criterion(**{**each, "value": _number(each["value"])}) for each in criteria}

    def content(self) -> list[str]:
        """Return the lines of text."""
        return [record["line"] for record in self.records() if "line" in record]

    def scalars(self) -> dict[str, ScalarSeries]:
        """Return the series of scalars by name."""
        processes = [process.scalars for process in self._of("scalars")]
        if "scalars" not in self._dicts:
            found = _by_name(processes)
            made = {name: ScalarSeries(name, partial(self._parts, found[name], name)) for name in found}
            self._dicts["scalars"] = made
        return self._dicts["scalars"]

    def tensors(self) -> dict[str, TensorSeries]:
        """Return the series of arrays by name."""
        if not self.with_tensors:
            return {}
        processes = [process.segments for process in self._of("tensors")]
        if "tensors" not in self._dicts:
            found = _by_name(processes)
            made = {name: TensorSeries(name, partial(self._parts, found[name], name), self) for name in found}
            self._dicts["tensors"] = made
        return self._dicts["tensors"]

    def _parts(self, sources, name) -> list[Part]:
        """Return the parts of a series, each as far as no later process has resumed the run."""
        ends = self._ends()
        return [process.part(name, index).before(ends[index]) for index, process in sources]

    def _ends(self):
        """Return the step from which the records of each process are replaced, infinity if they are not.

        A process that takes a series of an earlier one resumes its run: from the first such step on, it replaces all
        that the earlier one has taken. One that only adds series replaces nothing.
        """
        if self._known_ends is None:
            tables = [[process.scalars.first_steps() for process in self._of("scalars")]]
            if self.with_tensors and len(tables[0]) > 1:
                tables.append([process.segments.first_steps() for process in self._of("tensors")])
            self._known_ends = [
                min((_first_shared(table[k], later) for table in tables for later in table[k + 1 :]), default=math.inf)
                for k in range(len(tables[0]))
            ]
        return self._known_ends

    def entry(self, name: str, process: int, layout: int, begin: int) -> Entry:
        """Return dtype and shape of an array."""
        return self._of("tensors")[process].segments.entry(name, layout)

    def array(self, name: str, process: int, layout: int, begin: int, step: Any) -> np.ndarray:
        """Read an array."""
        return self._of("tensors")[process].segments.array(name, layout, begin, step)

    def status(self) -> str:
        """Return "running", or how the process that wrote last has ended: "ended", "failed" or "interrupted"."""
        if any(self.files.is_live(number) for number in self.files.numbers()):
            return "running"
        self._refresh("run")  # after that, so that the end is read
        processes = self._of("run")
        records = processes[-1].records if processes else []
        if any("error" in record for record in records):
            return "failed"
        return "ended" if any("ended" in record for record in records) else "interrupted"

    def damage(self) -> tuple[str, ...]:
        """Return messages about damage, and about records that were torn when a process was killed."""
        ended = [number for number in self.files.numbers() if has_ended(self.files, number)]
        for kind in ("run", "scalars", "tensors"):  # after that, so that what has ended is read to its end
            self._refresh(kind)
        texts = [text for number in sorted(self._processes) for text in self._damage_of(number, number in ended)]
        return tuple(dict.fromkeys(texts))

    def _damage_of(self, number, ended):
        process = self._processes[number]
        parts = [process.lines, process.scalars.lines, process.segments.lines]
        yield from [text for lines in parts for text in lines.damage]
        yield from process.segments.damaged() if self.with_tensors else process.segments.damage
        if not ended:  # it may be writing a line at this moment
            return
        if not (process.records and "format" in process.records[0]):
            yield f"{process.lines.region.name}: the first line is missing"
        for lines in parts:
            if lines.unread:
                yield f"{lines.region.name}: the last line is incomplete ({lines.unread} bytes) and was left out"
        sizes = process.records[-1].get("bytes", {}) if process.records else {}  # at its end; not of older versions
        for kind, region in process.regions.items():
            was_left_out = isinstance(self.files, PackedFiles) and not region.size  # arrays, from a summary
            if region.size < sizes.get(kind, 0) and not was_left_out:
                yield f"{region.name}: {sizes[kind] - region.size} of {sizes[kind]} bytes are missing"
        region, end = process.segments.region, process.segments.end
        if region.size > end:
            yield f"{region.name}: {region.size - end} bytes at the end belong to arrays that were not completely taken"

    def close(self) -> None:
        """Close all files; a later read opens them again."""
        for process in self._processes.values():
            for region in process.regions.values():
                region.close()


def _refresh_one(process, kind):
    if kind == "scalars":
        return process.scalars.refresh()
    if kind == "tensors":
        return process.segments.refresh()
    before = len(process.records)
    process.records.extend(process.lines.new())
    return len(process.records) > before


def _first_shared(first, later):
    """Return the least step at which a process has taken a series of an earlier one."""
    return min((later[name] for name in first.keys() & later.keys()), default=math.inf)


def _by_name(processes):
    """Return the processes that have a name, with their indices, by name, in the order in which names appeared."""
    found: dict[str, list[tuple[int, Any]]] = {}
    for index, process in enumerate(processes):
        for name in process.names:
            found.setdefault(name, []).append((index, process))
    return found


def _number(value):
    return float(value) if isinstance(value, str) else value
