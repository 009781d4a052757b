"""Handwritten digits classified by a small convolutional network: at least 97 % test accuracy in one second."""

import sys

import numpy as np
from digits import epochs_of, parts
from running import Training, main

from dark import nn

EPOCHS, LEARNING_RATE = 15, 5e-3


def convolutional(seed):
    """Create a network with two 3 × 3 convolutions: 8 × 8 pixels become 4 × 4, then 2 × 2 with 64 channels."""
    rng = np.random.default_rng(seed)
    layers = [
        nn.Conv2d(1, 16, 3, padding=1, seed=rng), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(16, 64, 3, padding=1, seed=rng), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Dropout(0.25, seed=rng), nn.Linear(256, 64, seed=rng), nn.ReLU(), nn.Linear(64, 10, seed=rng),
    ]  # fmt: skip
    return nn.Sequential(*layers).float()


def training_of(seed, epochs=None):
    """Prepare everything that depends on the seed: split, weights, and order of the batches."""
    epochs = epochs or EPOCHS
    train, test = parts(seed, shape=(1, 8, 8))
    network = convolutional(seed)
    return Training(network, test, epochs, epochs_of(network, train, test, seed, epochs, LEARNING_RATE))


if __name__ == "__main__":
    sys.exit(main(__doc__, training_of, "build/digits-cnn"))
