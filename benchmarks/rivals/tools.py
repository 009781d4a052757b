"""Helpers for several frameworks: Adam, a complete training loop, a loss on scalars."""

from itertools import pairwise

import numpy as np


class Adam:
    """Adam in plain NumPy: each call updates the arrays in place.

    Parameters
    ----------
    arrays : list of array
        The arrays to update.
    """

    def __init__(self, arrays, lr, betas=(0.9, 0.999), eps=1e-8):
        self.arrays, self.lr, self.betas, self.eps, self.t = arrays, lr, betas, eps, 0
        self.m, self.v = ([np.zeros_like(a) for a in arrays] for _ in range(2))

    def __call__(self, gradients):
        """Update the arrays."""
        self.t += 1
        one, two = self.betas
        rate, root = self.lr / (1 - one**self.t), (1 - two**self.t) ** 0.5
        for a, m, v, g in zip(self.arrays, self.m, self.v, gradients):
            m *= one
            m += (1 - one) * g
            v *= two
            v += (1 - two) * g * g
            a -= rate * m / (np.sqrt(v) / root + self.eps)


def whole_training(spec, make):
    """Return a function that trains to a target accuracy and returns the number of epochs, or -1.

    Parameters
    ----------
    make : callable
        Returns ``step(x, y)``, which trains on one batch, and ``logits(x)``, an array.
    """

    def whole():
        step, logits = make()
        order, batch = np.random.default_rng(11), spec["batch"]
        for epoch in range(1, spec["max_epochs"] + 1):
            rows = order.permutation(len(spec["X"]))
            for start in range(0, len(rows) - batch + 1, batch):
                chosen = rows[start : start + batch]
                step(spec["X"][chosen], spec["y"][chosen])
            if (logits(spec["Xt"]).argmax(1) == spec["yt"]).mean() >= spec["target"]:
                return epoch
        return -1

    return whole


def numbers(spec):
    """Return the weights and biases of a perceptron as one list of floats: each output's weights, then all biases."""
    return [float(v) for w, b in spec["params"] for v in [*w.T.ravel(), *b]]


def hinge_loss(spec, parameters, relu, number=float):
    """Return the hinge loss of a scalar perceptron on all examples, with weight decay.

    Parameters
    ----------
    parameters : list
        Nodes in the order of `numbers`.
    relu, number : callable
        The framework's relu, and its constructor of a constant.
    """
    layers, rest = [], iter(parameters)
    for n, m in pairwise([spec["params"][0][0].shape[0], *(len(b) for _, b in spec["params"])]):
        columns = [[next(rest) for _ in range(n)] for _ in range(m)]
        layers.append((columns, [next(rest) for _ in range(m)]))
    losses = []
    for row, y in zip(spec["X"].tolist(), spec["y"].tolist()):
        x = [number(v) for v in row]
        for k, (columns, biases) in enumerate(layers):
            x = [sum((w * v for w, v in zip(column, x)), bias) for column, bias in zip(columns, biases)]
            x = [relu(v) for v in x] if k + 1 < len(layers) else x
        losses.append(relu(1.0 + -y * x[0]))
    return sum(losses) * (1.0 / len(losses)) + spec["alpha"] * sum(p * p for p in parameters)
