"""Softmax and cross entropy in one node, for labels that are numbers of classes."""

import numpy as np

from dark.nodes import Node, Operation
from dark.operations.layers.softmax import softmax
from dark.operations.numeric import sum_rows


def hot(labels, shape):
    """Return rows of 0 with a 1 at each label."""
    rows = np.zeros(shape)
    rows[np.arange(len(labels)), labels] = 1.0
    return rows


def total(losses, shares, dtype):
    """Add up all losses times their shares, in a type; of float64 as a Python float, which the graph takes at once."""
    if type(shares) is float and losses.dtype.itemsize > 2:
        y = np.add.reduce(losses, axis=None, dtype=dtype) * shares
    else:  # a sum of half floats might be too large before it is divided
        y = np.add.reduce(losses * shares, axis=None, dtype=dtype)
    return float(y) if type(y) is np.float64 else y


class CrossEntropy(Operation, trusted=True, saves=True, elementwise=False):
    """Minus the logarithm of the softmax at each row's label, times the row's share; added up, or for `each` row.

    `labels` are integers from 0 to k - 1, of shape (n,); `shares` is one number, or one for each row;
    rows that are `ignored`, a mask of shape (n,), count 0 whatever stands in them. What the
    softmax is made of is saved for the backward pass.
    """

    called = "cross_entropy"
    expects, advice = "logits of shape (n, k)", "one row of logits for each label."
    samples = (
        (((4, 3),), {"labels": np.array([0, 2, 1, 2]), "shares": 0.25}),
        (((3, 2),), {"labels": np.array([1, 1, 0]), "shares": np.array([0.5, 0.0, 2.0])}),
        (((3, 2),), {"labels": np.array([1, 1, 0]), "shares": 2.0, "each": True}),
        (((2, 3),), {"labels": np.array([2, 0]), "shares": 1.0, "ignored": np.array([False, True])}),
        (((1, 1),), {"labels": np.array([0]), "shares": 1.0}),
        (((0, 3),), {"labels": np.array([], int), "shares": 1.0}),
    )

    @staticmethod
    def _f(x, labels, shares, ignored=None, each=False):
        x = np.ascontiguousarray(x.T)  # (k, n): to reduce along the first axis takes a third of the time
        d = x - np.maximum.reduce(x, axis=0)  # at most 0
        e = np.exp(d)
        sums = sum_rows(e)  # (n,)
        at = labels * len(labels) + np.arange(len(labels))  # where the labels stand in the flat array
        losses = np.log(sums) - d.take(at)
        if ignored is not None:
            losses[ignored] = 0.0
        y = np.multiply(losses, shares, out=losses) if each else total(losses, shares, losses.dtype)
        return y, (e, sums, at)

    def _back(dldy, y, x, labels, shares, ignored=None, each=False, *, saved):
        if isinstance(x, Node):
            g = (softmax(x) - hot(labels, x.shape)) * np.reshape(dldy * shares, (-1, 1))
            return g if ignored is None else np.where(ignored[:, None], 0.0, g)
        (e, sums, at), c = saved, np.asarray(dldy * shares, x.dtype)
        g = e * (c / sums)  # (k, n)
        g.reshape(-1)[at] -= c
        if ignored is not None:
            g[:, ignored] = 0.0
        return g.T

    _df = (_back,)
