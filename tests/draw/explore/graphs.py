"""Graphs for the tests of the explorer."""

import numpy as np

from dark import nn


class Residual(nn.Module):
    """Two linear layers beside a shortcut."""

    def __init__(self, width, seed):
        super().__init__()
        self.a, self.act, self.b = nn.Linear(width, width, seed=seed), nn.ReLU(), nn.Linear(width, width, seed=seed + 1)

    def forward(self, x):
        return x + self.b(self.act(self.a(x)))


def residual_loss(blocks=3, width=8, batch=16):
    """Return the loss of a network of residual blocks, after its backward pass."""
    layers = [nn.Linear(3, width, seed=0), *[Residual(width, 2 * k + 1) for k in range(blocks)]]
    network = nn.Sequential(*layers, nn.Linear(width, 2, seed=99))
    loss = (network(np.random.default_rng(0).normal(size=(batch, 3))) ** 2).sum()
    loss.backward()
    return loss
