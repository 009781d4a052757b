"""`GradientRecords`: running averages, norms and noise of the gradients of weights."""

from collections.abc import Container, Mapping
from typing import Any

import numpy as np

from dark.checks import describe
from dark.engine import Serializable
from dark.errors import ShapeError, UsageError, ValueTypeError, near_misses
from dark.monitor.records.flat_layout import FlatLayout
from dark.monitor.records.pending import QUIET, Pending
from dark.monitor.statistic import Statistic
from dark.nodes import value_of


class GradientRecords(Serializable):
    """Statistics of the gradients of weights, over the last records.

    Notes
    -----
    The noise of a weight is estimated from the spread of its recorded gradients: with n gradients of mean m and mean
    squared norm s, their variance is ``v = (s - |m|²) n / (n - 1)``, and the squared norm of the true gradient
    ``|m|² - v / n``; the noise is the first divided by the second, the number of batches whose average gradient has as
    much noise as signal. Times the batch size, it is the simple noise scale of McCandlish et al. If the second is not
    positive, the noise hides the gradient, and the estimate is left out.

    References
    ----------
    McCandlish et al., An Empirical Model of Large-Batch Training, 2018, https://arxiv.org/abs/1812.06162.
    """

    _state_dict_all_req_keys = ("gradients", "norms")

    def __init__(self, layout: FlatLayout, length: int | None) -> None:
        self.layout = layout
        lean: dict[str, Any] = {"keep_acc": False, "keep_spread": False, "keep_extremes": False, "decays": ()}
        self._gradients = Statistic(length, keep_abs_acc=length is None, **lean)
        self._norms = Statistic(length, **lean)  # squared norms, and 1 for each weight that had a gradient, else 0
        self._averages: tuple[np.ndarray, np.ndarray] | None = None  # signed and absolute, once computed
        self.last: Container[str] | None = None  # the weights with a gradient in the last record; None: not known
        self._pending = Pending(length)  # vectors, and which weights had a gradient, whose norms are not computed yet

    def record(self, gradients: Any = None) -> None:
        """Record gradients; see `Monitor.record_grads`."""
        found = [p.grad for p in self.layout.weights.values()] if gradients is None else self._given(gradients)
        arrays = list(map(value_of, found))
        present = [array is not None for array in arrays]
        flat = self.layout.flat(arrays if all(present) else self.layout.filled(arrays))
        self._averages, self.last = None, {name for name, has in zip(self.layout.weights, present) if has}
        if self._pending.add((flat, present), flat.nbytes):
            self.evaluate()

    def evaluate(self) -> None:
        """Compute the statistics of all records since the last evaluation."""
        with np.errstate(**QUIET):
            for flat, present in self._pending.take():
                self._gradients.add(flat)
                self._norms.add(np.array([self.layout.squared_norms(flat), present]))

    def _given(self, gradients):
        """Return given gradients, by name or in the order of the weights, after checking their shapes."""
        who, names = "record_grads", list(self.layout.weights)
        if hasattr(gradients, "keys"):
            unknown = [name for name in gradients if name not in self.layout.weights]
            if unknown:
                expected = "names of registered weights."
                raise UsageError(f"{who}: unknown weight {unknown[0]!r}.", expected, near_misses(unknown[0], names))
            found = [gradients.get(name) for name in names]
        elif isinstance(gradients, (list, tuple)):
            if len(gradients) != len(names):
                message = f"{who}: expected a gradient for each of {len(names)} weights, got {len(gradients)}."
                wanted = "one for each registered weight, in their order; None for a weight without gradient."
                raise UsageError(message, wanted, "a dictionary of gradients by name.")
            found = list(gradients)
        else:
            expected = "a list or a dictionary of arrays."
            message = f"{who}: gradients must be a mapping or an iterable, got {describe(gradients)}."
            raise ValueTypeError(message, expected, "record_grads(), for p.grad.")
        for (name, shape), g in zip(self.layout.shapes.items(), found):
            if g is not None and np.shape(value_of(g)) != shape:
                message = f"{who}: the gradient of {name} has the wrong shape {np.shape(value_of(g))}."
                wanted = f"{shape}, the shape of the weight."
                raise ShapeError(message, wanted, "gradients in the order of the weights, or by name.")
        return found

    def running(self) -> dict[str, tuple[np.ndarray, np.ndarray]]:
        """Return the running averages of each gradient and of its absolute value, by name.

        Records in which a weight had no gradient do not count; a weight that never had one is left out.
        """
        self.evaluate()
        if not self._gradients.count:
            return {}
        if self._averages is None:
            self._averages = self._gradients.running_average, self._gradients.running_abs_average
        signed, absolute = (self.layout.split(average) for average in self._averages)
        shares = zip(signed, self._norms.running_average[1])
        return {name: (signed[name] / share, absolute[name] / share) for name, share in shares if share}

    def are_missing(self) -> bool:
        """Return whether no weight had a gradient in the last record, though there are weights."""
        return bool(self.layout.weights) and self.last == set()

    def norms(self) -> dict[str, float]:
        """Return the norms of the gradients in the last record, of the weights that had one."""
        self.evaluate()
        if not self._gradients.count:
            return {}
        found = zip(self.layout.weights, *self._norms.last_value)
        return {name: float(np.sqrt(square)) for name, square, is_present in found if is_present}

    def noise(self) -> dict[str, float]:
        """Return the noise of each gradient, and of all together as "all", where it can be estimated."""
        self.evaluate()
        found: dict[str, float] = {}
        n = min(self._gradients.count, self._gradients.max_length or self._gradients.count)
        if n < 2:
            return found
        pairs = {name: mean for name, (mean, _) in self.running().items()}
        squares, shares = (dict(zip(self.layout.weights, row)) for row in self._norms.running_average)
        parts = {}
        for name, mean in pairs.items():
            k, square = n * shares[name], float((mean * mean).sum())
            if k >= 2:
                variance = (squares[name] / shares[name] - square) * k / (k - 1)
                parts[name] = max(variance, 0.0), square - variance / k
        if parts:
            parts["all"] = tuple(map(sum, zip(*parts.values())))
        return {name: float(v / signal) for name, (v, signal) in parts.items() if signal > 0 and np.isfinite(v)}

    def state_dict(self) -> dict[str, Any]:
        """Return what was recorded: copies."""
        self.evaluate()
        parts = self._gradients, self._norms
        return dict(zip(self._state_dict_all_req_keys, (part.state_dict() for part in parts)))

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Restore what `state_dict` returned."""
        super().load_state_dict(state_dict)
        self.layout.check(state_dict["gradients"].get("window", ()))
        for key, part in zip(self._state_dict_all_req_keys, (self._gradients, self._norms)):
            part.load_state_dict(state_dict[key])
        self._averages, self.last, self._pending = None, None, Pending(self._pending.length)
