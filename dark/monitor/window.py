"""`Window`: the last records of a statistic, and their mean."""

from collections import deque
from collections.abc import Callable, Iterable

import numpy as np


class Window:
    """The last records.

    None for `length` keeps the last one only; if `is_batch`, the first axis of a record counts examples.
    """

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
