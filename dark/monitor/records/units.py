"""Units of activation functions: their kinds, and which of them are dead or saturated."""

import numpy as np

from dark.nn import GRU, LSTM, RNN, GRUCell, LSTMCell, Module, ReLU, RNNCell, Sigmoid, Tanh

MARGIN = 0.01  # an output is saturated if its distance from a bound is at most this
FUNCTIONS = {"relu": ReLU, "sigmoid": Sigmoid, "tanh": Tanh}  # of a `Function`, by name


def kind_of_units(module: Module, name: str = "") -> type:
    """Return `ReLU`, `Sigmoid` or `Tanh` for an output of that kind, else `object`.

    The name of the output ends with its place: the cell state of an LSTM has no bounds.
    """
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


def dead_fraction(active: np.ndarray) -> float:
    """Return the fraction of units that are never active.

    `active` has a bool for each element of the output of an example. In images, of shape (channels, height, width), the
    units are the channels. In arrays of two axes, sequences or signals, they are the index of either axis: the larger
    fraction.

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


def saturated_fraction(kind: type, outputs: np.ndarray) -> float:
    """Return the fraction of outputs of sigmoid or tanh within 0.01 of a bound."""
    if kind is Sigmoid:
        return float(((outputs < MARGIN) | (outputs > 1 - MARGIN)).mean())
    return float((np.abs(outputs) > 1 - MARGIN).mean())
