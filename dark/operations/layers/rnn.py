"""The plain recurrent layer: the state of a step is a bend of what enters and of the state before."""

import numpy as np

from dark.errors import UsageError
from dark.nodes import Operation
from dark.operations.arrays.concatenation import stack
from dark.operations.elementwise.activation_functions import relu
from dark.operations.elementwise.hyperbolic import tanh
from dark.operations.layers import sequences
from dark.operations.linalg.matmul import matmul


class Rnn(Operation, trusted=True, saves=True, elementwise=False):
    """The states ``h = tanh(x @ wi + bi + h @ wh + bh)`` of a sequence: the last one, or `each`.

    The `nonlinearity` may be "relu", too; in `reverse` the last step comes first. The states are
    saved for the backward pass.
    """

    samples: tuple = tuple(
        (((3, 2, 2), (2, 3), (2, 3), (3,), (3, 3), (3,)), settings)
        for settings in ({}, {"each": True}, {"each": True, "reverse": True}, {"reverse": True})
    ) + (
        (((2, 0, 2), (0, 3), (2, 3), (3,), (3, 3), (3,)), {"each": True}),
        (((1, 1, 3), (1, 1), (3, 1), (1,), (1, 1), (1,)), {"nonlinearity": "relu"}),
    )

    @staticmethod
    def _f(x, h, wi, bi, wh, bh, nonlinearity="tanh", reverse=False, each=False):
        x, h, wi, bi, wh, bh = sequences.fit("rnn", 1, x, (h,), (wi, bi, wh, bh))
        entering = np.dot(sequences.as_matrix(x[::-1] if reverse else x), wi)  # (t b, n)
        entering += bi + bh
        states, zeros = np.empty((len(x) + 1, *h.shape), h.dtype), np.zeros(h.shape, h.dtype)
        states[0] = h
        for before, now, a in zip(states, states[1:], entering.reshape(len(x), *h.shape)):
            np.dot(before, wh, out=now)  # (b, n), with less ado than matmul
            now += a
            np.tanh(now, out=now) if nonlinearity == "tanh" else np.maximum(now, zeros, out=now)
        y = (states[:0:-1] if reverse else states[1:]).copy() if each else states[-1].copy()
        return y, states

    def _back(dldy, x, states, settings):
        wh, is_relu = x[4], settings.get("nonlinearity") == "relu"
        dlda = (states[1:] > 0).astype(states.dtype) if is_relu else 1 - states[1:] * states[1:]  # (t, b, n)
        sent = (dldy[::-1] if settings.get("reverse") else dldy) if settings.get("each") else None
        g, back = np.array(dldy if sent is None else sent[-1]), wh.T
        for t in reversed(range(len(dlda))):
            dlda[t] *= g
            np.dot(dlda[t], back, out=g)
            if t and sent is not None:
                g += sent[t - 1]
        a = sequences.as_matrix(dlda)
        return a, a, sequences.as_matrix(states[:-1]), g

    def _plain(x, h, wi, bi, wh, bh, nonlinearity="tanh", reverse=False, each=False):
        bend, states = relu if nonlinearity == "relu" else tanh, []
        for t in reversed(range(len(x))) if reverse else range(len(x)):
            h = bend(matmul(x[t], wi) + bi + matmul(h, wh) + bh)
            states.append(h)
        return stack(states[::-1] if reverse else states) if each else h

    @classmethod
    def _gradients(op, node, dldy, y, x):
        return sequences.gradients_of(op, node, dldy, y, x)


def rnn(x, wi, bi, wh, bh, h=None, *, nonlinearity="tanh", each=False, reverse=False):
    """Read a sequence step by step, each time bending what enters together with the state before.

    Parameters
    ----------
    x : Node or array, shape (t, b, i)
        Of each of t steps a row for each of b examples.
    wi, bi : Node or array, shapes (i, n) and (n,)
        Weights and bias of what enters; PyTorch's ``weight_ih`` is the transpose.
    wh, bh : Node or array, shapes (n, n) and (n,)
        Weights and bias of the state.
    h : Node or array, shape (b, n), optional
        The state before the first step; zeros if not given.
    nonlinearity : {"tanh", "relu"}, default "tanh"
        The bend.
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
    UsageError
        If the nonlinearity is another.

    Notes
    -----
    ``h = tanh(x[t] @ wi + bi + h @ wh + bh)``.

    References
    ----------
    J. Elman, "Finding structure in time", 1990.

    Examples
    --------
    >>> x, one, zero = np.ones((3, 1, 1)), np.ones((1, 1)), np.zeros(1)
    >>> rnn(x, one, zero, one, zero, nonlinearity="relu").value
    array([[3.]])
    """
    if nonlinearity not in ("tanh", "relu"):
        raise UsageError(f"rnn: the nonlinearity {nonlinearity!r} is unknown.", '"tanh" or "relu".', "leave it out.")
    settings = {"nonlinearity": nonlinearity, "each": bool(each), "reverse": bool(reverse)}
    return Rnn.apply(x, sequences.zeros(x, wh) if h is None else h, wi, bi, wh, bh, **settings)
