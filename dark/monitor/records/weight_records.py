"""`WeightRecords`: the weights of a network as recorded, their flips of sign, and how far updates move them."""

from collections.abc import Mapping
from math import inf, isfinite, sqrt
from typing import Any, NamedTuple

import numpy as np

from dark.engine import Serializable
from dark.errors import NotComputableError
from dark.monitor.records.flat_layout import FlatLayout
from dark.monitor.records.pending import QUIET, Pending
from dark.nodes import value_of


class WeightStats(NamedTuple):
    """The distribution of the elements of a weight."""

    mean: float
    std: float
    min: float
    max: float
    norm: float


class WeightRecords(Serializable):
    """The records of weights.

    The count of flips is ``beta * count + alpha * flips``.

    Notes
    -----
    An element flips if its sign differs from its last sign that was not 0: a passage through 0, however long, is a flip
    if it comes out at the other side, and none if it comes back.
    """

    _state_dict_all_req_keys = ("now", "negative", "decided", "flips", "ratios")

    def __init__(self, layout: FlatLayout, alpha: float, beta: float) -> None:
        self.layout, self.alpha, self.beta = layout, alpha, beta
        self._before: np.ndarray | None = None  # the weights before the update that is being observed
        self._now: Any = None
        self._negative: Any = None  # whether the last sign of each element that was not 0 is a minus
        self._decided: Any = None  # whether there was such a sign
        self._all_decided = False
        self._flips: Any = None
        self._update: tuple[np.ndarray, np.ndarray] | None = (
            None  # the weights before and after the last observed update
        )
        self._ratios: dict[str, float] = {}
        self._pending = Pending()  # vectors whose flips are not counted yet

    def begin(self) -> None:
        """Keep the weights before an update."""
        self._before = self.layout.values()

    def forget(self) -> None:
        """Forget the weights before an update that is not recorded."""
        self._before = None

    def record(self) -> None:
        """Record the weights as they are now, and the update since `begin`, if it was called."""
        self._now = now = self.layout.values()
        self._update = None if self._before is None else (self._before, now)
        self._before, self._ratios = None, {}
        if self._pending.add(now, now.nbytes):
            self.evaluate()

    def evaluate(self) -> None:
        """Count the flips of all records since the last evaluation."""
        for now in self._pending.take():
            self._count_flips(now)

    def _count_flips(self, now):
        """Count the elements whose sign differs from their last one; 0 and NaN have none."""
        negative = now < 0
        if self._flips is None:
            self._negative, self._decided, self._flips = negative, np.zeros(len(now), bool), np.zeros(len(now))
        if self.beta != 1:
            self._flips *= self.beta
        (changed,) = (negative != self._negative).nonzero()
        if len(changed):  # few: whatever follows is cheap
            changed = changed[negative[changed] | (now[changed] > 0)]
            self._flips[changed[self._decided[changed]]] += self.alpha
            self._negative[changed] = negative[changed]
        if not self._all_decided:
            self._decided |= negative | (now > 0)
            self._all_decided = bool(self._decided.all())

    def are_finite(self) -> bool:
        """Return whether all weights are finite now, and their gradients as far as they have one."""
        with np.errstate(**QUIET):
            arrays = [array for p in self.layout.weights.values() for array in map(value_of, (p, p.grad))]
            return all(isfinite(np.sum(a)) or np.isfinite(a).all() for a in arrays if a is not None)

    def weights(self) -> dict[str, np.ndarray]:
        """Return copies of the recorded weights, by name; empty before `record`."""
        return {} if self._now is None else self.layout.split(self._now.copy())

    def flips(self) -> dict[str, np.ndarray]:
        """Return copies of the counts of flips, by name; empty before `record`."""
        self.evaluate()
        return {} if self._flips is None else self.layout.split(self._flips.copy())

    def update_ratios(self) -> dict[str, float]:
        """Return the norm of the last update relative to the norm of the weight, by name.

        Weights whose norm was 0, NaN or infinite before the update are left out.
        """
        if self._update is not None:
            before, now = self._update
            with np.errstate(**QUIET):
                updates, norms = (self.layout.squared_norms(x).tolist() for x in (now - before, before))
            self._ratios = {name: sqrt(a / b) for name, a, b in zip(self.layout.weights, updates, norms) if 0 < b < inf}
            self._update = None
        return dict(self._ratios)

    def norms(self) -> dict[str, float]:
        """Return the norms of the recorded weights."""
        if self._now is None:
            return {}
        with np.errstate(**QUIET):
            return dict(zip(self.layout.weights, np.sqrt(self.layout.squared_norms(self._now)).tolist()))

    def not_trained(self) -> dict[str, float]:
        """Return 0 for each recorded weight that does not require a gradient."""
        weights = {} if self._now is None else self.layout.weights
        return {name: 0.0 for name, p in weights.items() if not p.requires_grad}

    def stats(self) -> dict[str, WeightStats]:
        """Return the distribution of the elements of each weight."""
        if self._now is None:
            wanted = "at least one record."
            raise NotComputableError("get_weight_stats: no weights were recorded.", wanted, "record_weights() first.")
        return {name: stats_of(weight) for name, weight in self.weights().items()}

    def state_dict(self) -> dict[str, Any]:
        """Return what was recorded: copies."""
        self.evaluate()
        copied = (None if a is None else a.copy() for a in (self._now, self._negative, self._decided, self._flips))
        return dict(zip(self._state_dict_all_req_keys, (*copied, self.update_ratios())))

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Restore what `state_dict` returned."""
        super().load_state_dict(state_dict)
        self.layout.check(map(state_dict.get, self._state_dict_all_req_keys[:-1]))
        arrays = map(state_dict.get, self._state_dict_all_req_keys[:-1])
        self._now, self._negative, self._decided, self._flips = (None if a is None else np.array(a) for a in arrays)
        self._before, self._update, self._ratios = None, None, dict(state_dict["ratios"])
        self._pending, self._all_decided = Pending(), False


def stats_of(weight: np.ndarray) -> WeightStats:
    """Return the distribution of the elements of a weight, computed in float64."""
    wide = np.asarray(weight, np.float64)
    with np.errstate(**QUIET):
        found = wide.mean(), wide.std(), wide.min(), wide.max(), np.sqrt((wide**2).sum())
    return WeightStats(*map(float, found))
