"""The gated recurrent unit: a recurrent layer that says, of each number of its state, how far it is renewed."""

import numpy as np

from dark.nodes import Operation
from dark.operations.arrays.concatenation import split, stack
from dark.operations.elementwise.hyperbolic import tanh
from dark.operations.elementwise.logistic import sigmoid
from dark.operations.layers import sequences
from dark.operations.linalg.matmul import matmul


class Gru(Operation, trusted=True, saves=True, elementwise=False):
    """The states of a gated recurrent unit: the last one, or `each`.

    The gates, one after another in the weights, are PyTorch's: reset, update, new. Gates and
    states are saved for the backward pass.
    """

    samples: tuple = tuple(
        (((3, 2, 2), (2, 2), (2, 6), (6,), (2, 6), (6,)), settings)
        for settings in ({}, {"each": True}, {"each": True, "reverse": True})
    ) + (
        (((2, 0, 2), (0, 1), (2, 3), (3,), (1, 3), (3,)), {"each": True}),
        (((1, 1, 3), (1, 1), (3, 3), (3,), (1, 3), (3,)), {"reverse": True}),
    )

    @staticmethod
    def _f(x, h, wi, bi, wh, bh, reverse=False, each=False):
        x, h, wi, bi, wh, bh = sequences.fit("gru", 3, x, (h,), (wi, bi, wh, bh))
        n = h.shape[1]
        half = sequences.halves((True, True, False), n, h.dtype)
        bias = np.append(bi[: 2 * n] + bh[: 2 * n], bi[2 * n :]) * half
        gates, states, w = sequences.entering(x, wi * half, bias, reverse), sequences.begun(h, len(x)), (wh * half).T
        recalled, b = np.empty_like(states[1:]), np.repeat(bh[2 * n :, None], len(h), 1)  # (t, n, b), (n, b)
        now = np.empty(gates.shape[1:], gates.dtype)  # (3 n, b)
        for before, after, a, u in zip(states, states[1:], gates, recalled):
            np.dot(w, before, out=now)
            both, reset, update, new = a[: 2 * n], a[:n], a[n : 2 * n], a[2 * n :]
            both += now[: 2 * n]
            sequences.to_sigmoid(np.tanh(both, out=both))
            np.add(now[2 * n :], b, out=u)
            new += np.multiply(reset, u, out=after)
            np.tanh(new, out=new)
            np.subtract(before, new, out=after)
            after *= update
            after += new
        return sequences.as_rows(states, each, reverse), (states, gates, recalled)

    def _back(dldy, x, saved, settings):
        states, gates, recalled = saved
        each, before, wh = settings.get("each"), states[:-1], x[4]
        reset, update, new = np.split(gates, 3, axis=1)  # (t, n, b) each
        g, sent = sequences.as_columns(dldy, each, settings.get("reverse"))
        n, rest = len(g), 1 - update
        dlda, dldb = np.empty_like(gates), np.empty_like(gates)
        of_reset, of_update, of_new = np.split(dlda, 3, axis=1)
        np.multiply(1 - new * new, rest, out=of_new)  # the slopes first, of all steps at once
        np.multiply(before - new, update * rest, out=of_update)
        np.multiply(recalled, reset * (1 - reset), out=of_reset)
        for t in reversed(range(len(dlda))):
            of_new[t] *= g
            of_update[t] *= g
            of_reset[t] *= of_new[t]
            dldb[t, : 2 * n] = dlda[t, : 2 * n]
            np.multiply(of_new[t], reset[t], out=dldb[t, 2 * n :])
            g *= update[t]
            g += np.dot(wh, dldb[t])
            if each and t:
                g += sent[t - 1]
        return sequences.flat(dlda), sequences.flat(dldb), sequences.flat(before), g.T

    def _plain(x, h, wi, bi, wh, bh, reverse=False, each=False):
        states = []
        for t in reversed(range(len(x))) if reverse else range(len(x)):
            entering, recalled = split(matmul(x[t], wi) + bi, 3, axis=1), split(matmul(h, wh) + bh, 3, axis=1)
            reset, update = [sigmoid(a + b) for a, b in zip(entering[:2], recalled)]
            new = tanh(entering[2] + reset * recalled[2])
            h = (1.0 - update) * new + update * h
            states.append(h)
        return stack(states[::-1] if reverse else states) if each else h

    @classmethod
    def _gradients(op, node, dldy, y, x):
        return sequences.gradients_of(op, node, dldy, y, x)


def gru(x, wi, bi, wh, bh, h=None, *, each=False, reverse=False):
    """Read a sequence step by step with a gated recurrent unit.

    Parameters
    ----------
    x : Node or array, shape (t, b, i)
        Of each of t steps a row for each of b examples.
    wi, bi : Node or array, shapes (i, 3 n) and (3 n,)
        Weights and bias of what enters, for the gates reset, update and new, one after another; PyTorch's
        ``weight_ih`` is the transpose.
    wh, bh : Node or array, shapes (n, 3 n) and (3 n,)
        Weights and bias of the state, likewise.
    h : Node or array, shape (b, n), optional
        The state before the first step; zeros if not given.
    each : bool, default False
        Whether every state is returned, not the last one alone.
    reverse : bool, default False
        Whether the last step is read first.

    Returns
    -------
    Node, shape (b, n), or (t, b, n) of `each`
        With `each`, in the order of the steps: in `reverse` the last state stands first.

    Raises
    ------
    ShapeError
        If the shapes do not match, or there is no step.

    Notes
    -----
    With ``a = x[t] @ wi + bi`` and ``b = h @ wh + bh``, each cut into three::

        reset, update = sigmoid(a[0] + b[0]), sigmoid(a[1] + b[1])
        new = tanh(a[2] + reset * b[2])
        h = (1 - update) * new + update * h

    As in PyTorch the reset gate acts on what the state has been multiplied to; in the paper, on the state.

    References
    ----------
    K. Cho et al., "Learning phrase representations using RNN encoder-decoder", arXiv 1406.1078, 2014.

    Examples
    --------
    >>> weights = np.zeros((1, 3)), np.zeros(3), np.zeros((1, 3)), np.zeros(3)
    >>> gru(np.ones((2, 1, 1)), *weights, h=np.ones((1, 1))).value
    array([[0.25]])
    """
    settings = {"each": bool(each), "reverse": bool(reverse)}
    return Gru.apply(x, sequences.zeros(x, wh) if h is None else h, wi, bi, wh, bh, **settings)
