"""`RNNCell`, `GRUCell` and `LSTMCell`: one time step of a recurrent layer, for loops in user code."""

from __future__ import annotations

import math

import numpy as np

from dark.checks import describe, integer, one_of
from dark.errors import ShapeError, ValueTypeError
from dark.nn import init
from dark.nn.casting import float_dtype
from dark.nn.module import Module
from dark.nodes import Node, Parameter
from dark.nodes.values import shape_of
from dark.operations import expand_dims, gru, lstm, reshape, rnn
from dark.typing import ArrayLike, DType, Seed


class Cell(Module):
    """Base class of the recurrent cells: their weights, and one step as a sequence of length 1."""

    gates = 1
    weight_ih: Parameter
    weight_hh: Parameter
    bias_ih: Parameter | None
    bias_hh: Parameter | None

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, *, dtype: DType = float, seed: Seed = None
    ) -> None:
        super().__init__()
        who = type(self).__name__
        self.input_size = integer(input_size, who, "input_size", 0)
        self.hidden_size = integer(hidden_size, who, "hidden_size", 0)
        dtype, rng, bound = float_dtype(dtype, who), init.generator(seed), 1 / math.sqrt(max(1, self.hidden_size))
        rows = self.gates * self.hidden_size
        shapes: dict[str, tuple[int, ...]] = {
            "weight_ih": (rows, self.input_size),
            "weight_hh": (rows, self.hidden_size),
        }
        shapes |= {"bias_ih": (rows,), "bias_hh": (rows,)}
        for name, shape in shapes.items():
            has = bias or name.startswith("weight")
            setattr(self, name, init.uniform_(init.empty(shape, dtype), -bound, bound, rng) if has else None)

    def _step(self, x, states):
        """Return the arguments of `dark.rnn`, `dark.gru` or `dark.lstm`, with states of shape (b, n)."""
        self._check_shapes(x, states)
        x = expand_dims(x, 0 if len(shape_of(x)) == 2 else (0, 1))
        zeros = np.zeros(len(self.weight_ih), self.weight_ih.dtype)
        bi, bh = (zeros, zeros) if self.bias_ih is None else (self.bias_ih, self.bias_hh)
        states = [s if len(shape_of(s)) == 2 else expand_dims(s, 0) for s in states]
        return x, self.weight_ih.T, bi, self.weight_hh.T, bh, *states

    def _check_shapes(self, x, states):
        """Raise unless an input and its states have the right shapes."""
        who, shape = type(self).__name__, shape_of(x)
        if len(shape) not in (1, 2) or shape[-1] != self.input_size:
            raise ShapeError(
                f"{who}: the input must have {self.input_size} features, got shape {shape}.",
                f"(batch, {self.input_size}) or ({self.input_size},).",
                "x[t], one step; RNN, GRU and LSTM take whole sequences.",
            )
        for s in states:
            if shape_of(s) != (*shape[:-1], self.hidden_size):
                raise ShapeError(
                    f"{who}: a state of shape {shape_of(s)} does not match an input of shape {shape}.",
                    f"{(*shape[:-1], self.hidden_size)}.",
                    "omit it for zeros.",
                )

    def _like(self, x, state):
        """Reshape a state (b, n) to the axes of the input."""
        return state if len(shape_of(x)) == 2 else reshape(state, (self.hidden_size,))

    def extra_repr(self) -> str:
        """Return the sizes, and the settings that differ from their defaults, as text."""
        return f"{self.input_size}, {self.hidden_size}{', bias=False' if self.bias_ih is None else ''}"


class RNNCell(Cell):
    """Elman recurrent cell: ``tanh(W_ih x + b_ih + W_hh h + b_hh)``.

    Parameters
    ----------
    input_size, hidden_size : int
        The number of features of the input and of the hidden state.
    bias : bool, default True
        Whether there are biases.
    nonlinearity : {"tanh", "relu"}, default "tanh"
        The activation function.
    dtype, seed
        As for `Linear`.

    Attributes
    ----------
    weight_ih : Parameter, shape (hidden_size, input_size)
        Initialized uniformly in ±1 / sqrt(hidden_size), like all others.
    weight_hh : Parameter, shape (hidden_size, hidden_size)
    bias_ih, bias_hh : Parameter, shape (hidden_size,), or None

    Examples
    --------
    >>> cell, h = RNNCell(3, 4, seed=0), None
    >>> for x in np.ones((5, 2, 3)):
    ...     h = cell(x, h)
    >>> h.shape
    (2, 4)
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool = True,
        *,
        nonlinearity: str = "tanh",
        dtype: DType = float,
        seed: Seed = None,
    ) -> None:
        super().__init__(input_size, hidden_size, bias, dtype=dtype, seed=seed)
        self.nonlinearity = check_nonlinearity(nonlinearity, "RNNCell")

    def forward(self, x: ArrayLike, h: ArrayLike | None = None) -> Node:
        """Return the next hidden state: shape (batch, hidden_size), or (hidden_size,)."""
        return self._like(x, rnn(*self._step(x, [] if h is None else [h]), nonlinearity=self.nonlinearity))

    def extra_repr(self) -> str:
        """Return the sizes, and the settings that differ from their defaults, as text."""
        nonlinearity = "" if self.nonlinearity == "tanh" else f", nonlinearity={self.nonlinearity}"
        return super().extra_repr() + nonlinearity


class GRUCell(Cell):
    """Gated recurrent unit (GRU) cell; see `dark.gru` for the formula.

    Parameters are those of `RNNCell`, without `nonlinearity`; weights and biases have the rows of the reset, update and
    new gate, in this order.

    >>> GRUCell(3, 4, seed=0)(np.ones(3)).shape
    (4,)
    """

    gates = 3

    def forward(self, x: ArrayLike, h: ArrayLike | None = None) -> Node:
        """Return the next hidden state: shape (batch, hidden_size), or (hidden_size,)."""
        return self._like(x, gru(*self._step(x, [] if h is None else [h])))


class LSTMCell(Cell):
    """Long short-term memory (LSTM) cell; see `dark.lstm` for the formula.

    Parameters are those of `RNNCell`, without `nonlinearity`; weights and biases have the rows of the input, forget,
    cell and output gate, in this order.

    >>> cell, state = LSTMCell(3, 4, seed=0), None
    >>> for x in np.ones((5, 2, 3)):
    ...     h, c = state = cell(x, state)
    >>> h.shape, c.shape
    ((2, 4), (2, 4))
    """

    gates = 4

    def forward(self, x: ArrayLike, state: tuple[ArrayLike, ArrayLike] | None = None) -> tuple[Node, Node]:
        """Return the next hidden and cell state, each of shape (batch, hidden_size), or (hidden_size,)."""
        h, c = lstm(*self._step(x, state_pair(state, "LSTMCell")))
        return self._like(x, h), self._like(x, c)


def check_nonlinearity(nonlinearity, who):
    """Return the name of the activation function of a recurrent layer."""
    return one_of(nonlinearity, who, "nonlinearity", ("tanh", "relu"))


def state_pair(state, who):
    """Return hidden state and cell state, or an empty tuple for None."""
    if state is None:
        return ()
    if not isinstance(state, (tuple, list)) or len(state) != 2:
        raise ValueTypeError(
            f"{who}: the state must be a pair, got {describe(state)}.",
            "a pair: hidden state and cell state.",
            "layer(x, (h, c)), or layer(x).",
        )
    return tuple(state)
