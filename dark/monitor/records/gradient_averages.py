"""Averages of the gradients of all weights: over a window of records, or exponential ones in constant memory."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dark.engine import Serializable
from dark.monitor.records.exponential_average import decay_of, move, share_of_last
from dark.monitor.records.flat_layout import FlatLayout
from dark.monitor.statistic import Statistic

Means = tuple[np.ndarray, np.ndarray]  # signed and absolute
LEAN: dict[str, Any] = {"keep_acc": False, "keep_spread": False, "keep_extremes": False, "decays": ()}


class WindowAverages(Serializable):
    """Means over the last `length` records, which are kept, in float64; None for sums of all records.

    Records in which a weight had no gradient do not count.
    """

    _state_dict_all_req_keys = ("gradients", "norms")

    def __init__(self, layout: FlatLayout, length: int | None) -> None:
        self.layout = layout
        self._gradients = Statistic(length, keep_abs_acc=length is None, **LEAN)
        self._norms = Statistic(length, **LEAN)  # squared norms, and 1 for each weight that had a gradient, else 0
        self._means: Means | None = None  # once computed

    def add(self, flat: np.ndarray, present: Sequence[bool]) -> None:
        """Add the gradients of a record."""
        self._gradients.add(flat)
        self._norms.add(np.array([self.layout.squared_norms(flat), present]))
        self._means = None

    def means(self) -> dict[str, Means]:
        """Return the means of each gradient and of its absolute value, by name, of weights that had gradients."""
        if not self._gradients.count:
            return {}
        if self._means is None:
            self._means = self._gradients.running_average, self._gradients.running_abs_average
        signed, absolute = (self.layout.split(mean) for mean in self._means)
        shares = zip(signed, self._norms.running_average[1])
        return {name: (signed[name] / share, absolute[name] / share) for name, share in shares if share}

    def squares(self) -> dict[str, tuple[float, float]]:
        """Return the mean squared norm of each gradient, and the sum of the squared weights of its records."""
        if not self._gradients.count:
            return {}
        n = min(self._gradients.count, self._gradients.max_length or self._gradients.count)
        rows = zip(self.layout.weights, *self._norms.running_average)
        return {name: (square / share, 1 / round(n * share)) for name, square, share in rows if share}

    def last(self) -> dict[str, float]:
        """Return the squared norms in the last record, of the weights that had a gradient."""
        if not self._gradients.count:
            return {}
        return {name: s for name, s, is_present in zip(self.layout.weights, *self._norms.last_value) if is_present}

    def state_dict(self) -> dict[str, Any]:
        """Return copies of the records."""
        return {"gradients": self._gradients.state_dict(), "norms": self._norms.state_dict()}

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Restore the state that `state_dict` returned."""
        super().load_state_dict(state_dict)
        self.layout.check(state_dict["gradients"].get("window", ()))
        self._gradients.load_state_dict(state_dict["gradients"])
        self._norms.load_state_dict(state_dict["norms"])
        self._means = None


class ExponentialAverages(Serializable):
    """Corrected exponential averages, in float32: 8 bytes for each element of a weight.

    Each weight has its own count of records, since records in which it had no gradient do not count.

    Notes
    -----
    The average of n records is their mean with the weights ``decay**(n - k)``, ``k = 1 … n``, divided by the sum of
    these: it is moved towards each record by the share that the record has in it. The sum of the squared shares of all
    records tells how much noise is left in the average; it is 1 / n for equal shares.
    """

    _state_dict_all_req_keys = ("signed", "absolute", "numbers")

    def __init__(self, layout: FlatLayout, length: int | None) -> None:
        self.layout, self.decay = layout, decay_of(length)
        self._signed, self._absolute = np.zeros(layout.size, np.float32), np.zeros(layout.size, np.float32)
        # of each weight: the count, the mean squared norm, the sum of squared shares; and, of the last record, the
        # squared norm, and whether there was a gradient
        self._numbers = np.zeros((5, len(layout.weights)))

    def add(self, flat: np.ndarray, present: Sequence[bool]) -> None:
        """Add the gradients of a record."""
        is_present, last = np.asarray(present, bool), self.layout.squared_norms(flat)
        count, square, concentration = self._numbers[:3]
        count += is_present
        share = np.where(is_present, share_of_last(self.decay, np.maximum(count, 1)), 0)
        square[:] = np.where(np.isfinite(square) | ~is_present, square + share * (last - square), last)
        concentration[:] = (1 - share) ** 2 * concentration + share**2
        self._numbers[3:] = last, is_present
        equal = len(share) > 0 and bool((share == share[0]).all())
        shares = np.float32(share[0]) if equal else np.repeat(share.astype(np.float32), self.layout.sizes)
        move(self._signed, flat, shares)
        move(self._absolute, np.abs(flat), shares)

    def means(self) -> dict[str, Means]:
        """Return the averages of each gradient and of its absolute value, by name: views."""
        signed, absolute = self.layout.split(self._signed), self.layout.split(self._absolute)
        return {name: (signed[name], absolute[name]) for name, count in zip(signed, self._numbers[0]) if count}

    def squares(self) -> dict[str, tuple[float, float]]:
        """Return the mean squared norm of each gradient, and the sum of the squared shares of its records."""
        rows = zip(self.layout.weights, *self._numbers)
        return {name: (square, shares) for name, count, square, shares, *_ in rows if count}

    def last(self) -> dict[str, float]:
        """Return the squared norms in the last record, of the weights that had a gradient."""
        return {name: s for name, s, is_present in zip(self.layout.weights, *self._numbers[3:]) if is_present}

    def state_dict(self) -> dict[str, Any]:
        """Return copies of the records."""
        arrays: list[np.ndarray] = [self._signed, self._absolute, self._numbers]
        return {name: array.copy() for name, array in zip(self._state_dict_all_req_keys, arrays)}

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Restore the state that `state_dict` returned."""
        super().load_state_dict(state_dict)
        self.layout.check([state_dict["signed"], state_dict["absolute"]])
        self._signed, self._absolute = np.array(state_dict["signed"]), np.array(state_dict["absolute"])
        self._numbers = np.array(state_dict["numbers"])
