"""Answers to the questions of the page: the content of a run, its findings, its scalars, and a tensor at a step.

The page is the same in a notebook, in a browser and in a file, and asks the same questions; the three homes only carry
them to `Answers.answer`. An answer is a header, which JSON can hold, and arrays.
"""

import json
import math
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from dark.errors import UsageError, near_misses
from dark.monitor.doctor.doctor import diagnose
from dark.monitor.viewer.moments import moments_of
from dark.monitor.viewer.summaries import statistics_of, summary_of
from dark.pages.thinning import strides_within, thinned_text


@dataclass(frozen=True)
class Described:
    """The state of a run when it was last described.

    `version` and `generation` count how often the run has grown, and how often it has changed otherwise: a run that is
    resumed replaces records. `ends` has for each series its number of records, and the step of the last one.
    """

    header: dict[str, Any] = field(default_factory=dict)
    version: int = 0
    generation: int = 0
    ends: dict[str, tuple[int, float]] = field(default_factory=dict)

    def again(self, run: Any) -> "Described":
        """Return the description of the run now."""
        kinds = {"scalar": run.scalar_dict, "tensor": run.tensor_dict}
        series = {f"{kind} {name}": one for kind, found in kinds.items() for name, one in found.items()}
        ends = {key: (len(one), float(one.steps[-1])) for key, one in series.items() if len(one)}
        is_appended = all(
            key in series and len(series[key]) >= count and float(series[key].steps[count - 1]) == step
            for key, (count, step) in self.ends.items()
        )
        generation = self.generation + (not is_appended)
        header = {
            "scalars": [{"name": name, "count": len(one)} for name, one in run.scalar_dict.items()],
            "tensors": [
                {"name": name, "count": len(one), "shape": list(one.shape), "kind": "I" * one.kind}
                for name, one in run.tensor_dict.items()
                if len(one)
            ],
            "configs": plain(dict(run.configs)),
            "criteria": plain(dict(run.criteria)),
            "content": [str(line) for line in run.content],
            "damage": [str(line) for line in run.damage],
            "generation": generation,
        }
        return Described(header, self.version + 1, generation, ends)


def plain(value: Any) -> Any:
    """Return a value as JSON can hold it: numbers of NumPy as Python's, NaN as a string, anything else as its repr."""
    if isinstance(value, dict):
        return {str(key): plain(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(entry) for entry in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value if value is None or isinstance(value, (bool, int, float, str)) else repr(value)


MOST_SENT = 1_000_000  # elements of a tensor that are sent; a screen has no more pixels
COLUMNS = 240  # histograms over time
# The types that a page can read; others are sent as one of these.
SENT_AS = {"b1": "u1", "i1": "i4", "i2": "i4", "u2": "u4", "f2": "f4", "i8": "f8", "u8": "f8"}


class Answer(NamedTuple):
    """An answer: a header of plain data, and the arrays that belong to it."""

    header: dict[str, Any]
    arrays: list[np.ndarray]


class Answers:
    """Answers questions of any thread about runs, some of them `shown`; a file may name the runs `left_out`."""

    def __init__(
        self, openers: Mapping[str, Callable[[], Any]], shown: list[str], columns: int = COLUMNS,
        left_out: list[str] | None = None,
    ) -> None:  # fmt: skip
        self.openers, self.shown, self.columns, self.left_out = dict(openers), shown, columns, left_out or []
        self._opened: dict[str, Any] = {}
        self._described: dict[str, Described] = {}
        self._lock, self._doctor = threading.RLock(), threading.Lock()
        kinds = self._runs, self._describe, self._timeline, self._scalar, self._steps, self._tensor, self._summary
        self._kinds = {kind.__name__.removeprefix("_"): kind for kind in (*kinds, self._findings)}

    def answer(self, request: dict[str, Any]) -> Answer:
        """Return the answer to a request."""
        kind = known(request.get("ask"), self._kinds, "request")
        with self._doctor if kind == self._findings else self._lock:  # a diagnosis does not keep others waiting
            found = kind(request)
        arrays = [sent(array) for array in found.arrays]
        described = [{"dtype": array.dtype.name, "bytes": array.nbytes} for array in arrays]
        return Answer(found.header | {"arrays": described}, arrays)

    def prepare(self) -> None:
        """Read the runs that are shown at first, in a thread, so that the first questions find them read."""
        requests = [{"ask": "describe", "run": name} for name in self.shown]
        threading.Thread(target=lambda: [self.answer(request) for request in requests], daemon=True).start()

    def opened(self, name: Any) -> Any:
        """Return a run by its name, opened when it is first asked for."""
        opener = known(name, self.openers, "run")
        with self._lock:
            if name not in self._opened:
                self._opened[name] = opener()
            return self._opened[name]

    def _runs(self, request: dict[str, Any]) -> Answer:
        return Answer({"runs": list(self.openers), "shown": self.shown}, [])

    def _describe(self, request: dict[str, Any]) -> Answer:
        name = str(request.get("run"))
        run = self.opened(name)
        if run.refresh() or name not in self._described:
            before = self._described.get(name, Described())
            self._described[name] = before.again(run)
        found = self._described[name]
        version = f"{found.version} {run.status}"
        return Answer(found.header | {"version": version, "status": run.status, "leftOut": self.left_out}, [])

    def _timeline(self, request: dict[str, Any]) -> Answer:
        run = self.opened(request.get("run"))
        return Answer({}, list(moments_of(run)))

    def _findings(self, request: dict[str, Any]) -> Answer:
        diagnosis = diagnose(self.opened(request.get("run")).folder)  # a reader of its own, of all records
        return Answer(plain(diagnosis.as_dict()), [])

    def _scalar(self, request: dict[str, Any]) -> Answer:
        series = known(request.get("name"), self.opened(request.get("run")).scalar_dict, "scalar")
        start = self._start(request)
        return Answer({"from": start}, [floats(series.steps[start:]), floats(series.values[start:])])

    def _steps(self, request: dict[str, Any]) -> Answer:
        series = self._series(request)
        start = self._start(request)
        return Answer({"from": start}, [floats(series.steps[start:])])

    def _tensor(self, request: dict[str, Any]) -> Answer:
        series, index = self._series(request), request.get("index")
        if not isinstance(index, int) or not 0 <= index < len(series):
            raise UsageError(f"view: record {index!r} of {len(series)} does not exist.", "a number from 0 on.", "0")
        array = np.asarray(series[index])
        if array.dtype.kind == "c":
            array = np.abs(array)
        strides = strides_within(array.shape, MOST_SENT)
        shown = array[tuple(slice(None, None, stride) for stride in strides)]
        header = {
            "step": series.steps[index].item(),
            "shape": list(shown.shape),
            "wholeShape": list(array.shape),
            "strides": strides,
            "thinned": thinned_text(strides),
            "statistics": statistics_of(array),
        }
        return Answer(header, [shown])

    def _summary(self, request: dict[str, Any]) -> Answer:
        series, name = self._series(request), str(request.get("name"))
        return Answer(*summary_of(series, bool(request.get("log")), self.columns, name))

    def _series(self, request: dict[str, Any]) -> Any:
        return known(request.get("name"), self.opened(request.get("run")).tensor_dict, "tensor")

    @staticmethod
    def _start(request: dict[str, Any]) -> int:
        start = request.get("from", 0)
        return start if isinstance(start, int) and start > 0 else 0


def known(name: Any, table: Mapping[str, Any], what: str) -> Any:
    """Return an entry of a table; raise `UsageError` with near misses if it is not there."""
    if not isinstance(name, str) or name not in table:
        wanted = f"the name of a {what}."
        raise UsageError(f"view: the {what} {name!r} does not exist.", wanted, near_misses(str(name), table))
    return table[name]


def floats(values: np.ndarray) -> np.ndarray:
    """Return values as float64."""
    return np.asarray(values, np.float64)


def sent(array: np.ndarray) -> np.ndarray:
    """Return an array in the byte order and with a type that the page can read; 64-bit integers become floats."""
    code = SENT_AS.get(array.dtype.str[1:], array.dtype.str[1:])
    return np.ascontiguousarray(array, np.dtype("<" + code)).reshape(array.shape)


def key_of(request: dict[str, Any]) -> str:
    """Return the name of a request, as the page computes it to find an answer in a file."""
    values = [request.get(part) for part in ("ask", "run", "name", "index", "log")]
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"))
