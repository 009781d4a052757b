"""LSTM: gates write to a cell state and read the hidden state from it."""

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


class Lstm(Operation, trusted=True, saves=True, elementwise=False):
    """Hidden states of a long short-term memory, the last one or all with `each`, followed by the last cell state.

    The gates are concatenated in PyTorch's order: input, forget, cell (here `candidate`), output. Gates, hidden
    and cell states are saved for the backward pass.
    """

    @staticmethod
    def _plain(x, h, c, wi, bi, wh, bh, reverse=False, each=False):
        """Compute the layer in plain operations, step by step; `_f` is faster, this has higher derivatives."""
        states = []
        for t in reversed(range(len(x))) if reverse else range(len(x)):
            input_gate, forget, candidate, out = split(matmul(x[t], wi) + bi + matmul(h, wh) + bh, 4, axis=1)
            c = sigmoid(forget) * c + sigmoid(input_gate) * tanh(candidate)
            h = sigmoid(out) * tanh(c)
            states.append(h)
        return stack([*(states[::-1] if reverse else states), c] if each else [h, c])

    @staticmethod
    def _f(x, h, c, wi, bi, wh, bh, reverse=False, each=False):
        x, h, c, wi, bi, wh, bh = sequences.check_shapes("lstm", 4, x, (h, c), (wi, bi, wh, bh))
        n, steps = h.shape[1], len(x)
        half = sequences.tanh_factors((True, True, False, True), n, h.dtype)
        gates, w = sequences.project_input(x, wi * half, (bi + bh) * half, reverse), (wh * half).T
        states, cells = sequences.allocate_states(h, steps), sequences.allocate_states(c, steps)
        tanh_cells, projected = np.empty_like(cells[1:]), np.empty(gates.shape[1:], gates.dtype)  # (t, n, b), (4 n, b)
        for t, a in enumerate(gates):
            a += np.dot(w, states[t], out=projected)
            np.tanh(a, out=a)
            sequences.to_sigmoid(a[: 2 * n])
            sequences.to_sigmoid(a[3 * n :])
            np.multiply(a[:n], a[2 * n : 3 * n], out=cells[t + 1])
            cells[t + 1] += np.multiply(a[n : 2 * n], cells[t], out=tanh_cells[t])
            np.multiply(a[3 * n :], np.tanh(cells[t + 1], out=tanh_cells[t]), out=states[t + 1])
        y = sequences.as_output(states, each, reverse)
        y = np.concatenate([y if each else y[None], cells[-1:].transpose(0, 2, 1)])
        return y, (states, gates, cells, tanh_cells)

    @staticmethod
    def _backward(dldy, x, saved, settings):
        states, gates, cells, tanh_cells = saved
        each, before, wh = settings.get("each"), cells[:-1], x[5]
        input_gate, forget, candidate, out = np.split(gates, 4, axis=1)  # (t, n, b) each
        g, earlier = sequences.split_gradient(dldy[:-1] if each else dldy[0], each, settings.get("reverse"))
        dldc, slope = np.array(dldy[-1].T, order="C"), out * (1 - tanh_cells * tanh_cells)  # (n, b), (t, n, b)
        dlda = np.empty_like(gates)
        dl_input, dl_forget, dl_candidate, dl_output = np.split(dlda, 4, axis=1)
        # the derivatives of the activations, of all steps at once
        np.multiply(candidate, input_gate * (1 - input_gate), out=dl_input)
        np.multiply(before, forget * (1 - forget), out=dl_forget)
        np.multiply(input_gate, 1 - candidate * candidate, out=dl_candidate)
        np.multiply(tanh_cells, out * (1 - out), out=dl_output)
        for t in reversed(range(len(dlda))):
            dl_output[t] *= g
            dldc += np.multiply(g, slope[t], out=g)
            for dl_gate in (dl_input, dl_forget, dl_candidate):
                dl_gate[t] *= dldc
            dldc *= forget[t]
            np.dot(wh, dlda[t], out=g)
            if each and t:
                g += earlier[t - 1]
        a = sequences.columns_as_rows(dlda)
        return a, a, sequences.columns_as_rows(states[:-1]), g.T, dldc.T

    _gradients = classmethod(sequences.recurrent_gradients)

    samples: tuple = tuple(
        (((3, 2, 2), (2, 2), (2, 2), (2, 8), (8,), (2, 8), (8,)), settings)
        for settings in ({}, {"each": True}, {"each": True, "reverse": True})
    ) + (
        (((2, 0, 2), (0, 1), (0, 1), (2, 4), (4,), (1, 4), (4,)), {"each": True}),
        (((1, 1, 3), (1, 1), (1, 1), (3, 4), (4,), (1, 4), (4,)), {"reverse": True}),
    )


def lstm(
    x: ArrayLike,
    wi: ArrayLike,
    bi: ArrayLike,
    wh: ArrayLike,
    bh: ArrayLike,
    h: ArrayLike | None = None,
    c: ArrayLike | None = None,
    *,
    each: bool = False,
    reverse: bool = False,
) -> tuple[Node, Node]:
    """Run a long short-term memory over a sequence.

    With ``x[t] @ wi + bi + h @ wh + bh`` split into four::

        c = sigmoid(forget) * c + sigmoid(input) * tanh(cell)
        h = sigmoid(output) * tanh(c)

    Reference: S. Hochreiter, J. Schmidhuber, "Long short-term memory", 1997; F. Gers, J. Schmidhuber, F. Cummins,
    "Learning to forget", 2000.

    Parameters
    ----------
    x : Node or array, shape (t, b, i)
        t steps, b examples, i features.
    wi, bi : Node or array, shapes (i, 4 n) and (4 n,)
        Input weights and bias of the gates input, forget, cell and output, concatenated; PyTorch's ``weight_ih``
        is the transpose.
    wh, bh : Node or array, shapes (n, 4 n) and (4 n,)
        Hidden weights and bias, likewise.
    h, c : Node or array, shape (b, n), optional
        Initial hidden state and cell state; zeros by default.
    each, reverse
        As for `rnn`.

    Returns
    -------
    tuple of Node, shapes (b, n), or (t, b, n) with `each`; and (b, n)
        Hidden state and last cell state.

    Examples
    --------
    >>> weights = np.zeros((1, 4)), np.zeros(4), np.zeros((1, 4)), np.zeros(4)
    >>> h, c = lstm(np.ones((2, 1, 1)), *weights, c=np.ones((1, 1)))
    >>> h.shape, c.value
    ((1, 1), array([[0.25]]))
    """
    h = sequences.zero_state(x, wh) if h is None else h
    c = sequences.zero_state(x, wh) if c is None else c
    settings = {"each": boolean(each, "lstm", "each"), "reverse": boolean(reverse, "lstm", "reverse")}
    y = Lstm.apply(x, h, c, wi, bi, wh, bh, **settings)
    return (y[:-1] if each else y[0]), y[-1]
