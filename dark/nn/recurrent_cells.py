"""`RNNCell`, `GRUCell` and `LSTMCell`: one step of a recurrent layer, for those who write the loop themselves."""

import math

import numpy as np

from dark.errors import ShapeError, UsageError, ValueTypeError
from dark.nn import init
from dark.nn.float_dtype import float_type, size
from dark.nn.module import Module
from dark.nodes.values import describe, shape_of
from dark.operations import expand_dims, gru, lstm, reshape, rnn


class Cell(Module):
    """What the three kinds share: their weights, and a step as a sequence of one."""

    gates = 1

    def __init__(self, input_size, hidden_size, bias=True, *, dtype=float, seed=None):
        super().__init__()
        who = type(self).__name__
        self.input_size, self.hidden_size = size(input_size, who, "input_size"), size(hidden_size, who, "hidden_size")
        dtype, rng, bound = float_type(dtype, who), init.generator(seed), 1 / math.sqrt(max(1, self.hidden_size))
        wide = self.gates * self.hidden_size
        shapes = {"weight_ih": (wide, self.input_size), "weight_hh": (wide, self.hidden_size)}
        shapes |= {"bias_ih": (wide,), "bias_hh": (wide,)}
        for name, shape in shapes.items():
            has = bias or name.startswith("weight")
            setattr(self, name, init.uniform_(init.empty(shape, dtype), -bound, bound, rng) if has else None)

    def _step(self, x, states):
        """Return the arguments of `dark.rnn` and its kind: a sequence of one step, weights, states (b, n)."""
        self._refuse_misfits(x, states)
        x = expand_dims(x, 0 if len(shape_of(x)) == 2 else (0, 1))
        none = np.zeros(len(self.weight_ih), self.weight_ih.dtype)
        bi, bh = (none, none) if self.bias_ih is None else (self.bias_ih, self.bias_hh)
        states = [s if len(shape_of(s)) == 2 else expand_dims(s, 0) for s in states]
        return x, self.weight_ih.T, bi, self.weight_hh.T, bh, *states

    def _refuse_misfits(self, x, states):
        """Refuse an input, or a state, of another shape."""
        who, shape = type(self).__name__, shape_of(x)
        if len(shape) not in (1, 2) or shape[-1] != self.input_size:
            raise ShapeError(
                f"{who}: an input of shape {shape}.",
                f"(batch, {self.input_size}) or ({self.input_size},).",
                "one step, x[t]; RNN, GRU and LSTM take whole sequences.",
            )
        for s in states:
            if shape_of(s) != (*shape[:-1], self.hidden_size):
                raise ShapeError(
                    f"{who}: a state of shape {shape_of(s)}, for an input of shape {shape}.",
                    f"{(*shape[:-1], self.hidden_size)}.",
                    "leave it out for zeros.",
                )

    def _like(self, x, state):
        """Give a state (b, n) the axes of the input."""
        return state if len(shape_of(x)) == 2 else reshape(state, (self.hidden_size,))

    def extra_repr(self):
        """Return the sizes, and what is not as usual."""
        return f"{self.input_size}, {self.hidden_size}{', bias=False' if self.bias_ih is None else ''}"


class RNNCell(Cell):
    """Make one step of a plain recurrent layer: ``tanh(W_ih x + b_ih + W_hh h + b_hh)``.

    Parameters
    ----------
    input_size, hidden_size : int
        How many numbers enter, and how many the state has.
    bias : bool, default True
        Whether there are biases.
    nonlinearity : {"tanh", "relu"}, default "tanh"
        What bends the state.
    dtype : type of float, default float64
        See `Linear`.
    seed : int or numpy.random.Generator, optional
        From where the weights are drawn; see `dark.nn.init`.

    Attributes
    ----------
    weight_ih : Parameter, shape (hidden_size, input_size)
        At first drawn evenly between ±1 / sqrt(hidden_size), as are the others.
    weight_hh : Parameter, shape (hidden_size, hidden_size)
    bias_ih, bias_hh : Parameter, shape (hidden_size,), or None

    Raises
    ------
    ShapeError
        In the call, if input or state has another shape.
    UsageError, ValueTypeError
        If a setting is none.

    Examples
    --------
    >>> cell, h = RNNCell(3, 4, seed=0), None
    >>> for x in np.ones((5, 2, 3)):
    ...     h = cell(x, h)
    >>> h.shape
    (2, 4)
    """

    def __init__(self, input_size, hidden_size, bias=True, *, nonlinearity="tanh", dtype=float, seed=None):
        super().__init__(input_size, hidden_size, bias, dtype=dtype, seed=seed)
        self.nonlinearity = bend(nonlinearity, "RNNCell")

    def forward(self, x, h=None):
        """Return the next state: shape (batch, hidden_size), or (hidden_size,)."""
        return self._like(x, rnn(*self._step(x, [] if h is None else [h]), nonlinearity=self.nonlinearity))

    def extra_repr(self):
        """Return the sizes, and what is not as usual."""
        bent = "" if self.nonlinearity == "tanh" else f", nonlinearity={self.nonlinearity}"
        return super().extra_repr() + bent


class GRUCell(Cell):
    """Make one step of a gated recurrent unit; see `dark.gru` for the formula.

    Parameters
    ----------
    input_size, hidden_size, bias, dtype, seed
        As for `RNNCell`; weights and biases have rows for the gates reset, update and new.

    Examples
    --------
    >>> GRUCell(3, 4, seed=0)(np.ones(3)).shape
    (4,)
    """

    gates = 3

    def forward(self, x, h=None):
        """Return the next state: shape (batch, hidden_size), or (hidden_size,)."""
        return self._like(x, gru(*self._step(x, [] if h is None else [h])))


class LSTMCell(Cell):
    """Make one step of a long short-term memory; see `dark.lstm` for the formula.

    Parameters
    ----------
    input_size, hidden_size, bias, dtype, seed
        As for `RNNCell`; weights and biases have rows for the gates input, forget, new and output.

    Examples
    --------
    >>> cell, state = LSTMCell(3, 4, seed=0), None
    >>> for x in np.ones((5, 2, 3)):
    ...     h, c = state = cell(x, state)
    >>> h.shape, c.shape
    ((2, 4), (2, 4))
    """

    gates = 4

    def forward(self, x, state=None):
        """Return the next state and memory, each of shape (batch, hidden_size), or (hidden_size,)."""
        h, c = lstm(*self._step(x, pair(state, "LSTMCell")))
        return self._like(x, h), self._like(x, c)


def bend(nonlinearity, who):
    """Return the name of a bend that there is.

    Raises
    ------
    UsageError
        If there is none of that name.
    """
    if nonlinearity not in ("tanh", "relu"):
        raise UsageError(f"{who}: the nonlinearity is {nonlinearity!r}.", '"tanh" or "relu".', "leave it out for tanh.")
    return nonlinearity


def pair(state, who):
    """Return state and memory as they were given, or nothing.

    Raises
    ------
    ValueTypeError
        If it is no pair.
    """
    if state is None:
        return ()
    if not isinstance(state, (tuple, list)) or len(state) != 2:
        raise ValueTypeError(
            f"{who}: {describe(state)} as the state.", "a pair: state and memory.", "layer(x, (h, c)), or layer(x)."
        )
    return tuple(state)
