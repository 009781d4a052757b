"""Exponential moving averages of a `Statistic`."""

from typing import Any, NamedTuple

import numpy as np

from dark.checks import boolean, describe, number
from dark.errors import ValueTypeError
from dark.monitor.sums import advance


class Exponential(NamedTuple):
    """An exponential moving average: as it is (it starts from 0), and divided by ``1 - decay**n``."""

    raw: Any
    corrected: Any


def exponential(statistic: Any, decay: float = 0.99, *, absolute: bool = False) -> Exponential:
    """Return an exponential moving average: ``decay * average + (1 - decay) * record``, from record to record.

    The result has `raw`, which starts from 0, and `corrected`: divided by ``1 - decay**n`` after n records, a weighted
    mean of the records. A batch is one record, its mean.

    The decay is one of `decays`; any other one, too, as long as the window holds all records. Averages of absolute
    values need `keep_abs_acc`, or such a window.

    Examples
    --------
    >>> from dark.monitor import Statistic
    >>> statistic = Statistic()
    >>> statistic.record(1.0)
    >>> [round(average, 12) for average in statistic.exponential(0.99)]
    [0.01, 1.0]
    """
    decay = number(decay, "exponential", "decay", least=0, below=1)
    sums, records = statistic._sums, statistic._window.records
    averages = sums.absolute_averages if boolean(absolute, "exponential", "absolute") else sums.averages
    is_known = decay in averages or len(records) == sums.records
    statistic._check("exponential", is_known, f"decays=({decay},){', keep_abs_acc=True' * absolute}")
    if decay not in averages:
        averages = {decay: 0.0}
        for rows in map(statistic._window.rows, records):
            advance(averages, np.abs(rows) if absolute else rows)
    raw = np.asarray(averages[decay])
    return Exponential(as_result(raw.copy()), as_result(raw / (1 - decay**sums.records)))


def checked_decays(decays: Any) -> list[float]:
    """Return decays as a list of numbers from 0 to 1, where 1 is excluded."""
    if np.iterable(decays) and not isinstance(decays, str):
        return [number(decay, "Statistic", "decay", least=0, below=1) for decay in decays]
    raise ValueTypeError(
        f"Statistic: decays must be an iterable of numbers, got {describe(decays)}.",
        "several numbers.",
        "decays=(0.9,).",
    )


def as_result(array: Any) -> Any:
    """Return a float for a number, and an array as it is."""
    return array if np.ndim(array) else float(array)
