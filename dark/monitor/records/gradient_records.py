"""`GradientRecords`: running averages, norms and noise of the gradients of weights."""

from collections.abc import Container, Mapping
from typing import Any

import numpy as np

from dark.checks import describe
from dark.errors import ShapeError, UsageError, ValueTypeError, near_misses
from dark.monitor.records.flat_layout import FlatLayout
from dark.monitor.records.gradient_averages import ExponentialAverages, WindowAverages
from dark.monitor.records.pending import QUIET, Pending
from dark.nodes import value_of


class GradientRecords:
    """Statistics of the gradients of weights, over the last records.

    Notes
    -----
    The noise of a weight is estimated from the spread of its recorded gradients: if their mean m and their mean squared
    norm s are weighted, and q is the sum of the squared weights (1 / n for n equal ones), their variance is
    ``v = (s - |m|²) / (1 - q)``, and the squared norm of the true gradient ``|m|² - v q``; the noise is the first
    divided by the second, the number of batches whose average gradient has as much noise as signal. Times the batch
    size, it is the simple noise scale of McCandlish et al. If the second is not positive, the noise hides the gradient,
    and the estimate is left out.

    References
    ----------
    McCandlish et al., An Empirical Model of Large-Batch Training, 2018, https://arxiv.org/abs/1812.06162.
    """

    def __init__(self, layout: FlatLayout, length: int | None, is_exponential: bool = False) -> None:
        self.layout, self.is_exponential = layout, is_exponential
        self.forget(length)
        self.last: Container[str] | None = None  # the weights with a gradient in the last record; None: not known

    def forget(self, length: int | None) -> None:
        """Begin anew, with averages over so many records."""
        self._averages = (ExponentialAverages if self.is_exponential else WindowAverages)(self.layout, length)
        self._pending = Pending(length)  # vectors, and which weights had a gradient, that are not averaged yet

    def record(self, gradients: Any = None, resting: Container[str] = ()) -> None:
        """Record gradients, see `Monitor.record_grads`; those stored in weights that rest do not count."""
        found = self._stored(resting) if gradients is None else self._given(gradients)
        arrays = list(map(value_of, found))
        present = [array is not None for array in arrays]
        self.last = {name for name, has in zip(self.layout.weights, present) if has}
        if resting and not self.last:
            return
        flat = self.layout.flat(arrays if all(present) else self.layout.filled(arrays))
        if self._pending.add((flat, present), flat.nbytes) or self.is_exponential:
            self.evaluate()

    def _stored(self, resting):
        """Return the gradients that are stored in the weights, None for one without."""
        return [None if name in resting else p.grad for name, p in self.layout.weights.items()]

    def evaluate(self) -> None:
        """Average all records since the last evaluation."""
        with np.errstate(**QUIET):
            for flat, present in self._pending.take():
                self._averages.add(flat, present)

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
                raise UsageError(message, wanted, "pass a dictionary of gradients by name.")
            found = list(gradients)
        else:
            expected = "a list or a dictionary of arrays."
            message = f"{who}: gradients must be a mapping or an iterable, got {describe(gradients)}."
            raise ValueTypeError(message, expected, "record_grads(), for p.grad.")
        for (name, shape), g in zip(self.layout.shapes.items(), found):
            if g is not None and np.shape(value_of(g)) != shape:
                message = f"{who}: the gradient of {name} has the wrong shape {np.shape(value_of(g))}."
                wanted = f"{shape}, the shape of the weight."
                raise ShapeError(message, wanted, "pass gradients in the order of the weights, or by name.")
        return found

    def running(self) -> dict[str, tuple[np.ndarray, np.ndarray]]:
        """Return the running averages of each gradient and of its absolute value, by name, in the dtype of the weight.

        Records in which a weight had no gradient do not count; a weight that never had one is left out.
        """
        self.evaluate()
        means = self._averages.means()
        signed, absolute = (self.layout.own({name: pair[k].copy() for name, pair in means.items()}) for k in (0, 1))
        return {name: (signed[name], absolute[name]) for name in means}

    def are_missing(self) -> bool:
        """Return whether no weight had a gradient in the last record, though there are weights."""
        return bool(self.layout.weights) and self.last == set()

    def norms(self) -> dict[str, float]:
        """Return the norms of the gradients in the last record, of the weights that had one."""
        self.evaluate()
        return {name: float(np.sqrt(square)) for name, square in self._averages.last().items()}

    def noise(self) -> dict[str, float]:
        """Return the noise of each gradient, and of all together as "all", where it can be estimated."""
        self.evaluate()
        squares, parts = self._averages.squares(), {}
        for name, (mean, _) in self._averages.means().items():
            square, shares = squares[name]
            if shares < 1:
                signal = float((mean * mean).sum(dtype=np.float64))
                variance = (square - signal) / (1 - shares)
                parts[name] = max(variance, 0.0), signal - variance * shares
        if parts:
            parts["all"] = tuple(map(sum, zip(*parts.values())))
        return {name: float(v / signal) for name, (v, signal) in parts.items() if signal > 0 and np.isfinite(v)}

    def state_dict(self) -> dict[str, Any]:
        """Return copies of the records."""
        self.evaluate()
        return self._averages.state_dict()

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Restore the state that `state_dict` returned."""
        if {*state_dict} == {*_OTHER[type(self._averages)]._state_dict_all_req_keys}:
            kept = "window" if self.is_exponential else "exponential"
            wanted = f"a state of a monitor with averages={'exponential' if self.is_exponential else 'window'!r}."
            message = f"Monitor: the state must have running averages of the same kind, got {kept!r}."
            raise UsageError(message, wanted, f"Monitor(network, averages={kept!r}).")
        self._averages.load_state_dict(state_dict)
        self.last, self._pending = None, Pending(self._pending.length)


_OTHER = {WindowAverages: ExponentialAverages, ExponentialAverages: WindowAverages}
