"""Elman RNN: ``h' = tanh(x W + h U + b)``."""

from __future__ import annotations

import numpy as np

from dark.checks import boolean, one_of
from dark.nodes import Node, Operation
from dark.operations.arrays.concatenation import stack
from dark.operations.elementwise.activation_functions import relu
from dark.operations.elementwise.exponentials import tanh
from dark.operations.layers import sequences
from dark.operations.linalg.matmul import matmul
from dark.typing import ArrayLike


class Rnn(Operation, trusted=True, saves=True, elementwise=False):
    """Hidden states of an Elman RNN: the last one, or all with `each`.

    In `reverse` the last step comes first. The states are saved for the backward pass.
    """

    @staticmethod
    def _plain(x, h, wi, bi, wh, bh, nonlinearity="tanh", reverse=False, each=False):
        """Compute the layer in plain operations, step by step; `_f` is faster, this has higher derivatives."""
        activation, states = relu if nonlinearity == "relu" else tanh, []
        for t in reversed(range(len(x))) if reverse else range(len(x)):
            h = activation(matmul(x[t], wi) + bi + matmul(h, wh) + bh)
            states.append(h)
        return stack(states[::-1] if reverse else states) if each else h

    @staticmethod
    def _f(x, h, wi, bi, wh, bh, nonlinearity="tanh", reverse=False, each=False):
        x, h, wi, bi, wh, bh = sequences.check_shapes("rnn", 1, x, (h,), (wi, bi, wh, bh))
        projected = np.dot(sequences.as_matrix(x[::-1] if reverse else x), wi)  # (t b, n)
        projected += bi + bh
        states, zeros = np.empty((len(x) + 1, *h.shape), h.dtype), np.zeros(h.shape, h.dtype)
        states[0] = h
        for before, now, a in zip(states, states[1:], projected.reshape(len(x), *h.shape)):
            np.dot(before, wh, out=now)  # (b, n); less overhead than np.matmul
            now += a
            np.tanh(now, out=now) if nonlinearity == "tanh" else np.maximum(now, zeros, out=now)
        y = (states[:0:-1] if reverse else states[1:]).copy() if each else states[-1].copy()
        return y, states

    @staticmethod
    def _backward(dldy, x, states, settings):
        wh, is_relu = x[4], settings.get("nonlinearity") == "relu"
        dlda = (states[1:] != 0).astype(states.dtype) if is_relu else 1 - states[1:] * states[1:]  # (t, b, n)
        sent = (dldy[::-1] if settings.get("reverse") else dldy) if settings.get("each") else None
        g, back = np.array(dldy if sent is None else sent[-1]), wh.T
        for t in reversed(range(len(dlda))):
            dlda[t] *= g
            np.dot(dlda[t], back, out=g)
            if t and sent is not None:
                g += sent[t - 1]
        a = sequences.as_matrix(dlda)
        return a, a, sequences.as_matrix(states[:-1]), g

    _gradients = classmethod(sequences.recurrent_gradients)

    samples: tuple = tuple(
        (((3, 2, 2), (2, 3), (2, 3), (3,), (3, 3), (3,)), settings)
        for settings in ({}, {"each": True}, {"each": True, "reverse": True}, {"reverse": True})
    ) + (
        (((2, 0, 2), (0, 3), (2, 3), (3,), (3, 3), (3,)), {"each": True}),
        (((1, 1, 3), (1, 1), (3, 1), (1,), (1, 1), (1,)), {"nonlinearity": "relu"}),
    )


def rnn(
    x: ArrayLike,
    wi: ArrayLike,
    bi: ArrayLike,
    wh: ArrayLike,
    bh: ArrayLike,
    h: ArrayLike | None = None,
    *,
    nonlinearity: str = "tanh",
    each: bool = False,
    reverse: bool = False,
) -> Node:
    """Run an Elman RNN over a sequence: ``h = tanh(x[t] @ wi + bi + h @ wh + bh)``.

    The result has shape (b, n), or (t, b, n) with `each`.

    Reference: J. Elman, "Finding structure in time", 1990.

    Parameters
    ----------
    x : Node or array, shape (t, b, i)
        t steps, b examples, i features.
    wi, bi : Node or array, shapes (i, n) and (n,)
        Input weights and bias; PyTorch's ``weight_ih`` is the transpose.
    wh, bh : Node or array, shapes (n, n) and (n,)
        Hidden weights and bias.
    h : Node or array, shape (b, n), optional
        Initial hidden state; zeros by default.
    nonlinearity : {"tanh", "relu"}, default "tanh"
    each : bool, default False
        Return the hidden states of all steps, not only of the last one.
    reverse : bool, default False
        Process the steps in reverse order; `each` keeps their order, so that the last state computed is the first.

    Examples
    --------
    >>> x, one, zero = np.ones((3, 1, 1)), np.ones((1, 1)), np.zeros(1)
    >>> rnn(x, one, zero, one, zero, nonlinearity="relu").value
    array([[3.]])
    """
    if nonlinearity not in ("tanh", "relu"):
        one_of(nonlinearity, "rnn", "nonlinearity", ("tanh", "relu"))
    settings = {
        "nonlinearity": nonlinearity,
        "each": boolean(each, "rnn", "each"),
        "reverse": boolean(reverse, "rnn", "reverse"),
    }
    return Rnn.apply(x, sequences.zero_state(x, wh) if h is None else h, wi, bi, wh, bh, **settings)
