"""Corrected exponential averages in constant memory: how they move, and `ExponentialAverage` of one array."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from dark.engine import Serializable


def decay_of(length: int | None) -> float:
    """Return the decay of an exponential average whose records are as old, on average, as those of a window.

    >>> decay_of(3), decay_of(1), decay_of(None)
    (0.5, 0.0, 1.0)
    """
    return 1.0 if length is None else (length - 1) / (length + 1)


def share_of_last(decay: float, count: Any) -> Any:
    """Return the share of the last of `count` records in their corrected exponential average; of decay 1, in the mean.

    >>> share_of_last(0.5, 1), share_of_last(0.5, 2) == 0.5 / 0.75, share_of_last(1.0, 4)
    (1.0, True, 0.25)
    """
    return 1 / count if decay == 1 else (1 - decay) / (1 - decay**count)


def move(average: np.ndarray, record: np.ndarray, share: Any) -> None:
    """Move an average towards a record, in place; where it is not finite, it begins anew."""
    difference = np.subtract(record, average, dtype=average.dtype, casting="same_kind")
    difference *= share
    if np.isfinite(average.sum()):
        average += difference
        return
    begins = ~np.isfinite(average) & (np.asarray(share) > 0)
    average += np.where(np.isfinite(average), difference, 0)
    average[begins] = record[begins]


class ExponentialAverage(Serializable):
    """The corrected exponential average of arrays of one shape, in float32, with the results of a `Statistic`.

    >>> average = ExponentialAverage(length=3)
    >>> for record in (np.array([1.0]), np.array([4.0])):
    ...     average.add(record)
    >>> average.running_average, average.count
    (array([3.]), 2)
    """

    _state_dict_all_req_keys = ("average", "count")

    def __init__(self, length: int | None) -> None:
        self.decay, self.count = decay_of(length), 0
        self._average: np.ndarray | None = None

    @property
    def shape(self) -> tuple[int, ...] | None:
        """The shape of a record; None before the first."""
        return None if self._average is None else self._average.shape

    @property
    def running_average(self) -> np.ndarray:
        """The average, in float64."""
        return np.array(0.0 if self._average is None else self._average, np.float64)

    def add(self, array: np.ndarray) -> None:
        """Add a record."""
        if self._average is None:
            self._average = np.zeros(array.shape, np.float32)
        self.count += 1
        move(
            self._average.reshape(-1), np.asarray(array).reshape(-1), np.float32(share_of_last(self.decay, self.count))
        )

    def state_dict(self) -> dict[str, Any]:
        """Return the average and the count."""
        return {"average": None if self._average is None else self._average.copy(), "count": self.count}

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Restore the state that `state_dict` returned."""
        super().load_state_dict(state_dict)
        average, self.count = state_dict["average"], state_dict["count"]
        self._average = None if average is None else np.array(average, np.float32)
