"""GRU: gates decide how much of the hidden state is updated."""

from __future__ import annotations

import numpy as np

from dark.checks import boolean
from dark.nodes import Node, Operation
from dark.operations.arrays.concatenation import split, stack
from dark.operations.elementwise.activation_functions import sigmoid
from dark.operations.elementwise.exponentials import tanh
from dark.operations.layers import sequences
from dark.operations.linalg.matmul import matmul
from dark.typing import ArrayLike


class Gru(Operation, trusted=True, saves=True, elementwise=False):
    """Hidden states of a gated recurrent unit: the last one, or all with `each`.

    The gates are concatenated in PyTorch's order: reset, update, new (here `candidate`). Gates and states are
    saved for the backward pass.
    """

    @staticmethod
    def _plain(x, h, wi, bi, wh, bh, reverse=False, each=False):
        """Compute the layer in plain operations, step by step; `_f` is faster, this has higher derivatives."""
        states = []
        for t in reversed(range(len(x))) if reverse else range(len(x)):
            projected, hidden_new = split(matmul(x[t], wi) + bi, 3, axis=1), split(matmul(h, wh) + bh, 3, axis=1)
            reset, update = [sigmoid(a + b) for a, b in zip(projected[:2], hidden_new)]
            candidate = tanh(projected[2] + reset * hidden_new[2])
            h = (1.0 - update) * candidate + update * h
            states.append(h)
        return stack(states[::-1] if reverse else states) if each else h

    @staticmethod
    def _f(x, h, wi, bi, wh, bh, reverse=False, each=False):
        x, h, wi, bi, wh, bh = sequences.check_shapes("gru", 3, x, (h,), (wi, bi, wh, bh))
        n = h.shape[1]
        half = sequences.tanh_factors((True, True, False), n, h.dtype)
        bias = np.append(bi[: 2 * n] + bh[: 2 * n], bi[2 * n :]) * half
        gates, w = sequences.project_input(x, wi * half, bias, reverse), (wh * half).T
        states = sequences.allocate_states(h, len(x))
        hidden_new, b = np.empty_like(states[1:]), np.repeat(bh[2 * n :, None], len(h), 1)  # (t, n, b), (n, b)
        projected = np.empty(gates.shape[1:], gates.dtype)  # (3 n, b)
        for before, after, a, u in zip(states, states[1:], gates, hidden_new):
            np.dot(w, before, out=projected)
            reset_and_update, reset, update, candidate = a[: 2 * n], a[:n], a[n : 2 * n], a[2 * n :]
            reset_and_update += projected[: 2 * n]
            sequences.to_sigmoid(np.tanh(reset_and_update, out=reset_and_update))
            np.add(projected[2 * n :], b, out=u)
            candidate += np.multiply(reset, u, out=after)
            np.tanh(candidate, out=candidate)
            np.subtract(before, candidate, out=after)
            after *= update
            after += candidate
        return sequences.as_output(states, each, reverse), (states, gates, hidden_new)

    @staticmethod
    def _backward(dldy, x, saved, settings):
        states, gates, hidden_new = saved
        each, before, wh = settings.get("each"), states[:-1], x[4]
        reset, update, candidate = np.split(gates, 3, axis=1)  # (t, n, b) each
        g, earlier = sequences.split_gradient(dldy, each, settings.get("reverse"))
        n, rest = len(g), 1 - update
        dlda, dldb = np.empty_like(gates), np.empty_like(gates)
        dl_reset, dl_update, dl_candidate = np.split(dlda, 3, axis=1)
        # the derivatives of the activations, of all steps at once
        np.multiply(1 - candidate * candidate, rest, out=dl_candidate)
        np.multiply(before - candidate, update * rest, out=dl_update)
        np.multiply(hidden_new, reset * (1 - reset), out=dl_reset)
        for t in reversed(range(len(dlda))):
            dl_candidate[t] *= g
            dl_update[t] *= g
            dl_reset[t] *= dl_candidate[t]
            dldb[t, : 2 * n] = dlda[t, : 2 * n]
            np.multiply(dl_candidate[t], reset[t], out=dldb[t, 2 * n :])
            g *= update[t]
            g += np.dot(wh, dldb[t])
            if each and t:
                g += earlier[t - 1]
        return sequences.columns_as_rows(dlda), sequences.columns_as_rows(dldb), sequences.columns_as_rows(before), g.T

    _gradients = classmethod(sequences.recurrent_gradients)

    samples: tuple = tuple(
        (((3, 2, 2), (2, 2), (2, 6), (6,), (2, 6), (6,)), settings)
        for settings in ({}, {"each": True}, {"each": True, "reverse": True})
    ) + (
        (((2, 0, 2), (0, 1), (2, 3), (3,), (1, 3), (3,)), {"each": True}),
        (((1, 1, 3), (1, 1), (3, 3), (3,), (1, 3), (3,)), {"reverse": True}),
    )


def gru(
    x: ArrayLike,
    wi: ArrayLike,
    bi: ArrayLike,
    wh: ArrayLike,
    bh: ArrayLike,
    h: ArrayLike | None = None,
    *,
    each: bool = False,
    reverse: bool = False,
) -> Node:
    """Run a gated recurrent unit over a sequence.

    The result has shape (b, n), or (t, b, n) with `each`.

    With ``a = x[t] @ wi + bi`` and ``b = h @ wh + bh``, each split into three::

        reset, update = sigmoid(a[0] + b[0]), sigmoid(a[1] + b[1])
        new = tanh(a[2] + reset * b[2])
        h = (1 - update) * new + update * h

    As in PyTorch, the reset gate is applied after the matrix product; in the paper, before.

    Reference: K. Cho et al., "Learning phrase representations using RNN encoder-decoder", arXiv 1406.1078, 2014.

    Parameters
    ----------
    x : Node or array, shape (t, b, i)
        t steps, b examples, i features.
    wi, bi : Node or array, shapes (i, 3 n) and (3 n,)
        Input weights and bias of the gates reset, update and new, concatenated; PyTorch's ``weight_ih`` is the
        transpose.
    wh, bh : Node or array, shapes (n, 3 n) and (3 n,)
        Hidden weights and bias, likewise.
    h, each, reverse
        As for `rnn`.

    Examples
    --------
    >>> weights = np.zeros((1, 3)), np.zeros(3), np.zeros((1, 3)), np.zeros(3)
    >>> gru(np.ones((2, 1, 1)), *weights, h=np.ones((1, 1))).value
    array([[0.25]])
    """
    settings = {"each": boolean(each, "gru", "each"), "reverse": boolean(reverse, "gru", "reverse")}
    return Gru.apply(x, sequences.zero_state(x, wh) if h is None else h, wi, bi, wh, bh, **settings)
