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

    The count of flips is ``beta * count + alpha * flips``. If they are to be lean, counts are in float32, and the
    weights before an update are not kept after it. `groups` are the weights that one optimizer moves, by the name of
    their model: `resting` has those that were not moved in the last record, but in one before, as in the steps in which
    gradients are accumulated. (If all gradients are 0, an optimizer may not have moved them: such a group counts.)

    Notes
    -----
    An element flips if its sign differs from its last sign that was not 0: a passage through 0, however long, is a flip
    if it comes out at the other side, and none if it comes back.
    """

    _state_dict_all_req_keys = ("now", "negative", "decided", "flips", "ratios")

    def __init__(
        self, layout: FlatLayout, alpha: float, beta: float, is_lean: bool = False, groups: Any = None
    ) -> None:  # fmt: skip
        self.layout, self.alpha, self.beta, self._is_lean = layout, alpha, beta, is_lean
        self.groups = dict.fromkeys(layout.weights, "") | dict(groups or {})
        self.resting: set[str] = set()
        self.moved: set[str] = set()  # the groups that have moved in a record
        self.has_rested = False  # whether steps were observed, and nothing has moved in any of them
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
        self._update, self._ratios, self.resting = None, {}, set()
        if self._before is not None:
            moved = self._moved_between(self._before, now)
            self.resting = {group for group in self.moved - moved if not self._has_only_zeros(group)}
            self.moved |= moved
            self.has_rested = not self.moved
            self._update, self._before = (self._before, now), None
            if self._is_lean:
                self._measure()
        if self._pending.add(now, now.nbytes):
            self.evaluate()

    def _moved_between(self, before, now):
        """Return the groups that have a changed weight."""
        moved: set[str] = set()
        for name, start, size in zip(self.layout.weights, self.layout.starts, self.layout.sizes):
            part = slice(start, start + size)
            if self.groups[name] not in moved and not np.array_equal(before[part], now[part]):
                moved.add(self.groups[name])
        return moved

    def _has_only_zeros(self, group):
        """Return whether there are gradients of a group, and all are 0: so an optimizer need not move it."""
        weights = (p for name, p in self.layout.weights.items() if self.groups[name] == group)
        gradients = [value_of(p.grad) for p in weights if p.grad is not None]
        return bool(gradients) and not any(np.any(gradient) for gradient in gradients)

    def evaluate(self) -> None:
        """Count the flips of all records since the last evaluation."""
        for now in self._pending.take():
            self._count_flips(now)

    def _count_flips(self, now):
        """Count the elements whose sign differs from their last one; 0 and NaN have none."""
        negative = now < 0
        if self._flips is None:
            self._negative, self._decided, self._flips = negative, np.zeros(len(now), bool), np.zeros(len(now))
            if self._is_lean:
                self._flips = self._flips.astype(np.float32)
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
        return {} if self._now is None else self.layout.own(self.layout.split(self._now.copy()))

    def flips(self) -> dict[str, np.ndarray]:
        """Return copies of the counts of flips, by name, in the dtype of the weights; empty before `record`."""
        self.evaluate()
        return {} if self._flips is None else self.layout.own(self.layout.split(self._flips.copy()))

    def update_ratios(self) -> dict[str, float]:
        """Return the norm of the last update relative to the norm of the weight, by name.

        Weights whose norm was 0, NaN or infinite before the update are left out, and those in `resting`. Ratios of
        float16 are computed in float32.
        """
        self._measure()
        return dict(self._ratios)

    def _measure(self):
        """Compute the update ratios, unless that has been done."""
        if self._update is None:
            return
        before, now = (x.astype(np.float32) if x.dtype == np.float16 else x for x in self._update)
        with np.errstate(**QUIET):
            updates, norms = (self.layout.squared_norms(x).tolist() for x in (now - before, before))
        found = zip(self.layout.weights, updates, norms)
        ratios = {name: sqrt(a / b) for name, a, b in found if 0 < b < inf and self.groups[name] not in self.resting}
        self._ratios, self._update = ratios, None

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
        """Return copies of the records."""
        self.evaluate()
        copied = (None if a is None else a.copy() for a in (self._now, self._negative, self._decided, self._flips))
        return {
            **dict(zip(self._state_dict_all_req_keys, (*copied, self.update_ratios()))),
            "moved": sorted(self.moved),
        }

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Restore the state that `state_dict` returned."""
        super().load_state_dict(state_dict)
        self.layout.check(map(state_dict.get, self._state_dict_all_req_keys[:-1]))
        arrays = map(state_dict.get, self._state_dict_all_req_keys[:-1])
        self._now, self._negative, self._decided, self._flips = (None if a is None else np.array(a) for a in arrays)
        self._before, self._update, self._ratios = None, None, dict(state_dict["ratios"])
        self._pending, self._all_decided = Pending(), False
        self.resting, self.moved = set(), set(state_dict.get("moved", ()))


def stats_of(weight: np.ndarray) -> WeightStats:
    """Return the distribution of the elements of a weight, computed in float64."""
    wide = np.asarray(weight, np.float64)
    with np.errstate(**QUIET):
        found = wide.mean(), wide.std(), wide.min(), wide.max(), np.sqrt((wide**2).sum())
    return WeightStats(*map(float, found))
