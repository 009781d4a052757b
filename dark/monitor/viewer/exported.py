"""A run as one file: the page with the answers to all its requests, without a server or a network."""

import base64
import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from dark.errors import StorageError
from dark.monitor.viewer import page
from dark.monitor.viewer.answers import MOST_SENT, Answer, Answers, key_of
from dark.monitor.viewer.summaries import BINS, evenly
from dark.pages.page_file import Page, data_element
from dark.pages.thinning import records_within, strides_within

COLUMNS = 60  # histograms over time, in a file
BASE64 = 4 / 3  # bytes of text for a byte
PER_ANSWER = 600  # bytes around the arrays of an answer
SCALAR_RECORD = 16 * BASE64
# The histograms of a series, linear and logarithmic: the edges of their bins, and a column for each of some steps.
SUMMARIES = 2 * (8 * (BINS + 1) * BASE64 + PER_ANSWER)
SUMMARY_COLUMN = 2 * (4 * BINS + 8) * BASE64


@dataclass(frozen=True)
class SomeRecords:
    """Some of the records of a series, which can be read like the series."""

    series: Any
    kept: np.ndarray

    def __len__(self) -> int:
        return len(self.kept)

    def __getitem__(self, index: int) -> Any:
        return self.series[int(self.kept[index])]

    @property
    def steps(self) -> np.ndarray:
        """The steps that are kept."""
        return np.asarray(self.series.steps)[self.kept]

    @property
    def times(self) -> np.ndarray:
        """The times of the steps that are kept, in Unix seconds."""
        return np.asarray(self.series.times)[self.kept]

    @property
    def elapsed(self) -> np.ndarray:
        """The seconds from the beginning of the run to the steps that are kept."""
        return np.asarray(self.series.elapsed)[self.kept]

    @property
    def epochs(self) -> np.ndarray:
        """The epochs of the steps that are kept."""
        return np.asarray(self.series.epochs)[self.kept]

    @property
    def values(self) -> np.ndarray:
        """The values that are kept, of a series of scalars."""
        return np.asarray(self.series.values)[self.kept]

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the last record."""
        return tuple(self.series.shape)

    @property
    def kind(self) -> int:
        """1 or 2, for Type I and Type II."""
        return self.series.kind


class SomeOfRun:
    """As much of a run as fits into some bytes, evenly spread over its steps; `left_out` describes the rest."""

    def __init__(self, run: Any, most_bytes: float) -> None:
        self.configs, self.criteria, self.status = run.configs, run.criteria, run.status
        self.content, self.damage, self.folder = run.content, run.damage, run.folder
        self.left_out: list[str] = []
        scalars = dict(run.scalar_dict)
        tensors = {name: series for name, series in run.tensor_dict.items() if len(series)}
        self.scalar_dict = self._thin_scalars(scalars, most_bytes / 2)
        used = sum(len(series) * SCALAR_RECORD + PER_ANSWER for series in self.scalar_dict.values())
        self.tensor_dict = self._thin_tensors(tensors, most_bytes - used)

    def refresh(self) -> bool:
        """Return False: a file does not grow."""
        return False

    def _thin_scalars(self, scalars: dict[str, Any], most_bytes: float) -> dict[str, SomeRecords]:
        costs = [(SCALAR_RECORD, len(series)) for series in scalars.values()]
        most = records_within(costs, most_bytes - PER_ANSWER * len(scalars))
        longest = max((count for _, count in costs), default=0)
        if most < longest:
            self.left_out.append(f"Scalars have {most} of up to {longest} steps, evenly spread.")
        return {name: SomeRecords(series, evenly(len(series), most)) for name, series in scalars.items()}

    def _thin_tensors(self, tensors: dict[str, Any], most_bytes: float) -> dict[str, SomeRecords]:
        costs = {name: bytes_of(series) for name, series in tensors.items()}
        dropped = []
        for name in sorted(costs, key=lambda name: -costs[name]):
            if sum(costs.values()) + (SUMMARIES + SUMMARY_COLUMN) * len(costs) <= most_bytes:
                break
            dropped.append(name)
            del costs[name]
        if dropped:
            self.left_out.append(f"{len(dropped)} tensors are too large and left out: {', '.join(sorted(dropped))}.")
        counts = [(cost, len(tensors[name])) for name, cost in costs.items()]
        columns = [(SUMMARY_COLUMN, min(count, COLUMNS)) for _, count in counts]
        most = records_within([*counts, *columns], most_bytes - SUMMARIES * len(costs))
        longest = max((count for _, count in counts), default=0)
        if most < longest:
            self.left_out.append(f"Tensors have {most} of up to {longest} steps, evenly spread.")
        left = [name for name in tensors if name in costs]
        return {name: SomeRecords(tensors[name], evenly(len(tensors[name]), most)) for name in left}


def bytes_of(series: Any) -> float:
    """Return the bytes of text of a record of a tensor series."""
    shape = tuple(series.shape)
    shown = [-(-size // stride) for size, stride in zip(shape, strides_within(shape, MOST_SENT), strict=True)]
    return math.prod(shown) * np.dtype(series.dtype).itemsize * BASE64 + PER_ANSWER


def page_of(runs: dict[str, Any], limit_mb: float) -> Page:
    """Return the page of some runs, of at most about `limit_mb` megabytes (10**6 bytes), which the runs share."""
    some = {name: SomeOfRun(run, limit_mb * 1e6 / len(runs)) for name, run in runs.items()}
    answers = Answers({name: partial(some.get, name) for name in some}, list(runs), columns=COLUMNS)
    elements = [element_of({"ask": "runs"}, answers)]
    for name, run in some.items():
        elements.append(element_of({"ask": "describe", "run": name}, answers, leftOut=run.left_out))
        elements += [element_of(request, answers) for request in requests_of(name, run)]
    title = " and ".join(runs)
    whose = (lambda name: f"{name}: ") if len(some) > 1 else lambda name: ""
    left_out = tuple(whose(name) + sentence for name, run in some.items() for sentence in run.left_out)
    return Page(title, page.html(title, "startFile", "\n".join(elements)), left_out)


def requests_of(name: str, run: SomeOfRun) -> Iterator[dict[str, Any]]:
    """Yield the requests that a page may make about the series of a run."""
    yield {"ask": "timeline", "run": name}
    yield {"ask": "findings", "run": name}
    for scalar in run.scalar_dict:
        yield {"ask": "scalar", "run": name, "name": scalar}
    for tensor, series in run.tensor_dict.items():
        yield {"ask": "steps", "run": name, "name": tensor}
        for log in (False, True):
            yield {"ask": "summary", "run": name, "name": tensor, "log": log}
        for index in range(len(series)):
            yield {"ask": "tensor", "run": name, "name": tensor, "index": index}


def answered(request: dict[str, Any], answers: Answers) -> Answer:
    """Return the answer, or a message about a damaged record."""
    try:
        return answers.answer(request)
    except StorageError as error:
        return Answer({"error": str(error), "arrays": []}, [])


def element_of(request: dict[str, Any], answers: Answers, **more: Any) -> str:
    """Return an answer as an element of the page; its id is the request."""
    header, arrays = answered(request, answers)
    data = [base64.b64encode(array.tobytes()).decode() for array in arrays]
    text = json.dumps({"header": header | more, "data": data}, allow_nan=False, separators=(",", ":"))
    return data_element(key_of(request), text)
