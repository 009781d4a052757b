"""Healthy training runs: each family makes a recipe from a random generator and settings."""

from __future__ import annotations

import itertools
from functools import cache

import numpy as np

import dark
from benchmarks.doctor.recipe import Recipe
from dark import losses, nn
from dark.data import Standardize, datasets, split

ACTIVATIONS = {
    "relu": nn.ReLU, "tanh": nn.Tanh, "sigmoid": nn.Sigmoid, "gelu": nn.GELU, "leaky": nn.LeakyReLU, "elu": nn.ELU,
    "silu": nn.SiLU,
}  # fmt: skip


@cache
def table(name, seed=0):
    """Return a table as a training set and a validation set (a quarter), standardized by the training set."""
    data = getattr(datasets, name)()
    train, test = split(data, (0.75, 0.25), seed=seed, stratify=name != "diabetes")
    standardize = Standardize().fit(train)
    (x, y), (u, v) = standardize(train[:]), standardize(test[:])
    if name == "diabetes":
        mean, scale = y.mean(), y.std()
        y, v = (y - mean)[:, None] / scale, (v - mean)[:, None] / scale
    return (np.asarray(x, np.float32), np.asarray(y)), (np.asarray(u, np.float32), np.asarray(v))


def perceptron(rng, sizes, activation="relu", dropout=0.0, norm=False):
    """Create a perceptron with the given layer sizes."""
    layers = []
    for k, (n, m) in enumerate(itertools.pairwise(sizes)):
        layers.append(nn.Linear(n, m, seed=rng))
        if k < len(sizes) - 2:
            layers += [nn.BatchNorm1d(m)] if norm else []
            layers.append(ACTIVATIONS[activation]())
            layers += [nn.Dropout(dropout, seed=rng)] if dropout else []
    return nn.Sequential(*layers).float()


def mlp(data="digits", hidden=(64,), activation="relu", *, seed=0, dropout=0.0, norm=False, **fields):
    """A perceptron on a table: classification, or regression for diabetes."""
    train, validation = table(data, seed)
    is_regression = data == "diabetes"
    outputs = 1 if is_regression else int(train[1].max()) + 1
    network = perceptron(np.random.default_rng(seed), (train[0].shape[1], *hidden, outputs), activation, dropout, norm)
    epochs = {"digits": 12, "iris": 60, "wine": 30, "breast_cancer": 20, "diabetes": 15}[data]
    loss = losses.mse if is_regression else losses.cross_entropy
    return Recipe(train, validation, network, loss=loss, **{"epochs": epochs, **fields})


def conv(channels=(8, 16), *, seed=0, norm=False, activation="relu", **fields):
    """A convolutional network on the digits."""
    rng = np.random.default_rng(seed)
    (x, y), (u, v) = table("digits", seed)
    layers, before = [], 1
    for channel in channels:
        layers.append(nn.Conv2d(before, channel, 3, padding=1, seed=rng))
        layers += [nn.BatchNorm2d(channel)] if norm else []
        layers += [ACTIVATIONS[activation](), nn.MaxPool2d(2)]
        before = channel
    side = 8 // 2 ** len(channels)
    layers += [nn.Flatten(), nn.Linear(before * side**2, 10, seed=rng)]
    shape = (-1, 1, 8, 8)
    return Recipe((x.reshape(shape), y), (u.reshape(shape), v), nn.Sequential(*layers).float(),
                  **{"epochs": 6, **fields})  # fmt: skip


class LastStep(nn.Module):
    """A recurrent layer over a sequence, and a linear layer of its last hidden state."""

    def __init__(self, cell, inputs, hidden, outputs, rng, **settings):
        super().__init__()
        self.recurrent = getattr(nn, cell)(inputs, hidden, batch_first=True, seed=rng, **settings)
        self.head = nn.Linear(hidden, outputs, seed=rng)

    def forward(self, x):
        """Return (batch, outputs) of sequences (batch, steps, inputs)."""
        states, _ = self.recurrent(x)
        return self.head(states[:, -1])


def sequences(kind, rng, count=400, steps=16):
    """Return sequences (count, steps, 1) and what to predict of them."""
    if kind == "sine":  # the next value of a noisy sine
        phase, pace = rng.uniform(0, 2 * np.pi, (count, 1)), rng.uniform(0.2, 0.5, (count, 1))
        wave = np.sin(phase + pace * np.arange(steps + 1)) + 0.05 * rng.normal(size=(count, steps + 1))
        return wave[:, :-1, None].astype(np.float32), wave[:, -1:].astype(np.float32)
    if kind == "trend":  # whether a random walk has a drift upward
        labels = rng.integers(0, 2, count)
        walk = np.cumsum(0.5 * rng.normal(size=(count, steps)) + 0.2 * (2 * labels[:, None] - 1), axis=1)
        return (walk / 3)[:, :, None].astype(np.float32), labels
    x = rng.normal(size=(count, steps))  # "parity of the mean": the sign of the sum
    return x[:, :, None].astype(np.float32), (x.sum(axis=1) > 0).astype(int)


def recurrent(cell="GRU", kind="sine", hidden=24, *, seed=0, **fields):
    """A recurrent network on generated sequences."""
    rng = np.random.default_rng(seed)
    x, y = sequences(kind, rng)
    outputs = 1 if kind == "sine" else 2
    loss = losses.mse if kind == "sine" else losses.cross_entropy
    network = LastStep(cell, 1, hidden, outputs, rng).float()
    return Recipe((x[:300], y[:300]), (x[300:], y[300:]), network, loss=loss, **{"epochs": 15, "lr": 5e-3, **fields})


class Attentive(nn.Module):
    """A transformer encoder over tokens, averaged over the positions."""

    def __init__(self, tokens, width, outputs, rng, layers=1, steps=12, norm_first=False):
        super().__init__()
        self.embedding = nn.Embedding(tokens, width, seed=rng)
        self.position = dark.Parameter(0.1 * rng.normal(size=(steps, width)))
        block = nn.TransformerEncoderLayer(
            width, 4, 2 * width, dropout=0.1, batch_first=True, norm_first=norm_first, seed=rng
        )
        self.encoder = nn.TransformerEncoder(block, layers)
        self.head = nn.Linear(width, outputs, seed=rng)

    def forward(self, x):
        """Return (batch, outputs) of tokens (batch, steps)."""
        return self.head(self.encoder(self.embedding(x) + self.position).mean(axis=1))


def transformer(layers=1, width=16, *, seed=0, norm_first=False, **fields):
    """A transformer that finds the more frequent of two tokens."""
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 6, (400, 12))
    y = ((x == 0).sum(axis=1) > (x == 1).sum(axis=1)).astype(int)
    network = Attentive(6, width, 2, rng, layers, norm_first=norm_first).float()
    return Recipe((x[:300], y[:300]), (x[300:], y[300:]), network, **{"epochs": 15, "lr": 3e-3, **fields})


def spiral(hidden=(32, 32), activation="tanh", *, seed=0, arms="spirals", **fields):
    """A perceptron on generated points of the plane."""
    x, y = getattr(datasets, arms)(samples=400, seed=seed)[:]
    order = np.random.default_rng(seed).permutation(len(x))
    x, y = np.asarray(x, np.float32)[order], np.asarray(y)[order]
    network = perceptron(np.random.default_rng(seed), (2, *hidden, int(y.max()) + 1), activation)
    return Recipe((x[:300], y[:300]), (x[300:], y[300:]), network, **{"epochs": 60, "lr": 1e-2, **fields})


def autoencoder(width=16, activation="relu", *, seed=0, output="linear", **fields):
    """An autoencoder of the digits."""
    rng = np.random.default_rng(seed)
    (x, _), (u, _) = table("digits", seed)
    if output == "sigmoid":
        images = np.asarray(datasets.digits()[:][0], np.float32).reshape(-1, 64) / 16
        x, u = images[:1350], images[1350:]
    network = perceptron(rng, (64, 48, width, 48, 64), activation)
    if output == "sigmoid":
        network = nn.Sequential(*network, nn.Sigmoid()).float()
    return Recipe((x, x), (u, u), network, loss=losses.mse, **{"epochs": 12, **fields})
