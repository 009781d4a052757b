"""The steps of a run, and the time and the epoch of each: the axes on which the page can draw."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

LENGTHS = ("epoch_length", "steps_per_epoch", "batches_per_epoch", "iterations_per_epoch")  # configs
EPOCHS = ("epoch", "epochs")  # scalars


class Moments(NamedTuple):
    """All steps of a run, and for each of them seconds since the run began, Unix seconds, and epochs; NaN if unknown.

    The four are float64 arrays of shape (steps,).
    """

    steps: np.ndarray
    elapsed: np.ndarray
    times: np.ndarray
    epochs: np.ndarray


def moments_of(run: Any) -> Moments:
    """Return the steps of all series of a run, with their times and epochs."""
    series = [one for one in (*run.scalar_dict.values(), *run.tensor_dict.values()) if len(one)]
    different = {np.asarray(one.steps).tobytes(): one for one in series}.values()  # most series have the same steps
    if not different:
        return Moments(np.empty(0), np.empty(0), np.empty(0), np.empty(0))
    rows = [np.stack([one.steps, one.elapsed, one.times, one.epochs]).astype(np.float64) for one in different]
    all_rows = np.concatenate(rows, axis=1)
    # Of equal steps the first with a time counts: `np.lexsort` puts NaN last.
    ordered = all_rows[:, np.lexsort((all_rows[1], all_rows[0]))]
    steps, first = np.unique(ordered[0], return_index=True)
    elapsed, times, epochs = ordered[1:, first]
    return Moments(steps, elapsed, times, epochs if np.isfinite(epochs).any() else epochs_of(run, steps))


def epochs_of(run: Any, steps: np.ndarray) -> np.ndarray:
    """Return the epoch of each step of a run whose records have none: from other records, or NaN.

    Steps that are parts of epochs are epochs. A length is a config such as "epoch_length"; a series is a scalar
    "epoch", between whose values epochs are interpolated.
    """
    if (steps != np.round(steps)).any():
        return steps
    length = epoch_length(run.configs)
    if length is not None:
        return steps / length
    for name, series in run.scalar_dict.items():
        if name.lower().rsplit("/", 1)[-1] in EPOCHS and len(series):
            known = np.isfinite(series.values)
            if known.any():
                return np.interp(steps, np.asarray(series.steps, np.float64)[known], np.asarray(series.values)[known])
    return np.full(len(steps), np.nan)


def epoch_length(configs: Mapping[str, Any]) -> float | None:
    """Return the number of steps of an epoch, if the configs have it.

    >>> epoch_length({"lr": 0.1, "steps_per_epoch": 250}), epoch_length({"epoch_length": "long"})
    (250.0, None)
    """
    for name in LENGTHS:
        found = configs.get(name)
        if isinstance(found, (int, float)) and not isinstance(found, bool) and 0 < found < np.inf:
            return float(found)
    return None
