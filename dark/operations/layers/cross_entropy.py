"""Softmax and cross-entropy in one node, for targets that are class indices."""

import numpy as np

from dark.nodes import Node, Operation
from dark.operations.layers.softmax import softmax
from dark.operations.numeric import at_least_float32, indices, sum_rows


def one_hot(labels, shape):
    """Return one-hot rows."""
    rows = np.zeros(shape)
    rows[np.arange(len(labels)), labels] = 1.0
    return rows


def weighted_sum(losses, weights, dtype):
    """Sum the weighted losses; a float64 result is returned as a Python float."""
    if type(weights) is float and losses.dtype.itemsize > 2:
        y = np.add.reduce(losses, axis=None, dtype=dtype) * weights
    else:  # a sum of float16 could overflow before it is weighted
        y = np.add.reduce(losses * weights, axis=None, dtype=dtype)
    return float(y) if type(y) is np.float64 else y


class CrossEntropy(Operation, trusted=True, saves=True, elementwise=False):
    """Weighted cross-entropy between logits and class indices; summed, or one per row with `each`.

    `labels` are integers from 0 to k - 1, of shape (n,); `weights` are a scalar or an array of shape (n,);
    rows where the mask `ignored` is True have the loss 0. The exponentials are saved for the backward pass.
    """

    @staticmethod
    def _f(x, labels, weights, ignored=None, each=False):
        dtype, x = x.dtype, np.ascontiguousarray(at_least_float32(x).T)  # (k, n): three times as fast to reduce
        d = x - np.maximum.reduce(x, axis=0)  # at most 0
        e = np.exp(d)
        sums = sum_rows(e)  # (n,)
        at = labels * len(labels) + indices(len(labels))  # the labels' positions in the flat array
        losses = np.log(sums) - d.take(at)
        if ignored is not None:
            losses[ignored] = 0.0
        y = np.multiply(losses, weights, out=losses) if each else weighted_sum(losses, weights, losses.dtype)
        return y if dtype.char != "e" else y.astype(dtype), (e, sums, at)

    @staticmethod
    def _vjp(dldy, y, x, labels, weights, ignored=None, each=False, *, saved):
        if isinstance(x, Node):
            g = (softmax(x) - one_hot(labels, x.shape)) * np.reshape(dldy * weights, (-1, 1))
            return g if ignored is None else np.where(ignored[:, None], 0.0, g)
        (e, sums, at), c = saved, np.asarray(dldy * weights, saved[0].dtype)
        g = e * (c / sums)  # (k, n)
        g.reshape(-1)[at] -= c
        if ignored is not None:
            g[:, ignored] = 0.0
        return g.T

    _df = (_vjp,)

    function_name = "cross_entropy"
    expects, advice = "logits of shape (n, k)", "one row of logits for each label."
    samples = (
        (((4, 3),), {"labels": np.array([0, 2, 1, 2]), "weights": 0.25}),
        (((3, 2),), {"labels": np.array([1, 1, 0]), "weights": np.array([0.5, 0.0, 2.0])}),
        (((3, 2),), {"labels": np.array([1, 1, 0]), "weights": 2.0, "each": True}),
        (((2, 3),), {"labels": np.array([2, 0]), "weights": 1.0, "ignored": np.array([False, True])}),
        (((1, 1),), {"labels": np.array([0]), "weights": 1.0}),
        (((0, 3),), {"labels": np.array([], int), "weights": 1.0}),
    )
