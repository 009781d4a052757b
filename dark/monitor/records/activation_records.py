"""`ActivationRecords`: statistics of the outputs of modules in training, and which units are dead or saturated."""

from collections.abc import Container, Mapping
from itertools import groupby
from typing import Any

import numpy as np

from dark.engine import Serializable
from dark.monitor.activations.forward_calls import examples_first, number_of_examples
from dark.monitor.budget import Budget
from dark.monitor.choices import Choices
from dark.monitor.records.exponential_average import ExponentialAverage
from dark.monitor.records.pending import QUIET, Pending
from dark.monitor.statistic import Statistic
from dark.nn import GRU, LSTM, RNN, GRUCell, LSTMCell, Module, ReLU, RNNCell, Sigmoid, Tanh

MARGIN = 0.01  # an output is saturated if its distance from a bound is at most this
FUNCTIONS = {"relu": ReLU, "sigmoid": Sigmoid, "tanh": Tanh}  # of a `Function`, by name


def kind_of_units(module: Module | type, name: str = "") -> type:
    """Return `ReLU`, `Sigmoid` or `Tanh` for an output of that kind, else `object`.

    The name of the output ends with its place: the cell state of an LSTM has no bounds. A class is the answer itself.
    """
    if isinstance(module, type):
        return module
    if isinstance(module, (LSTM, LSTMCell)):
        return object if name.endswith("[1][1]" if isinstance(module, LSTM) else "[1]") else Tanh
    if isinstance(module, (RNN, RNNCell)):
        return Tanh if module.nonlinearity == "tanh" else ReLU
    if isinstance(module, (GRU, GRUCell)):
        return Tanh
    for kind in (ReLU, Sigmoid, Tanh):
        if isinstance(module, kind):
            return kind
    return FUNCTIONS.get(getattr(getattr(module, "function", None), "__name__", ""), object)


def has_layers_first(module: Module | type, name: str) -> bool:
    """Return whether an output is a final state of a recurrent layer: (layers, batch, features)."""
    place = name[name.find("[") :]
    if isinstance(module, type):  # of another framework: the class of units
        return place == "[1][1]" if module is object else place.startswith("[1]")
    return isinstance(module, (RNN, GRU, LSTM)) and place.startswith("[1]")


def idle_after(idle: np.ndarray | int, active: np.ndarray) -> np.ndarray:
    """Return how many records ago each unit was active, given that before some records, and its activity in them.

    >>> idle_after(2, np.array([[True, False], [False, False]]))
    array([1, 4])
    """
    since = np.argmax(active[::-1], axis=0)
    return np.where(active.any(axis=0), since, np.minimum(np.asarray(idle) + len(active), 2**30))


def dead_fraction(active: np.ndarray) -> float:
    """Return the fraction of units that are never active.

    `active` has a bool for each element of the output of an example. In images, of shape (channels, height, width), the
    units are the channels. In arrays of two axes, sequences or signals, they are the index of either axis: the larger
    fraction.

    >>> import numpy as np
    >>> dead_fraction(np.array([True, False, False, True])), dead_fraction(np.ones((3, 2, 2), bool))
    (0.5, 0.0)
    """
    axes = (0, 1) if active.ndim == 2 else (0,)
    if not active.ndim:
        return float(not active)
    flat = (np.moveaxis(active, axis, 0).reshape(active.shape[axis], -1) for axis in axes)
    return max(float(1 - units.any(axis=1).mean()) for units in flat)


def saturated_fraction(kind: type, outputs: np.ndarray) -> float:
    """Return the fraction of outputs of sigmoid or tanh within 0.01 of a bound."""
    if kind is Sigmoid:
        return float(((outputs < MARGIN) | (outputs > 1 - MARGIN)).mean())
    return float((np.abs(outputs) > 1 - MARGIN).mean())


class ActivationRecords(Serializable):
    """Statistics of Type I, by the name of the output.

    Averages run over `length` records, None for all; each is the mean over the examples of a step. `saturated` has the
    fraction of outputs within 0.01 of a bound in the last record, of sigmoid, tanh and recurrent layers; `last` the
    outputs in it, None where they are not known, after a state was loaded.
    """

    _state_dict_all_req_keys = ("signed", "absolute", "saturated")

    def __init__(self, length: int | None, sample_axis: int, budget: Budget, choices: Choices) -> None:
        self.length, self.sample_axis, self.budget, self._choices = length, sample_axis, budget, choices
        self.signed: dict[str, Any] = {}
        self.absolute: dict[str, Any] = {}
        self.saturated: dict[str, float] = {}
        self.last: Container[str] | None = None
        self._pending = Pending()  # outputs and numbers of examples that are not evaluated yet
        self._kinds: dict[str, type] = {}
        self._shapes: dict[str, tuple[int, ...]] = {}  # of the examples
        self._dtypes: dict[str, Any] = {}
        self._idle: dict[str, np.ndarray] = {}  # how many records ago each unit was active

    def record(self, found: Mapping[str, tuple[Module, np.ndarray]], inputs: Mapping[str, tuple[Any, Any]]) -> None:
        """Record the outputs of a step; one without examples, or of another shape than before, is left out.

        The `inputs` of the models tell the number of examples.
        """
        arguments = [value for args, settings in inputs.values() for value in (*args, *settings.values())]
        count = number_of_examples(arguments, self.sample_axis)
        copies, size_bytes = {}, 0
        for name, (module, array) in found.items():
            copies[name] = module, array.copy()
            size_bytes += array.nbytes
        self.last = copies.keys()
        if self._pending.add((copies, count), size_bytes):
            self.evaluate()

    def evaluate(self) -> None:
        """Compute the statistics of all records since the last evaluation, all records of a shape at once."""
        waiting: dict[str, list[np.ndarray]] = {}
        names: set[str] = set()  # of the last record
        for found, count in self._pending.take():
            names = set()
            for name, (module, array) in found.items():
                rows = examples_first(array, self.sample_axis, count, has_layers_first(module, name))
                if rows.size and self._has_room(name, rows.shape[1:]):
                    names.add(name)
                    waiting.setdefault(name, []).append(rows)
                    if name not in self._kinds:
                        self._kinds[name] = kind_of_units(module, name)
        with np.errstate(**QUIET):
            for name, arrays in waiting.items():
                for _, records in groupby(arrays, np.shape):
                    self._record(name, np.array(list(records)))
        if waiting:
            self.saturated = {name: part for name, part in self.saturated.items() if name in names}

    def _has_room(self, name, shape):
        before = self._shapes.get(name)
        if before is None:
            each = 4 if self._choices.is_exponential else 8 * ((self.length or 1) + 1)
            size_bytes = 2 * each * int(np.prod(shape))
            if not self.budget.claim(f"activations/{name}", size_bytes):
                return False
            self._shapes[name] = shape
            self.signed[name], self.absolute[name] = self._statistic(), self._statistic()
        elif shape != before:
            why = f"a step had examples of shape {shape} instead of {before}"
            self.budget.drop(f"activations/{name}", f"{why}; sample_axis={self.sample_axis} counts examples")
            return False
        return True

    def _statistic(self):
        if self._choices.is_exponential:
            return ExponentialAverage(self.length)
        return Statistic(self.length, keep_acc=False, keep_spread=False, keep_extremes=False, decays=())

    def _record(self, name, records):
        """Record outputs of shape (records, examples, …)."""
        kind, self._dtypes[name] = self._kinds[name], records.dtype
        means = mean_of(records)
        absolute = means if kind in (ReLU, Sigmoid) else mean_of(np.abs(records))
        for mean, size in zip(means, absolute):
            self.signed[name].add(mean)
            self.absolute[name].add(size)
        if kind is ReLU:
            self._idle[name] = idle_after(self._idle.get(name, 0), absolute != 0)
        elif kind is not object:
            self.saturated[name] = saturated_fraction(kind, records[-1])

    def averages(self, absolute: bool = False) -> dict[str, np.ndarray]:
        """Return the running averages by name, in the dtype of the outputs if that is a float."""
        found = {name: s.running_average for name, s in (self.absolute if absolute else self.signed).items() if s.count}
        dtypes = {name: dtype for name, dtype in self._dtypes.items() if dtype.kind == "f"}
        with np.errstate(**QUIET):
            return {name: np.asarray(array, dtypes.get(name, np.float64)) for name, array in found.items()}

    def dead(self) -> dict[str, float]:
        """Return the fraction of units of each ReLU that were 0 for every example of the last records."""
        lengths = {name: min(s.count, self.length or s.count) for name, s in self.signed.items()}
        return {name: dead_fraction(idle < lengths[name]) for name, idle in self._idle.items()}

    def state_dict(self) -> dict[str, Any]:
        """Return copies of the records."""
        self.evaluate()
        parts = self.signed, self.absolute
        signed, absolute = ({name: s.state_dict() for name, s in part.items()} for part in parts)
        idle, dtypes = ({name: a.copy() for name, a in self._idle.items()}, {k: d.str for k, d in self._dtypes.items()})
        found = {"signed": signed, "absolute": absolute, "saturated": dict(self.saturated)}
        return {**found, "idle": idle, "dtypes": dtypes}

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Restore the state that `state_dict` returned."""
        super().load_state_dict(state_dict)
        made: dict[str, dict[str, Any]] = {"signed": {}, "absolute": {}}
        for key, statistics in made.items():
            for name, state in state_dict[key].items():
                statistics[name] = self._statistic()
                statistics[name].load_state_dict(state)
        self.signed, self.absolute = made["signed"], made["absolute"]
        self._shapes = {name: s.shape for name, s in self.signed.items() if s.shape is not None}
        self.saturated, self.last = dict(state_dict["saturated"]), None
        self._pending = Pending()
        windows = state_dict.get("active", {})  # of older versions: whether each unit was active in the last records
        idle = {name: idle_after(0, np.array(arrays, bool)) for name, arrays in windows.items()}
        self._idle = idle | {name: np.array(array) for name, array in state_dict.get("idle", {}).items()}
        self._dtypes = {name: np.dtype(text) for name, text in state_dict.get("dtypes", {}).items()}


def mean_of(records: np.ndarray) -> np.ndarray:
    """Return the mean over the second axis, as a product, which is faster than a sum along that axis.

    >>> mean_of(np.array([[[1.0, 2.0], [3.0, 6.0]]]))
    array([[2., 4.]])
    """
    if records.dtype.kind != "f" or records.dtype.itemsize < 4:
        return records.mean(axis=1, dtype=np.float64)
    count, examples, *shape = records.shape
    shares = np.empty(examples, records.dtype)
    shares[:] = 1 / examples
    return (shares @ records.reshape(count, examples, -1)).reshape(count, *shape)
