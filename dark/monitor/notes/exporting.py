"""Runs for other programs: scalars as a table (CSV), and event files of TensorBoard."""

import csv
import json
import math
import os
from typing import Any, TextIO

import numpy as np

from dark.monitor.notes.run import Run
from dark.monitor.notes.series import Series
from dark.monitor.summary import HISTOGRAMS, is_histogram
from dark.storage import SummaryWriter

PER_EPOCH = 1000  # steps of TensorBoard, which are integers, in an epoch


def write_csv(run: Run, file: TextIO) -> int:
    """Write the scalars of a run as a table: a row for each step, a column for each series.

    After the step come the time at which it was taken, in Unix seconds, and the seconds since the run began; of a step
    that was taken in parts, of the last one. A cell is empty where nothing was taken; numbers are written so that
    reading gives the same numbers.

    It returns the number of rows.
    """
    names = list(run.scalar_dict)
    series = [run.scalar_dict[name] for name in names]
    steps = np.unique(np.concatenate([each.steps for each in series])) if series else np.empty(0)
    columns = [dict(zip(each.steps.tolist(), each.values.tolist())) for each in series]
    moments: dict[float, tuple[float, float]] = {}
    for each in series:
        for step, *moment in zip(each.steps.tolist(), each.times.tolist(), each.elapsed.tolist()):
            if moment[0] == moment[0]:  # not NaN, as in older notes
                moments[step] = max(moments.get(step, (-math.inf, 0.0)), tuple(moment))
    table = csv.writer(file, lineterminator="\n")
    table.writerow(["step", "time", "elapsed", *names])
    for step in steps.tolist():
        cells = [repr(column[step]) if step in column else "" for column in columns]
        table.writerow([repr(step), *map(repr, moments.get(step, ())), *[""] * 2 * (step not in moments), *cells])
    return len(steps)


def write_tensorboard(run: Run, folder: str | os.PathLike[str]) -> tuple[int, int]:
    """Write a run as event files: scalars as curves, arrays as histograms, settings and criteria as text.

    Steps that are epochs become thousandths of epochs, as steps of TensorBoard are integers. Each value has the time at
    which it was taken, as far as the run has it.

    It returns the numbers of values and of histograms.
    """
    counts = [0, 0]
    with SummaryWriter(folder) as writer:
        for what, values in (("configs", run.configs), ("criteria", run.criteria)):
            if values:
                writer.add_text(what, f"```\n{json.dumps(values, indent=2, default=str)}\n```", 0)
        for name, series in run.scalar_dict.items():
            for step, value, time in zip(_integers(series.steps), series.values.tolist(), _times(series)):
                writer.add_scalar(name, value, step, time)
                counts[0] += 1
        for name, tensors in run.tensor_dict.items():
            for step, array, time in zip(_integers(tensors.steps), tensors, _times(tensors)):
                writer.add_histogram(name.removeprefix(HISTOGRAMS), _values(name, array), step, walltime=time)
                counts[1] += 1
    return counts[0], counts[1]


def _values(name: str, array: np.ndarray) -> np.ndarray:
    """Return the values whose histogram is shown: of a histogram, the middle of each bin, as often as it counts."""
    if not is_histogram(name, array.shape) or not np.isfinite(array).all():
        return array
    edges, counts = array[0], array[1, :-1].astype(int)
    return np.repeat(np.convolve(edges, [0.5, 0.5], "valid"), counts)


def _times(series: Series) -> list[float | None]:
    """Return the times of a series; None where they are not known."""
    return [None if math.isnan(time) else time for time in series.times.tolist()]


def _integers(steps: Any) -> list[int]:
    """Return steps as integers, from 0: parts of epochs as thousandths."""
    found = np.round(steps * PER_EPOCH).astype(np.int64) if steps.dtype.kind == "f" else steps
    return [max(step, 0) for step in found.tolist()]
