"""`ActivationRecords`: statistics of the outputs of modules in training, and which units are dead or saturated."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

import numpy as np

from dark.engine import Serializable
from dark.monitor.activations.leaves import examples_first, number_of_examples
from dark.monitor.records.pending import QUIET, Pending
from dark.monitor.statistic import Statistic
from dark.nn import GRU, LSTM, RNN, GRUCell, LSTMCell, ReLU, RNNCell, Sigmoid, Tanh

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dark.monitor.budget import Budget
    from dark.nn import Module
    from dark.typing import Array

MARGIN = 0.01  # an output is saturated if its distance from a bound is at most this
FUNCTIONS = {"relu": ReLU, "sigmoid": Sigmoid, "tanh": Tanh}  # of a `Function`, by name


class ActivationRecords(Serializable):
    """Statistics of Type I, by the name of the output.

    Parameters
    ----------
    length : int or None
        The number of records over which averages run; None for all. Each record is the mean over the examples of a
        step.
    sample_axis : int
        The axis that counts examples.
    budget : Budget

    Attributes
    ----------
    signed, absolute : dict of str to Statistic
        Of the means over examples, and of the means of absolute values.
    saturated : dict of str to float
        The fraction of outputs within 0.01 of a bound, in the last record: of sigmoid, tanh and recurrent layers.
    """

    _state_dict_all_req_keys = ("signed", "absolute", "active", "saturated")

    def __init__(self, length: int | None, sample_axis: int, budget: Budget) -> None:
        self.length, self.sample_axis, self.budget = length, sample_axis, budget
        self.signed: dict[str, Statistic] = {}
        self.absolute: dict[str, Statistic] = {}
        self.saturated: dict[str, float] = {}
        self._pending = Pending()  # outputs and numbers of examples that are not evaluated yet
        self._kinds: dict[Module, type] = {}
        self._active: dict[str, deque[Array]] = {}  # whether each unit was active in the last records

    def record(self, found: Mapping[str, tuple[Module, Array]], inputs: Mapping[str, tuple[Any, Any]]) -> None:
        """Record the outputs of a step; one without examples, or of another shape than before, is left out.

        The `inputs` of the models tell the number of examples.
        """
        arguments = [value for args, settings in inputs.values() for value in (*args, *settings.values())]
        count = number_of_examples(arguments, self.sample_axis)
        copies = {name: (module, array.copy()) for name, (module, array) in found.items()}
        if self._pending.add((copies, count), sum(array.nbytes for _, array in copies.values())):
            self.evaluate()

    def evaluate(self) -> None:
        """Compute the statistics of all records since the last evaluation."""
        with np.errstate(**QUIET):
            for found, count in self._pending.take():
                self.saturated = {}
                for name, (module, array) in found.items():
                    rows = examples_first(array, self.sample_axis, count)
                    if rows.size and self._has_room(name, rows.shape[1:]):
                        self._record(name, module, rows)

    def _has_room(self, name, shape):
        if name not in self.signed:
            size_bytes = 2 * 8 * int(np.prod(shape)) * ((self.length or 1) + 1)
            if not self.budget.claim(f"activations/{name}", size_bytes):
                return False
            self.signed[name], self.absolute[name] = self._statistic(), self._statistic()
        elif self.signed[name].shape != shape:
            why = f"a step had examples of shape {shape} instead of {self.signed[name].shape}"
            self.budget.drop(f"activations/{name}", f"{why}; sample_axis={self.sample_axis} counts examples")
            return False
        return True

    def _statistic(self):
        return Statistic(self.length, keep_acc=False, keep_spread=False, keep_extremes=False, decays=())

    def _record(self, name, module, rows):
        kind = self._kinds.get(module) or self._kinds.setdefault(module, kind_of_units(module))
        size = rows if kind in (ReLU, Sigmoid) else np.abs(rows)
        means = mean_of(rows)
        absolute = means if size is rows else mean_of(size)
        self.signed[name].record(means)
        self.absolute[name].record(absolute)
        if kind is ReLU:
            self._active.setdefault(name, deque(maxlen=self.length)).append(absolute != 0)
        elif kind is Sigmoid:
            self.saturated[name] = float(((rows < MARGIN) | (rows > 1 - MARGIN)).mean())
        elif kind is Tanh:
            self.saturated[name] = float((size > 1 - MARGIN).mean())

    def dead(self) -> dict[str, float]:
        """Return the fraction of units of each ReLU that were 0 for every example of the last records."""
        return {name: dead_fraction(np.any(list(active), axis=0)) for name, active in self._active.items()}

    def state_dict(self) -> dict[str, Any]:
        """Return what was recorded: copies."""
        self.evaluate()
        parts = self.signed, self.absolute
        signed, absolute = ({name: s.state_dict() for name, s in part.items()} for part in parts)
        active = {name: [array.copy() for array in arrays] for name, arrays in self._active.items()}
        return {"signed": signed, "absolute": absolute, "active": active, "saturated": dict(self.saturated)}

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Restore what `state_dict` returned."""
        super().load_state_dict(state_dict)
        made: dict[str, dict[str, Statistic]] = {"signed": {}, "absolute": {}}
        for key, statistics in made.items():
            for name, state in state_dict[key].items():
                statistics[name] = self._statistic()
                statistics[name].load_state_dict(state)
        self.signed, self.absolute = made["signed"], made["absolute"]
        self.saturated = dict(state_dict["saturated"])
        self._pending = Pending()
        active = {name: map(np.array, arrays) for name, arrays in state_dict["active"].items()}
        self._active = {name: deque(arrays, maxlen=self.length) for name, arrays in active.items()}


def mean_of(rows: Array) -> Array:
    """Return the mean over the first axis, as a product, which is faster than a sum along that axis.

    Examples
    --------
    >>> mean_of(np.array([[1.0, 2.0], [3.0, 6.0]]))
    array([2., 4.])
    """
    if rows.dtype.kind != "f" or rows.dtype.itemsize < 4:
        return rows.mean(axis=0, dtype=np.float64)
    shares = np.empty(len(rows), rows.dtype)
    shares[:] = 1 / len(rows)
    return (shares @ rows.reshape(len(rows), -1)).reshape(rows.shape[1:])


def kind_of_units(module: Module) -> type:
    """Return `ReLU`, `Sigmoid` or `Tanh` for a module with outputs of that kind, else `object`.

    Examples
    --------
    >>> from dark import nn
    >>> [kind_of_units(m).__name__ for m in (nn.ReLU(), nn.GRU(1, 2), nn.RNN(1, 2, nonlinearity="relu"), nn.GELU())]
    ['ReLU', 'Tanh', 'ReLU', 'object']
    """
    if isinstance(module, (RNN, RNNCell)):
        return Tanh if module.nonlinearity == "tanh" else ReLU
    if isinstance(module, (GRU, GRUCell, LSTM, LSTMCell)):
        return Tanh
    for kind in (ReLU, Sigmoid, Tanh):
        if isinstance(module, kind):
            return kind
    return FUNCTIONS.get(getattr(getattr(module, "function", None), "__name__", ""), object)


def dead_fraction(active: Array) -> float:
    """Return the fraction of units that are never active.

    Parameters
    ----------
    active : bool array
        For each element of the output of an example. In images, of shape (channels, height, width), the units are the
        channels. In arrays of two axes, sequences or signals, they are the index of either axis: the larger fraction.

    Examples
    --------
    >>> import numpy as np
    >>> dead_fraction(np.array([True, False, False, True])), dead_fraction(np.ones((3, 2, 2), bool))
    (0.5, 0.0)
    """
    axes = (0, 1) if active.ndim == 2 else (0,)
    if not active.ndim:
        return float(not active)
    flat = (np.moveaxis(active, axis, 0).reshape(active.shape[axis], -1) for axis in axes)
    return max(float(1 - units.any(axis=1).mean()) for units in flat)
