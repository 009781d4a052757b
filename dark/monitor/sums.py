"""`Sums`, `Window` and `exponential`: averages, spread and extremes of records, in constant memory."""

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from dark.checks import boolean, describe, number
from dark.engine import Serializable
from dark.errors import UsageError, ValueTypeError

NAMES = ("total", "absolute", "squares", "low", "high")


class Sums(Serializable):
    """Sums over all examples that were recorded, in float64.

    `kept` has some of `NAMES` ("squares" needs "total"): the sums of the examples and of their absolute values, of
    squared deviations from the mean, and the extremes. Exponential averages start from 0; those of absolute values are
    kept with "absolute". `records` and `count` are the numbers of records, and of the examples in them.

    References
    ----------
    Chan, Golub and LeVeque, Updating Formulae and a Pairwise Algorithm for Computing Sample Variances, 1979: the
    deviations of two samples from their means, merged without cancellation.
    """

    _state_dict_all_req_keys = ("records", "count", "sums", "averages", "absolute_averages")

    def __init__(self, kept: set[str], decays: Iterable[float] = ()) -> None:
        self.kept, self.records, self.count = kept, 0, 0
        self.sums: dict[str, Any] = {}
        self.averages: dict[float, Any] = dict.fromkeys(decays, 0.0)
        self.absolute_averages: dict[float, Any] = dict.fromkeys(decays if "absolute" in kept else (), 0.0)

    def add(self, rows: np.ndarray) -> None:
        """Add a record: examples along the first axis."""
        if self.kept or self.averages:
            rows = rows.astype(np.float64, copy=False)
            with np.errstate(invalid="ignore", over="ignore"):
                self.sums = self._merged(self._sums_of(rows), len(rows))
                advance(self.averages, rows)
                if self.absolute_averages:
                    advance(self.absolute_averages, np.abs(rows))
        self.records, self.count = self.records + 1, self.count + len(rows)

    def _sums_of(self, rows):
        """Return the sums of a record, each computed only if it is kept."""
        total = rows.sum(axis=0)
        compute = {
            "total": lambda: total,
            "absolute": lambda: np.abs(rows).sum(axis=0),
            "squares": lambda: ((rows - total / len(rows)) ** 2).sum(axis=0),
            "low": lambda: rows.min(axis=0),
            "high": lambda: rows.max(axis=0),
        }
        return {name: compute[name]() for name in NAMES if name in self.kept}

    def _merged(self, new, n):
        """Return the sums over all records, given the sums of a new record with n examples."""
        old = self.sums
        if not self.count:
            return new
        merge: dict[str, Callable[[Any, Any], Any]] = {
            "total": np.add,
            "absolute": np.add,
            "squares": lambda a, b: a + b + self._between(old["total"], new["total"], n),
            "low": np.minimum,
            "high": np.maximum,
        }
        return {name: merge[name](old[name], new[name]) for name in new}

    def _between(self, old, new, n):
        """Return the contribution of the difference of two means to the squared deviations."""
        return (new / n - old / self.count) ** 2 * (self.count * n / (self.count + n))

    def state_dict(self) -> dict[str, Any]:
        """Return the sums."""
        return {name: getattr(self, name) for name in self._state_dict_all_req_keys}

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Restore the state that `state_dict` returned."""
        super().load_state_dict(state_dict)
        names = set(state_dict["sums"]), *(set(state_dict[name]) for name in self._state_dict_all_req_keys[3:])
        here = self.kept if state_dict["count"] else set(), set(self.averages), set(self.absolute_averages)
        if names != here:
            message = f"Statistic: the state does not fit; it has {_named(names)}, and the statistic {_named(here)}."
            wanted = "the same settings in both."
            raise UsageError(message, wanted, "make the statistic as it was when the state was saved.")
        vars(self).update({name: state_dict[name] for name in self._state_dict_all_req_keys})


def advance(averages, rows):
    """Move exponential averages, by decay, towards the mean of a record."""
    for decay, average in averages.items():
        averages[decay] = decay * average + (1 - decay) * rows.mean(axis=0)


def _named(names):
    return ", ".join(map(str, sorted(set().union(*names), key=str))) or "nothing"


class Window:
    """The last records, None for one only; if `is_batch`, the first axis of a record counts examples."""

    def __init__(self, length: int | None, is_batch: bool, records: Iterable[np.ndarray] = ()) -> None:
        self.length, self.is_batch = length, is_batch
        self.records = deque(records, maxlen=length or 1)

    def rows(self, array: np.ndarray) -> np.ndarray:
        """Return a record in float64, with a first axis for examples."""
        return np.asarray(array if self.is_batch else array[None], np.float64)

    def mean(self, function: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
        """Return the mean of a function of all examples, `np.asarray` or `np.abs`, in float64."""
        with np.errstate(invalid="ignore", over="ignore"):
            if self.is_batch:
                total = sum(function(self.rows(array)).sum(axis=0) for array in self.records)
                return np.asarray(total / sum(map(len, self.records)))
            values = np.array(self.records)  # the first axis counts records
            if values.dtype.kind != "f" and function is np.abs:  # an int8 cannot be 128
                values = values.astype(np.float64)
            return np.asarray(function(values).mean(axis=0, dtype=np.float64))


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
    message = f"Statistic: decays must be an iterable of numbers, got {describe(decays)}."
    raise ValueTypeError(message, "several numbers.", "decays=(0.9,).")


def as_result(array: Any) -> Any:
    """Return a float for a number, and an array as it is."""
    return array if np.ndim(array) else float(array)
