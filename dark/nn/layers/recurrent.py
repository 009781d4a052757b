"""`RNN`, `GRU` and `LSTM`: recurrent layers over sequences, stacked and optionally bidirectional."""

from __future__ import annotations

from typing import Any

from dark.nn.layers.recurrent_base import Recurrent
from dark.nn.layers.recurrent_cells import check_nonlinearity, state_pair
from dark.nodes import Node, Parameter
from dark.operations import gru, lstm, rnn
from dark.typing import ArrayLike


class RNN(Recurrent):
    """Elman recurrent layer: the hidden state is ``h = tanh(W_ih x + b_ih + W_hh h + b_hh)`` at every step.

    The call takes a sequence of shape (steps, batch, input_size), or (steps, input_size) without batch, and
    optionally an initial state of shape (layers * directions, batch, hidden_size). It returns the hidden states of
    the last layer at every step, (steps, batch, directions * hidden_size), and the final state of every layer, in
    the shape of the initial one.

    Parameters
    ----------
    input_size, hidden_size : int
        The number of features of the input and of the hidden state.
    num_layers : int, default 1
        The number of stacked layers; each receives the hidden states of the one below.
    nonlinearity : {"tanh", "relu"}, default "tanh"
        The activation function.
    bias : bool, default True
        Whether there are biases.
    batch_first : bool, default False
        Whether the batch is axis 0 of the sequence, not the time; in states, it is always axis 1.
    dropout : float from 0 to 1, default 0
        In training, the probability that an element between two layers is zeroed.
    bidirectional : bool, default False
        Whether each layer also runs from the last step to the first.
    dtype, seed
        As for `Linear`; the generator then serves dropout.

    Attributes
    ----------
    weight_ih_l0 : Parameter, shape (hidden_size, input_size)
        The input weights of the first layer; those of further layers, l1, l2, ..., have a column for each hidden
        feature of the layer below. All weights are initialized uniformly in ±1 / sqrt(hidden_size).
    weight_hh_l0 : Parameter, shape (hidden_size, hidden_size)
    bias_ih_l0, bias_hh_l0 : Parameter, shape (hidden_size,)
        Only with `bias`.
    weight_ih_l0_reverse, ... : Parameter
        Only with `bidirectional`.
    generator : numpy.random.Generator
        Used by dropout; only present if `dropout` is not 0.

    Examples
    --------
    >>> layer = RNN(3, 4, num_layers=2, bidirectional=True, seed=0)
    >>> y, h = layer(np.ones((5, 2, 3)))
    >>> y.shape, h.shape
    ((5, 2, 8), (4, 2, 4))
    """

    weight_ih_l0: Parameter
    weight_hh_l0: Parameter

    def __init__(
        self, input_size: int, hidden_size: int, num_layers: int = 1, *, nonlinearity: str = "tanh", **settings: Any
    ) -> None:
        super().__init__(input_size, hidden_size, num_layers, **settings)
        self.nonlinearity = check_nonlinearity(nonlinearity, "RNN")

    def _run_layer(self, x, weights, initial, reverse):
        y = rnn(x, *weights, *initial, nonlinearity=self.nonlinearity, each=True, reverse=reverse)
        return y, y[0 if reverse else -1]

    def forward(self, x: ArrayLike, h: ArrayLike | None = None) -> tuple[Node, Node]:
        """Return the hidden states of the last layer, and the final state of every layer."""
        y, (final,) = self._run(x, [] if h is None else [h])
        return y, final


class GRU(Recurrent):
    """Gated recurrent unit (GRU) layer; see `dark.gru` for the formula.

    Inputs, results and parameters are as for `RNN`, without `nonlinearity`. The rows of weights and biases are those of
    the reset, update and new gate, in this order: `weight_ih_l0` has shape (3 * hidden_size, input_size).

    Reference: K. Cho et al., "Learning phrase representations using RNN encoder-decoder", arXiv 1406.1078, 2014.

    >>> y, h = GRU(3, 4, batch_first=True, seed=0)(np.ones((2, 5, 3)))
    >>> y.shape, h.shape
    ((2, 5, 4), (1, 2, 4))
    """

    gates = 3

    def _run_layer(self, x, weights, initial, reverse):
        y = gru(x, *weights, *initial, each=True, reverse=reverse)
        return y, y[0 if reverse else -1]

    def forward(self, x: ArrayLike, h: ArrayLike | None = None) -> tuple[Node, Node]:
        """Return the hidden states of the last layer, and the final state of every layer."""
        y, (final,) = self._run(x, [] if h is None else [h])
        return y, final


class LSTM(Recurrent):
    """Long short-term memory (LSTM) layer; see `dark.lstm` for the formula.

    Inputs, results and parameters are as for `RNN`, without `nonlinearity`, but both the initial and the final state
    are pairs: hidden state and cell state. The rows of weights and biases are those of the input, forget, cell and
    output gate, in this order: `weight_ih_l0` has shape (4 * hidden_size, input_size).

    Reference: S. Hochreiter, J. Schmidhuber, "Long short-term memory", 1997.

    >>> y, (h, c) = LSTM(3, 4, seed=0)(np.ones((5, 3)))
    >>> y.shape, h.shape, c.shape
    ((5, 4), (1, 4), (1, 4))
    """

    gates = 4

    def _run_layer(self, x, weights, initial, reverse):
        y, c = lstm(x, *weights, *initial, each=True, reverse=reverse)
        return y, y[0 if reverse else -1], c

    def forward(self, x: ArrayLike, state: tuple[ArrayLike, ArrayLike] | None = None) -> tuple[Node, tuple[Node, Node]]:
        """Return the hidden states of the last layer, and the final hidden and cell state of every layer."""
        y, (h, c) = self._run(x, state_pair(state, "LSTM"))
        return y, (h, c)
