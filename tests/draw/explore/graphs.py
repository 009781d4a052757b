"""Graphs for the tests of the explorer."""

import numpy as np

import dark
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


class Cell(nn.Module):
    """A recurrent cell: the next hidden state from an input and the last one."""

    def __init__(self, width):
        super().__init__()
        self.input, self.hidden, self.act = nn.Linear(2, width, seed=1), nn.Linear(width, width, seed=2), nn.Tanh()

    def forward(self, x, h):
        return self.act(self.input(x) + self.hidden(h))


class Recurrent(nn.Module):
    """A cell over time, and a linear layer of each of its hidden states."""

    def __init__(self, width=4):
        super().__init__()
        self.cell, self.out, self.width = Cell(width), nn.Linear(width, 1, seed=3), width

    def forward(self, x):
        h, total = np.zeros((1, self.width)), 0.0
        for k in range(x.shape[0]):
            h = self.cell(x[k : k + 1], h)
            total = total + self.out(h).sum()
        return total


def unrolled(steps):
    """Return a recurrent sum over so many steps without modules: the first results are used by all later ones."""
    x, w = dark.Parameter(0.5, name="x"), dark.Parameter(0.9, name="w")
    first, h, total = dark.exp(x), dark.Constant(0.0), dark.Constant(0.0)
    for _ in range(steps):
        h = dark.tanh(first * w + h * w)
        total = total + h * first
    return total


def recurrent_loss(steps):
    """Return the loss of a recurrent network over so many steps, after its backward pass."""
    loss = Recurrent()(dark.Constant(np.random.default_rng(0).normal(size=(steps, 2)), name="x"))
    loss.backward()
    return loss
