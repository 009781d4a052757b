"""The long short-term memory: a recurrent layer with a second state, the memory, that gates write to and read."""

import numpy as np

from dark.nodes import Operation
from dark.operations.arrays.concatenation import split, stack
from dark.operations.elementwise.hyperbolic import tanh
from dark.operations.elementwise.logistic import sigmoid
from dark.operations.layers import sequences
from dark.operations.linalg.matmul import matmul


class Lstm(Operation, trusted=True, saves=True, elementwise=False):
    """The states of a long short-term memory: the last one, or `each`; and behind them the last memory.

    The gates, one after another in the weights, are PyTorch's: input, forget, new, output. Gates, states
    and memories are saved for the backward pass.
    """

    samples: tuple = tuple(
        (((3, 2, 2), (2, 2), (2, 2), (2, 8), (8,), (2, 8), (8,)), settings)
        for settings in ({}, {"each": True}, {"each": True, "reverse": True})
    ) + (
        (((2, 0, 2), (0, 1), (0, 1), (2, 4), (4,), (1, 4), (4,)), {"each": True}),
        (((1, 1, 3), (1, 1), (1, 1), (3, 4), (4,), (1, 4), (4,)), {"reverse": True}),
    )

    @staticmethod
    def _f(x, h, c, wi, bi, wh, bh, reverse=False, each=False):
        x, h, c, wi, bi, wh, bh = sequences.fit("lstm", 4, x, (h, c), (wi, bi, wh, bh))
        n, steps = h.shape[1], len(x)
        half = sequences.halves((True, True, False, True), n, h.dtype)
        gates, w = sequences.entering(x, wi * half, (bi + bh) * half, reverse), (wh * half).T
        states, memories = sequences.begun(h, steps), sequences.begun(c, steps)
        bent, now = np.empty_like(memories[1:]), np.empty(gates.shape[1:], gates.dtype)  # (t, n, b), (4 n, b)
        for t, a in enumerate(gates):
            a += np.dot(w, states[t], out=now)
            np.tanh(a, out=a)
            sequences.to_sigmoid(a[: 2 * n])
            sequences.to_sigmoid(a[3 * n :])
            np.multiply(a[:n], a[2 * n : 3 * n], out=memories[t + 1])
            memories[t + 1] += np.multiply(a[n : 2 * n], memories[t], out=bent[t])
            np.multiply(a[3 * n :], np.tanh(memories[t + 1], out=bent[t]), out=states[t + 1])
        y = sequences.as_rows(states, each, reverse)
        y = np.concatenate([y if each else y[None], memories[-1:].transpose(0, 2, 1)])
        return y, (states, gates, memories, bent)

    def _back(dldy, x, saved, settings):
        states, gates, memories, bent = saved
        each, before, wh = settings.get("each"), memories[:-1], x[5]
        into, forget, new, out = np.split(gates, 4, axis=1)  # (t, n, b) each
        g, sent = sequences.as_columns(dldy[:-1] if each else dldy[0], each, settings.get("reverse"))
        dldc, slope = np.array(dldy[-1].T, order="C"), out * (1 - bent * bent)  # (n, b), (t, n, b)
        dlda = np.empty_like(gates)
        of_into, of_forget, of_new, of_out = np.split(dlda, 4, axis=1)
        np.multiply(new, into * (1 - into), out=of_into)  # the slopes first, of all steps at once
        np.multiply(before, forget * (1 - forget), out=of_forget)
        np.multiply(into, 1 - new * new, out=of_new)
        np.multiply(bent, out * (1 - out), out=of_out)
        for t in reversed(range(len(dlda))):
            of_out[t] *= g
            dldc += np.multiply(g, slope[t], out=g)
            for of_gate in (of_into, of_forget, of_new):
                of_gate[t] *= dldc
            dldc *= forget[t]
            np.dot(wh, dlda[t], out=g)
            if each and t:
                g += sent[t - 1]
        a = sequences.flat(dlda)
        return a, a, sequences.flat(states[:-1]), g.T, dldc.T

    def _plain(x, h, c, wi, bi, wh, bh, reverse=False, each=False):
        states = []
        for t in reversed(range(len(x))) if reverse else range(len(x)):
            into, forget, new, out = split(matmul(x[t], wi) + bi + matmul(h, wh) + bh, 4, axis=1)
            c = sigmoid(forget) * c + sigmoid(into) * tanh(new)
            h = sigmoid(out) * tanh(c)
            states.append(h)
        return stack([*(states[::-1] if reverse else states), c] if each else [h, c])

    @classmethod
    def _gradients(op, node, dldy, y, x):
        return sequences.gradients_of(op, node, dldy, y, x)


def lstm(x, wi, bi, wh, bh, h=None, c=None, *, each=False, reverse=False):
    """Read a sequence step by step with a long short-term memory.

    Parameters
    ----------
    x : Node or array, shape (t, b, i)
        Of each of t steps a row for each of b examples.
    wi, bi : Node or array, shapes (i, 4 n) and (4 n,)
        Weights and bias of what enters, for the gates input, forget, new and output, one after another;
        PyTorch's ``weight_ih`` is the transpose.
    wh, bh : Node or array, shapes (n, 4 n) and (4 n,)
        Weights and bias of the state, likewise.
    h, c : Node or array, shape (b, n), optional
        State and memory before the first step; zeros if not given.
    each : bool, default False
        Whether every state is returned, not the last one alone.
    reverse : bool, default False
        Whether the last step is read first.

    Returns
    -------
    tuple of Node, shapes (b, n), or (t, b, n) of `each`; and (b, n)
        State and last memory; with `each`, the states in the order of the steps.

    Raises
    ------
    ShapeError
        If the shapes do not match, or there is no step.

    Notes
    -----
    With ``x[t] @ wi + bi + h @ wh + bh`` cut into four::

        c = sigmoid(forget) * c + sigmoid(input) * tanh(new)
        h = sigmoid(output) * tanh(c)

    References
    ----------
    S. Hochreiter, J. Schmidhuber, "Long short-term memory", 1997; F. Gers, J. Schmidhuber, F. Cummins,
    "Learning to forget", 2000.

    Examples
    --------
    >>> weights = np.zeros((1, 4)), np.zeros(4), np.zeros((1, 4)), np.zeros(4)
    >>> h, c = lstm(np.ones((2, 1, 1)), *weights, c=np.ones((1, 1)))
    >>> h.shape, c.value
    ((1, 1), array([[0.25]]))
    """
    h = sequences.zeros(x, wh) if h is None else h
    c = sequences.zeros(x, wh) if c is None else c
    settings = {"each": bool(each), "reverse": bool(reverse)}
    y = Lstm.apply(x, h, c, wi, bi, wh, bh, **settings)
    return (y[:-1] if each else y[0]), y[-1]
