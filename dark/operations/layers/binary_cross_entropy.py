"""Binary cross-entropy in one node, from logits or from probabilities."""

import numpy as np

from dark.nodes import Node, Operation
from dark.operations.elementwise.logistic import Sigmoid
from dark.operations.layers.cross_entropy import weighted_sum


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
                return ((~left - target) - r) * (
                    dldy * weights
                )  # p - t, grouped so that tiny differences stay accurate
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
