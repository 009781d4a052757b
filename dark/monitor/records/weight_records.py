"""`WeightRecords`: the weights of a network as recorded, their flips of sign, and how far updates move them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from dark.engine import Serializable
from dark.errors import NotComputableError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dark.monitor.records.flat_layout import FlatLayout
    from dark.typing import Array


class WeightStats(NamedTuple):
    """The distribution of the elements of one weight."""

    mean: float
    std: float
    min: float
    max: float
    norm: float


class WeightRecords(Serializable):
    """What is recorded of weights.

    Parameters
    ----------
    layout : FlatLayout
    alpha, beta : float
        Of the count of flips: ``count = beta * count + alpha * flips``.

    Notes
    -----
    An element flips if its sign differs from its last sign that was not 0: a passage through 0, however long, is a flip
    if it comes out at the other side, and none if it comes back.
    """

    _state_dict_all_req_keys = ("now", "signs", "flips", "ratios")

    def __init__(self, layout: FlatLayout, alpha: float, beta: float) -> None:
        self.layout, self.alpha, self.beta = layout, alpha, beta
        self._before: Array | None = None  # the weights before the update that is being observed
        self._now: Any = None
        self._signs: Any = None  # of each element the last sign that was not 0
        self._flips: Any = None
        self._ratios: dict[str, float] = {}

    def begin(self) -> None:
        """Keep the weights before an update."""
        self._before = self.layout.values()

    def record(self) -> None:
        """Record the weights as they are now, and the update since `begin`, if it was called."""
        now = self.layout.values()
        with np.errstate(invalid="ignore", over="ignore"):
            self._count_flips(np.sign(now))
            self._ratios = {} if self._before is None else self._update_ratios(now)
        self._now, self._before = now, None

    def _count_flips(self, signs):
        if self._flips is None:
            self._signs, self._flips = signs, np.zeros(len(signs))
            return
        flips = signs * self._signs < 0
        if self.beta != 1:
            self._flips *= self.beta
        if flips.any():
            self._flips += self.alpha * flips
        np.copyto(self._signs, signs, where=signs != 0)

    def _update_ratios(self, now):
        """Return the norm of each update divided by that of its weight; weights of norm 0 have none."""
        updates = self.layout.squared_norms(now - self._before)
        norms = self.layout.squared_norms(self._before)
        ratios = np.sqrt(np.divide(updates, norms, out=np.full(len(norms), np.nan), where=norms != 0))
        return {name: float(ratio) for name, ratio, n in zip(self.layout.weights, ratios, norms) if n != 0}

    def weights(self) -> dict[str, Array]:
        """Return copies of the recorded weights, by name; empty before `record`."""
        return {} if self._now is None else self.layout.split(self._now.copy())

    def flips(self) -> dict[str, Array]:
        """Return copies of the counts of flips, by name; empty before `record`."""
        return {} if self._flips is None else self.layout.split(self._flips.copy())

    def update_ratios(self) -> dict[str, float]:
        """Return the norm of the last update relative to that of the weight, by name."""
        return dict(self._ratios)

    def norms(self) -> dict[str, float]:
        """Return the norms of the recorded weights."""
        if self._now is None:
            return {}
        return dict(zip(self.layout.weights, np.sqrt(self.layout.squared_norms(self._now)).tolist()))

    def stats(self) -> dict[str, WeightStats]:
        """Return the distribution of the elements of each weight.

        Raises
        ------
        NotComputableError
            Before `record`.
        """
        if self._now is None:
            raise NotComputableError(
                "get_weight_stats: no weights were recorded.", "at least one record.", "record_weights() first."
            )
        return {name: stats_of(weight) for name, weight in self.weights().items()}

    def state_dict(self) -> dict[str, Any]:
        """Return what was recorded: copies."""
        copied = (None if a is None else a.copy() for a in (self._now, self._signs, self._flips))
        return dict(zip(self._state_dict_all_req_keys, (*copied, dict(self._ratios))))

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Restore what `state_dict` returned."""
        super().load_state_dict(state_dict)
        now, signs, flips = (None if a is None else np.array(a) for a in map(state_dict.get, ("now", "signs", "flips")))
        self._before, self._now, self._signs, self._flips = None, now, signs, flips
        self._ratios = dict(state_dict["ratios"])


def stats_of(weight: Array) -> WeightStats:
    """Return the distribution of the elements of a weight, computed in float64.

    Examples
    --------
    >>> import numpy as np
    >>> stats_of(np.array([3.0, -4.0]))
    WeightStats(mean=-0.5, std=3.5, min=-4.0, max=3.0, norm=5.0)
    """
    wide = np.asarray(weight, np.float64)
    with np.errstate(invalid="ignore", over="ignore"):
        found = wide.mean(), wide.std(), wide.min(), wide.max(), np.sqrt((wide**2).sum())
    return WeightStats(*map(float, found))
