"""Losses in one node: cross-entropy of class indices, binary cross-entropy, and Huber loss."""

import numpy as np

from dark.nodes import Node, Operation
from dark.operations.elementwise.activation_functions import Sigmoid
from dark.operations.layers.activations import softmax
from dark.operations.numeric import at_least_float32, clip, indices, sum_rows


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


class BCEWithLogits(Operation, trusted=True, saves=True, elementwise=False):
    """Weighted binary cross-entropy between logits x and targets t; summed, or one per element with `each`.

    `target` has the shape of x; `weights` and `pos_weight`, which weights positive targets, are scalars or
    arrays of that shape.

    With s for softplus the loss is ``(1 - t) s(x) + pos_weight t s(-x)``, where ``s(x) = max(x, 0) +
    log(1 + exp(-|x|))`` does not overflow.
    """

    @staticmethod
    def _f(x, target, weights, pos_weight=None, each=False):
        e = np.exp(-np.abs(x))  # at most 1
        if pos_weight is None:
            losses = x * ((x > 0) - target) + np.log1p(e)
        else:
            positive, rest = pos_weight * target, 1 - target
            losses = rest * np.maximum(x, 0) + positive * np.maximum(-x, 0) + (rest + positive) * np.log1p(e)
        return (losses * weights).astype(e.dtype, copy=False) if each else weighted_sum(losses, weights, e.dtype), e

    @staticmethod
    def _vjp(dldy, y, x, target, weights, pos_weight=None, each=False, *, saved):
        if isinstance(x, Node):
            p = Sigmoid.apply(x)
            q = 1 - p
        else:
            e = saved
            left = np.signbit(x)
            r = np.copysign(e / (1 + e), x)  # the sigmoid of -|x|, accurate where it is tiny, with the sign of x
            if pos_weight is None:
                # p - t, grouped so that tiny differences stay accurate
                return ((~left - target) - r) * (dldy * weights)
            p, q = ~left - r, left + r
        positive = target if pos_weight is None else pos_weight * target
        return ((1 - target) * p - positive * q) * (dldy * weights)

    _df = (_vjp,)

    function_name = "binary_cross_entropy_with_logits"
    expects, advice = "logits and a target of the same shape", "print both shapes."
    samples = (
        (((4,),), {"target": np.array([0.0, 1.0, 0.3, 1.0]), "weights": 0.25}),
        (((2, 2),), {"target": np.eye(2), "weights": np.array([[1.0, 0.0], [2.0, 0.5]]), "pos_weight": 3.0}),
        (((2, 2),), {"target": np.eye(2), "weights": 0.5, "pos_weight": np.array([[1.0, 2.0]] * 2), "each": True}),
        (((),), {"target": 1.0, "weights": 1.0}), (((0, 3),), {"target": np.zeros((0, 3)), "weights": 1.0}),
    )  # fmt: skip


LOWEST = -100.0  # PyTorch's bound for the logarithm of a probability
LEAST = 1e-12  # and for p * (1 - p)


class BinaryCrossEntropy(Operation, trusted=True, elementwise=False):
    """Elementwise binary cross-entropy between probabilities x and targets t; logarithms are at least -100."""

    @staticmethod
    def _logarithms(x):
        """Return the clamped logarithms of x and of 1 - x."""
        with np.errstate(divide="ignore"):
            logs = np.maximum(np.log(x), LOWEST), np.maximum(np.log1p(-x), LOWEST)
        return logs

    @staticmethod
    def _f(x, t):
        log, log_rest = BinaryCrossEntropy._logarithms(x)
        return (t - 1) * log_rest - t * log

    @staticmethod
    def _input(dldy, y, x, t):
        return dldy * (x - t) / np.maximum(x * (1 - x), LEAST)

    @staticmethod
    def _target(dldy, y, x, t):
        log, log_rest = BinaryCrossEntropy._logarithms(x)
        return dldy * (log_rest - log)

    _df = (_input, _target)

    function_name = "binary_cross_entropy"
    expects, advice = "two equal shapes", "print both shapes."
    domain = ((0.1, 0.9), (0.1, 0.9))
    samples: tuple = ((((3,), (3,)), {}), (((), ()), {}), (((2, 3), (2, 3)), {}), (((0, 3), (0, 3)), {}))


class Huber(Operation, trusted=True):
    """Elementwise Huber loss."""

    @staticmethod
    def _f(a, b, delta):
        d = np.abs(a - b)
        c = np.minimum(d, delta)
        return c * (d - 0.5 * c)

    _df = (
        lambda dldy, y, a, b, delta: dldy * clip(a - b, -delta, delta),
        lambda dldy, y, a, b, delta: dldy * clip(b - a, -delta, delta),
    )

    samples = (((), {"delta": 1.0}), ((), {"delta": 0.3}))
