"""The gradient, the value and the state of a parameter for its update: arrays of one shape and dtype.

Only this file and `fast` access private fields of nodes: `_value`, `_grad`, `_seen` and `_version`.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from dark.errors import ShapeError
from dark.nodes import Parameter, value_of
from dark.nodes.grad_mode import versions
from dark.optim.parameter_groups import wrong_shape
from dark.typing import State


def clear_gradients(parameters: Iterable[Parameter]) -> None:
    """Set the gradients of parameters to None."""
    for p in parameters:
        p._grad = None


def gradient_of(p: Parameter, given: Mapping[Parameter, np.ndarray] | None) -> np.ndarray | None:
    """Return the gradient of a parameter, or the array given instead; None if it is not to be updated."""
    g = p._grad if given is None else given.get(p)
    if g is None or not p.requires_grad:
        return None
    return gradient_array(g, p, getattr(p._value, "dtype", np.dtype(float)))


def gradient_array(gradient: Any, p: Parameter, dtype: Any) -> np.ndarray:
    """Return a gradient, which may be a node or a single number, in a dtype and in the shape of its parameter."""
    g = gradient if isinstance(gradient, float | np.ndarray) else value_of(gradient)
    shape, found = np.shape(p._value), getattr(g, "shape", ())
    if found not in ((), shape):
        problem = f"step: the gradient of {p} must have the shape of its value, {shape}, got {found}."
        raise ShapeError(problem, "equal shapes.", "p.grad = None after a change of the value, then backward().")
    return np.broadcast_to(np.asarray(g, dtype), shape)


def array_of(p: Parameter) -> np.ndarray:
    """Return the value of a parameter as an array to change in place; a copy if it is a number."""
    return np.asarray(p._value)


def set_value(p: Parameter, w: np.ndarray) -> None:
    """Set the value to an array of `array_of` that has been changed, so that `backward` refuses older graphs."""
    if type(p._value) is not np.ndarray:
        p._value = type(p._value)(w)
    p._version, p._seen = versions.advance(), None


def state_of(p: Parameter, states: dict[Parameter, State], numbers: Mapping[str, float], arrays: Any) -> State:
    """Return the state of a parameter: its number of steps, further numbers, and arrays like its value.

    Numbers and arrays that are not there are added, with the initial values given.
    """
    state, w = states.setdefault(p, {"step": 0, **numbers}), array_of(p)
    for name, start in arrays.items():
        state.setdefault(name, np.full(w.shape, start, w.dtype))
    for name, array in state.items():
        if isinstance(array, np.ndarray):
            if array.shape != w.shape:
                raise wrong_shape(p, name, array)
            state[name] = array.astype(w.dtype, copy=False)
    return state


def python_numbers(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return options as Python's numbers, which adopt the dtype of an array, where NumPy's may widen it."""
    return {
        name: tuple(map(float, v)) if isinstance(v, tuple | list) else float(v) if hasattr(v, "__float__") else v
        for name, v in options.items()
    }
