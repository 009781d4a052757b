"""`RNN`, `GRU` and `LSTM`: layers that read a sequence step by step, one above another, in one direction or both."""

from dark.nn.recurrent_base import Recurrent
from dark.nn.recurrent_cells import bend, pair
from dark.operations import gru, lstm, rnn


class RNN(Recurrent):
    """Read sequences with plain recurrent layers: ``h = tanh(W_ih x + b_ih + W_hh h + b_hh)`` at every step.

    Parameters
    ----------
    input_size, hidden_size : int
        How many numbers enter at each step, and how many a state has.
    num_layers : int, default 1
        How many layers stand one above another; each reads the states of the one below.
    nonlinearity : {"tanh", "relu"}, default "tanh"
        What bends the state.
    bias : bool, default True
        Whether there are biases.
    batch_first : bool, default False
        Whether the examples are the first axis of the sequence, not the steps; states have theirs second always.
    dropout : float from 0 to 1, default 0
        The chance by which, in training, a number between two layers is left out.
    bidirectional : bool, default False
        Whether a second layer beside each reads from the last step to the first.
    dtype : type of float, default float64
        See `Linear`.
    seed : int or numpy.random.Generator, optional
        From where the weights are drawn, and then what dropout leaves out; see `dark.nn.init`.

    Attributes
    ----------
    weight_ih_l0 : Parameter, shape (hidden_size, input_size)
        What the input of the first layer is multiplied by; further layers are l1, l2, ..., with as many columns as
        there are states below them. All weights are at first drawn evenly between ±1 / sqrt(hidden_size).
    weight_hh_l0 : Parameter, shape (hidden_size, hidden_size)
    bias_ih_l0, bias_hh_l0 : Parameter, shape (hidden_size,)
        Missing without `bias`.
    weight_ih_l0_reverse, ... : Parameter
        The same for the other direction, if there is one.
    generator : numpy.random.Generator
        Of the dropout, if there is any.

    Raises
    ------
    ShapeError
        In the call, if sequence or state has another shape.
    UsageError, ValueTypeError
        If a setting is none.

    Notes
    -----
    Called with a sequence of shape (steps, batch, input_size), or (steps, input_size) for one example, and
    maybe a first state of shape (layers, batch, hidden_size), layers counting directions too. It returns the
    states of the last layer at every step, (steps, batch, directions * hidden_size), and the last state of
    every layer, shaped as the first.

    Examples
    --------
    >>> import numpy as np
    >>> layer = RNN(3, 4, num_layers=2, bidirectional=True, seed=0)
    >>> y, h = layer(np.ones((5, 2, 3)))
    >>> y.shape, h.shape
    ((5, 2, 8), (4, 2, 4))
    """

    def __init__(self, input_size, hidden_size, num_layers=1, *, nonlinearity="tanh", **settings):
        super().__init__(input_size, hidden_size, num_layers, **settings)
        self.nonlinearity = bend(nonlinearity, "RNN")

    def _read(self, x, weights, first, reverse):
        y = rnn(x, *weights, *first, nonlinearity=self.nonlinearity, each=True, reverse=reverse)
        return y, y[0 if reverse else -1]

    def forward(self, x, h=None):
        """Read a sequence; return the states of the last layer, and the last state of every layer."""
        y, (h,) = self._walk(x, [] if h is None else [h])
        return y, h


class GRU(Recurrent):
    """Read sequences with gated recurrent units; see `dark.gru` for their formula.

    Parameters
    ----------
    input_size, hidden_size, num_layers, bias, batch_first, dropout, bidirectional, dtype, seed
        As for `RNN`.

    Attributes
    ----------
    weight_ih_l0 : Parameter, shape (3 * hidden_size, input_size)
        Rows for the gates reset, update and new, one after another; and so on, as for `RNN`.

    Notes
    -----
    Called as `RNN`, with the same shapes.

    References
    ----------
    K. Cho et al., "Learning phrase representations using RNN encoder-decoder", arXiv 1406.1078, 2014.

    Examples
    --------
    >>> import numpy as np
    >>> y, h = GRU(3, 4, batch_first=True, seed=0)(np.ones((2, 5, 3)))
    >>> y.shape, h.shape
    ((2, 5, 4), (1, 2, 4))
    """

    gates = 3

    def _read(self, x, weights, first, reverse):
        y = gru(x, *weights, *first, each=True, reverse=reverse)
        return y, y[0 if reverse else -1]

    def forward(self, x, h=None):
        """Read a sequence; return the states of the last layer, and the last state of every layer."""
        y, (h,) = self._walk(x, [] if h is None else [h])
        return y, h


class LSTM(Recurrent):
    """Read sequences with long short-term memories; see `dark.lstm` for their formula.

    Parameters
    ----------
    input_size, hidden_size, num_layers, bias, batch_first, dropout, bidirectional, dtype, seed
        As for `RNN`.

    Attributes
    ----------
    weight_ih_l0 : Parameter, shape (4 * hidden_size, input_size)
        Rows for the gates input, forget, new and output, one after another; and so on, as for `RNN`.

    Notes
    -----
    Called as `RNN`, with the same shapes; but the state is a pair, state and memory of the same shape, both
    when it is given and when it is returned.

    References
    ----------
    S. Hochreiter, J. Schmidhuber, "Long short-term memory", 1997.

    Examples
    --------
    >>> import numpy as np
    >>> y, (h, c) = LSTM(3, 4, seed=0)(np.ones((5, 3)))
    >>> y.shape, h.shape, c.shape
    ((5, 4), (1, 4), (1, 4))
    """

    gates = 4

    def _read(self, x, weights, first, reverse):
        y, c = lstm(x, *weights, *first, each=True, reverse=reverse)
        return y, y[0 if reverse else -1], c

    def forward(self, x, state=None):
        """Read a sequence; return the states of the last layer, and the last state and memory of every layer."""
        y, (h, c) = self._walk(x, pair(state, "LSTM"))
        return y, (h, c)
