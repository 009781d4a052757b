"""Faults: each function takes a healthy recipe and returns a sick one."""

from __future__ import annotations

import numpy as np

import dark
from dark import losses, nn


def scaled(recipe, factor, part="weight"):
    """Multiply the initial weights."""
    for name, parameter in recipe.network.named_parameters():
        if part in name:
            parameter.value = parameter.value * factor
    return recipe


def bias(recipe, value):
    """Set the biases of all layers but the last."""
    biases = [(name, p) for name, p in recipe.network.named_parameters() if name.endswith("bias")]
    for _, parameter in biases[:-1]:
        parameter.value = np.full_like(parameter.value, value)
    return recipe


def constant_weights(recipe, value):
    """Set all weights to one value."""
    for name, parameter in recipe.network.named_parameters():
        parameter.value = np.full_like(parameter.value, value if name.endswith("weight") else 0)
    return recipe


def with_inputs(recipe, change):
    """Change the inputs of both parts."""
    (x, y), (u, v) = recipe.train, recipe.validation
    return recipe.changed(train=(change(x, y), y), validation=(change(u, v), v))


def inputs_times(recipe, factor):
    """Multiply the inputs, as if they were not standardized."""
    return with_inputs(recipe, lambda x, y: x * np.float32(factor))


def nan_in(recipe, row):
    """Put a NaN into one example."""
    x, y = recipe.train
    x = x.copy()
    x[row, 0] = np.nan
    return recipe.changed(train=(x, y))


def shuffled(recipe, seed=0):
    """Shuffle the labels of the training set."""
    x, y = recipe.train
    return recipe.changed(train=(x, np.random.default_rng(seed).permutation(y)))


def noise_inputs(recipe, seed=0):
    """Replace the inputs by noise."""
    rng = np.random.default_rng(seed)
    return with_inputs(recipe, lambda x, y: rng.normal(size=x.shape).astype(np.float32))


def few(recipe, count):
    """Keep only some examples of the training set."""
    x, y = recipe.train
    return recipe.changed(train=(x[:count], y[:count]))


def noisy_labels(recipe, share, seed=0):
    """Replace a share of the training labels by random ones."""
    rng = np.random.default_rng(seed)
    x, y = recipe.train
    wrong = rng.random(len(y)) < share
    return recipe.changed(train=(x, np.where(wrong, rng.permutation(y), y)))


def label_as_feature(recipe):
    """Write the label into the first feature."""
    scale = float(recipe.train[1].max()) or 1.0

    def change(x, y):
        x = x.copy()
        x[:, 0] = 3 * (y.reshape(len(y)) / scale - 0.5) if y.dtype.kind == "i" else y.reshape(len(y))
        return x

    return with_inputs(recipe, change)


def label_one_hot(recipe):
    """Write the label into as many features as there are classes, one-hot."""
    classes = int(recipe.train[1].max()) + 1

    def change(x, y):
        x = x.copy()
        x[:, :classes] = 2 * np.eye(classes)[y]
        return x

    return with_inputs(recipe, change)


def imbalanced(recipe, share, seed=0):
    """Keep so few examples of the other classes that class 0 has a share of all; class 0 or not is the question."""
    rng = np.random.default_rng(seed)

    def thinned(x, y):
        y = (y != 0).astype(int)
        first, others = np.flatnonzero(y == 0), np.flatnonzero(y == 1)
        others = others[: max(1, int(len(first) * (1 - share) / share))]
        rows = rng.permutation(np.concatenate([first, others]))
        return x[rows], y[rows]

    return recipe.changed(train=thinned(*recipe.train), validation=thinned(*recipe.validation))


def digit_as_number(recipe):
    """Predict the digit as a number, by a regression (healthy)."""
    change = lambda y: ((y - 4.5) / 2.9)[:, None].astype(np.float32)  # noqa: E731
    (x, y), (u, v) = recipe.train, recipe.validation
    network = nn.Sequential(*recipe.network, nn.ReLU(), nn.Linear(10, 1, seed=0)).float()
    return recipe.changed(train=(x, change(y)), validation=(u, change(v)), network=network, loss=losses.l1)


def without_grad(recipe, start):
    """Switch off the gradients of a layer."""
    for name, parameter in recipe.network.named_parameters():
        if name.startswith(start):
            parameter.requires_grad = False
    return recipe


class Detached(nn.Module):
    """A module whose output is cut off the graph."""

    def __init__(self, module):
        super().__init__()
        self.module = module

    def forward(self, x):
        """Return the output of the module, as a constant."""
        return self.module(x).detach()


def detached(recipe):
    """Detach the output of the first layer."""
    first, *others = recipe.network
    return recipe.changed(network=nn.Sequential(Detached(first), *others))


def log_of_softmax(output, labels):
    """Compute the cross-entropy by the logarithm of a softmax, which is minus infinity for small probabilities."""
    p = dark.softmax(output, axis=1)
    return -dark.log(p)[np.arange(len(labels)), labels].mean()
