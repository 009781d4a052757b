"""`record_given`: a record of weights, gradients and activations that are given as arrays, of any framework."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from dark.checks import describe, one_of
from dark.errors import ShapeError, UsageError, ValueTypeError, near_misses
from dark.monitor.activations.rules import Kind
from dark.monitor.foreign.foreign_weights import GivenWeight
from dark.monitor.foreign.tensors import KINDS, is_tensor, tensor_array
from dark.nn import ReLU, Sigmoid, Tanh
from dark.nodes import value_of

UNITS = {"relu": ReLU, "sigmoid": Sigmoid, "tanh": Tanh}
WHO = "Monitor.record"


def record_given(
    monitor: Any, step: int, scalars: Any, weights: Any, gradients: Any, activations: Any, updates: Any, units: Any
) -> None:  # fmt: skip
    """Record a step; see `Monitor.record`."""
    given = {"weights": weights, "gradients": gradients, "activations": activations, "updates": updates}
    arrays = {what: dict(_arrays(values, what)) for what, values in given.items() if values is not None}
    if monitor.models and arrays:
        message = f"{WHO}: {', '.join(arrays)} cannot be given, as the monitor has a network."
        raise UsageError(message, "a monitor without a network.", "Monitor(), or record(step, scalars=…).")
    if not monitor.models:
        _set_weights(monitor, step, arrays)
        monitor._calls.found = dict(_outputs(monitor, arrays.get("activations", {}), units or {}))
    monitor.loop.record(step, scalars)


def _set_weights(monitor, step, arrays):
    """Set the weights and their gradients; observe the update if the weights before are known."""
    known = monitor._weights.layout.weights | monitor._gradients.layout.weights
    weights = arrays.get("weights", {})
    if weights and not known:
        monitor.register_weights({name: GivenWeight(array) for name, array in weights.items()})
        known = monitor._weights.layout.weights | monitor._gradients.layout.weights
    elif weights and monitor.recorded is not None and step == monitor.recorded.iteration + 1:
        monitor._weights.begin()
    for what, needed in (("weights", True), ("updates", False), ("gradients", False)):
        _check(what, arrays.get(what, {}), known, needed)
    if "updates" in arrays:
        for name, weight in known.items():
            weight.set(weights[name] - arrays["updates"].get(name, 0))
        monitor._weights.begin()
    for name, weight in known.items():
        weight.set(weights[name], arrays.get("gradients", {}).get(name))


def _check(what, arrays, known, needed):
    """Raise if names or shapes differ from the weights' own, or if a weight is missing."""
    for name, array in arrays.items():
        if name not in known:
            wanted = "the names of the weights, the same in each record."
            raise UsageError(f"{WHO}: {what} have the unknown name {name!r}.", wanted, near_misses(name, known))
        shape = np.shape(value_of(known[name]))
        if array.shape != shape:
            message = f"{WHO}: {name!r} of {what} must have the shape {shape}, got {array.shape}."
            raise ShapeError(message, f"{shape}, the shape of the weight.", "make a monitor for each network.")
    missing = [name for name in known if needed and name not in arrays]
    if missing:
        message = f"{WHO}: {what} must contain {missing[0]!r}, as earlier records do."
        raise UsageError(message, "all weights in each record.", f"{what}=parameters")


def _outputs(monitor, arrays, units):
    """Yield the outputs that a rule keeps, with the classes of their units."""
    for name in units:
        if name not in arrays:
            message = f"{WHO}: units have the unknown name {name!r}."
            raise UsageError(message, "names of activations.", near_misses(name, arrays))
    for name, array in arrays.items():
        kind = UNITS[one_of(units[name], WHO, f"units[{name!r}]", UNITS)] if name in units else object
        if monitor._rules.kind(name, name, _LAYER, array) is Kind.TYPE_I:
            yield name, (kind, array)


class _Layer:
    """The argument of a rule where the module of an output is not known."""

    def children(self):
        """Return no modules."""
        return ()


_LAYER = _Layer()


def _arrays(values: Any, what: str, before: str = "") -> Iterator[tuple[str, np.ndarray]]:
    """Yield the arrays in nested mappings and sequences, with their names joined by dots."""
    if values is None:
        return
    if isinstance(values, Mapping):
        items = list(values.items())
    elif isinstance(values, (list, tuple)) and before:
        items = list(enumerate(values))
    elif before:
        yield before, _array(values, what, before)
        return
    else:
        message = f"{WHO}: {what} must be a mapping, got {describe(values)}."
        raise ValueTypeError(message, "a mapping of names to arrays, which may be nested.", f"{what}={{'name': array}}")
    for key, value in items:
        name = str(key).replace("/", ".")
        yield from _arrays(value, what, f"{before}.{name}" if before else name)


def _array(value, what, name):
    """Return a copy of an array of any framework; a dtype that NumPy lacks becomes float32."""
    array = np.array(tensor_array(value) if is_tensor(value) else value_of(value))
    if array.dtype.kind == "V" and hasattr(value, "dtype"):  # bfloat16 of JAX
        array = array.astype(np.float32)
    if array.dtype.kind not in KINDS:
        message = f"{WHO}: {name!r} of {what} must be real numbers, got {describe(value)}."
        raise ValueTypeError(message, "an array of real numbers.", "np.asarray(value)")
    return array
