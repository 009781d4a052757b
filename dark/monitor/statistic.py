"""`Statistic`: mean, standard deviation and extremes of numbers or arrays that are recorded over time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import deepcopy
from typing import Any

import numpy as np

from dark.checks import boolean, integer
from dark.engine import Serializable
from dark.errors import NotComputableError, UsageError
from dark.monitor import sums
from dark.monitor.results import recorded, rows_of
from dark.monitor.sums import Sums, Window, as_result, checked_decays
from dark.typing import Array, ArrayLike, Value


class Statistic(Serializable):
    """Mean, standard deviation and extremes of records: numbers, or arrays of the same shape.

    Memory is constant: sums and the last record are kept, unless a window is requested by `max_length`. Sums are in
    float64, whatever the dtype of the records. Records are copied, so that arrays may change in place afterwards.

    Parameters
    ----------
    max_length : int or None, default None
        The number of the last records over which running averages are computed; these records are kept. None means
        all records; only their sum is kept then.
    keep_acc : bool, default True
        Whether to keep the sum of all records, for `average`.
    keep_abs_acc : bool, default False
        Whether to keep the sum of their absolute values, for `abs_average` and, without a window,
        `running_abs_average`.
    reduce_1st_dim : bool, default False
        Whether a record is a batch: its first axis counts examples, whose number may differ, and everything is
        computed over examples. A batch without examples changes nothing.
    keep_spread, keep_extremes : bool, default True
        Whether to keep what `std`, and `min` and `max`, are computed from.
    decays : iterable of float, default (0.99,)
        The decays of the exponential averages to keep, see `exponential`: from 0 to 1, where 1 is excluded.

    Notes
    -----
    Results are float64, a float for numbers, and computed for each element; NaN and infinity propagate as in NumPy.
    Without any record, or without what is needed, reading a result raises a `NotComputableError`.

    Examples
    --------
    >>> statistic = Statistic(max_length=3, keep_abs_acc=True)
    >>> for value in (1, -2, 3, -4, 5):
    ...     statistic.record(value)
    >>> statistic.average, statistic.abs_average, statistic.last_value
    (0.6, 3.0, 5)
    >>> round(statistic.running_average, 5), statistic.running_abs_average
    (1.33333, 4.0)
    >>> statistic.min, statistic.max, round(statistic.std, 3)
    (-4.0, 5.0, 3.262)
    """

    exponential = sums.exponential
    _state_dict_all_req_keys = ("window", "max_length", "sums")

    def __init__(
        self, max_length: int | None = None, keep_acc: bool = True, keep_abs_acc: bool = False,
        reduce_1st_dim: bool = False, *, keep_spread: bool = True, keep_extremes: bool = True,
        decays: Iterable[float] = (0.99,),
    ) -> None:  # fmt: skip
        who = "Statistic"
        self._keeps_average = boolean(keep_acc, who, "keep_acc")
        self._is_batch = boolean(reduce_1st_dim, who, "reduce_1st_dim")
        kept = {"absolute"} if boolean(keep_abs_acc, who, "keep_abs_acc") else set()
        kept |= {"total", "squares"} if boolean(keep_spread, who, "keep_spread") else set()
        kept |= {"low", "high"} if boolean(keep_extremes, who, "keep_extremes") else set()
        kept |= {"total"} if self._keeps_average or max_length is None else set()
        self._sums = Sums(kept, checked_decays(decays))
        length = None if max_length is None else integer(max_length, who, "max_length", 1)
        self._window = Window(length, self._is_batch)

    @property
    def count(self) -> int:
        """The number of records; of examples, if records are batches."""
        return self._sums.count

    @property
    def max_length(self) -> int | None:
        """The largest number of records in the window; None if running averages are over all records."""
        return self._window.length

    @property
    def shape(self) -> tuple[int, ...] | None:
        """The shape of a record, or of an example if records are batches; None before the first record."""
        return self._window.records[-1].shape[self._is_batch :] if self._window.records else None

    def record(self, value: ArrayLike) -> None:
        """Add a record.

        Numbers, arrays or nodes have the same shape each time; batches (`reduce_1st_dim`) have examples of the same
        shape. Otherwise nothing has changed, and a `ShapeError` is raised.
        """
        self.add(recorded(value, "Statistic.record"))

    def add(self, array: Array) -> None:
        """Add a record without a copy: an array that no caller changes afterwards."""
        rows = rows_of(array, "Statistic.record", self._is_batch, self.shape)
        if len(rows):
            self._sums.add(rows)
            self._window.records.append(array)

    @property
    def last_value(self) -> Value:
        """The last record, of its own type; a batch as a whole."""
        self._check("last_value")
        last = self._window.records[-1]
        return last.copy() if last.ndim else last.item()

    @property
    def window(self) -> tuple[Array, ...]:
        """Copies of the records in the window, the oldest first; without a window, of the last record alone."""
        return tuple(array.copy() for array in self._window.records)

    @property
    def average(self) -> Value:
        """The mean of all records."""
        self._check("average", self._keeps_average, "keep_acc=True")
        return as_result(self._sums.sums["total"] / self.count)

    @property
    def abs_average(self) -> Value:
        """The mean of the absolute values of all records."""
        self._check("abs_average", "absolute" in self._sums.kept, "keep_abs_acc=True")
        return as_result(self._sums.sums["absolute"] / self.count)

    @property
    def running_average(self) -> Value:
        """The mean of the window; batches count by their examples."""
        self._check("running_average")
        if self.max_length is None:
            return as_result(self._sums.sums["total"] / self.count)
        return as_result(self._window.mean(np.asarray))

    @property
    def running_abs_average(self) -> Value:
        """The mean of the absolute values of the window."""
        if self.max_length is None:
            return self.abs_average
        self._check("running_abs_average")
        return as_result(self._window.mean(np.abs))

    @property
    def std(self) -> Value:
        """The standard deviation of all records, divided by their number as in `numpy.std`."""
        self._check("std", "squares" in self._sums.kept, "keep_spread=True")
        return as_result(np.sqrt(self._sums.sums["squares"] / self.count))

    @property
    def min(self) -> Value:
        """The least of all records."""
        self._check("min", "low" in self._sums.kept, "keep_extremes=True")
        return as_result(self._sums.sums["low"].copy())

    @property
    def max(self) -> Value:
        """The greatest of all records."""
        self._check("max", "high" in self._sums.kept, "keep_extremes=True")
        return as_result(self._sums.sums["high"].copy())

    def set_max_length(self, max_length: int | None) -> None:
        """Change the length of the window.

        A shorter window keeps the last records; a new one starts with the last record, as no other is there. None
        removes it: running averages are over all records then.
        """
        length = None if max_length is None else integer(max_length, "set_max_length", "max_length", 1)
        if length is None and "total" not in self._sums.kept:
            raise UsageError(
                "set_max_length: without a window, running averages need the sum of all records, which is not kept.",
                "a statistic with keep_acc=True, or a window.",
                "Statistic(max_length, keep_acc=True).",
            )
        self._window = Window(length, self._is_batch, self._window.records)

    def _check(self, name, is_kept=True, setting=""):
        """Raise if there is nothing to compute a result from."""
        if not self._window.records:
            what, expected, advice = "nothing was recorded", "at least one record.", "record(value) first."
        elif not is_kept:
            what, expected, advice = "its sum is not kept", f"{setting}.", f"Statistic({setting})."
        else:
            return
        raise NotComputableError(f"Statistic.{name}: {what}.", expected, advice)

    def state_dict(self) -> dict[str, Any]:
        """Return the records: plain data, and copies of arrays."""
        state = {"window": [*self._window.records], "max_length": self.max_length, "sums": self._sums.state_dict()}
        return deepcopy(state)

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Restore a state that `state_dict` returned, in a statistic with the same settings.

        Nothing has changed if it is not such a state, or one of other settings.
        """
        super().load_state_dict(state_dict)
        state = deepcopy(dict(state_dict))
        self._sums.load_state_dict(state["sums"])
        self._window = Window(state["max_length"], self._is_batch, state["window"])
